package engine

import (
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
)

// cachedStatements bounds the cache; cachedText keeps long single texts out.
const (
	cachedStatements = 2000
	cachedText       = 64 << 10
)

// statementCache keeps parsed statements by their text. It has two generations: when the young one is full it becomes the old one, and
// what was not used since goes.
type statementCache struct {
	mu         sync.Mutex
	young, old map[string]*sql.Parsed
}

func newStatementCache() *statementCache {
	return &statementCache{young: make(map[string]*sql.Parsed)}
}

func (c *statementCache) parse(text string) (*sql.Parsed, error) {
	if p := c.get(text); p != nil {
		return p, nil
	}
	p, err := sql.Parse(text)
	if err != nil || len(text) > cachedText {
		return p, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(text, p)
	return p, nil
}

func (c *statementCache) get(text string) *sql.Parsed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.young[text]; ok {
		return p
	}
	p, ok := c.old[text]
	if ok {
		c.put(text, p)
	}
	return p
}

func (c *statementCache) put(text string, p *sql.Parsed) {
	if len(c.young) >= cachedStatements/2 {
		c.old, c.young = c.young, make(map[string]*sql.Parsed, cachedStatements/2)
	}
	c.young[text] = p
}
