package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// matrixClass is a class of DDL, as a row of the matrix: what is there, what is done, and every message that must come of it. Tables T1 to
// T9 are captured, U1 to U9 are not. Expected messages are table, key, operation, images and version.
type matrixClass struct {
	name string
	// create makes the tables; T1 has the columns of matrixTable without it. behind is done before capture begins.
	create, behind []string
	// before are the statements of a transaction with the layout of before, formatted with a number that makes them unique, and what they
	// give; without it a row of T1 that is changed once.
	before, had []string
	ddl         []string
	// after are those of one behind the DDL.
	after, want []string
	// truncated are the messages of the DDL itself.
	truncated []string
	// stops are the moments that the rules let capture stop at, by code; "" is every other one. Nothing that came before is missing then.
	stops map[string]stop.Code
	// may are those at which it may stop, since it depends on when the dictionary is read.
	may map[string]stop.Code
	// unnumbered: the DDL begins as many versions as capture sees of it, so that messages are expected without them.
	unnumbered bool
	// online: the DDL waits for nobody, so that a transaction may have changed the table itself.
	online bool
}

const matrixTable = "CREATE TABLE T1 (ID NUMBER(9) PRIMARY KEY, V NUMBER(9), W VARCHAR2(10))"

// kept is a table that no DDL is about.
const kept = "CREATE TABLE T9 (ID NUMBER(9) PRIMARY KEY)"

// matrixMoments are the columns of the matrix: what happens beside the DDL.
func matrixMoments() []matrixMoment {
	return []matrixMoment{
		{"followed", func(c *matrixCell) {
			c.before(1)
			if !c.settle() {
				return
			}
			c.before(2)
			c.ddl()
			c.after()
		}},
		{"mined late", func(c *matrixCell) {
			resume := c.s.server.PauseLogWriter()
			c.before(1)
			c.before(2)
			c.ddl()
			c.after()
			resume()
		}},
		{"open across it", func(c *matrixCell) {
			c.before(1)
			open := c.open(0)
			c.before(2)
			if c.class.online {
				open.exec("INSERT INTO T1 VALUES (51, 51, 'open')")
			}
			c.ddl()
			c.kept(0, 62)
			for _, statement := range c.class.after {
				open.exec(statement)
			}
			open.commit()
			c.expect(0, "T9 {\"ID\":61} c {\"ID\":61} v1")
			if c.class.online {
				c.expect(0, `T1 {"ID":51} c {"ID":51,"V":51,"W":"open"} v1`)
			}
			c.expect(0, c.class.want...)
		}},
		{"restart before", func(c *matrixCell) { c.restartBefore(false) }},
		{"kill before", func(c *matrixCell) { c.restartBefore(true) }},
		{"restart at", func(c *matrixCell) {
			c.before(1)
			c.before(2)
			c.ddl()
			c.again(false)
			c.after()
		}},
		{"kill at", func(c *matrixCell) { // it was mined, and nothing of it was acknowledged
			c.before(1)
			if !c.settle() {
				return
			}
			waits := c.r.p.holdRows()
			resume := c.s.server.PauseLogWriter() // so that one step has all of it
			c.before(2)
			c.ddl()
			c.after()
			resume()
			select {
			case <-waits:
				c.again(true)
			case c.r.stopped = <-c.r.p.typed:
				c.r.compare(false)
			case <-time.After(patience):
				c.r.fail("nothing comes")
			}
		}},
		{"restart after", func(c *matrixCell) { c.restartAfter(false) }},
		{"kill after", func(c *matrixCell) { c.restartAfter(true) }},
		{"two PDBs", func(c *matrixCell) {
			for n := range c.sessions {
				c.beforeIn(n, 1)
			}
			c.beforeIn(0, 2)
			c.ddlIn(0)
			c.beforeIn(1, 2)
			c.afterIn(0)
			if !c.settle() {
				return
			}
			c.ddlIn(1)
			c.afterIn(1)
		}},
	}
}

type matrixMoment struct {
	name string
	run  func(*matrixCell)
}

// matrixCell is one class at one moment.
type matrixCell struct {
	class    *matrixClass
	s        *scenario
	r        *modelReader
	pdbs     []string
	sessions []*session
}

// R93 to R104, issue 7: each class of DDL beside each thing that can happen with it gives every row of before and behind it with the
// layout, the name and the version of its moment, over restarts too, or stops capture by the code that the rules name. Under the race
// detector two of the ten moments are run: the others run the same goroutines once more.
func TestEveryClassOfDDLAtEveryMoment(t *testing.T) {
	if wantsReal() {
		t.Skip("only the stand-in tells what must come")
	}
	t.Parallel()
	for _, class := range slices.Concat(matrixColumns(), matrixKeys(), matrixTables(), matrixPartitions(), matrixNothings()) {
		for _, moment := range matrixMoments() {
			if raceEnabled && moment.name != "followed" && moment.name != "kill before" {
				continue
			}
			t.Run(class.name+"/"+moment.name, func(t *testing.T) { matrix(t, &class, moment) })
		}
	}
}

func matrix(t *testing.T, class *matrixClass, moment matrixMoment) {
	pdbs := []string{standInPDB}
	if moment.name == "two PDBs" {
		pdbs = append(pdbs, otherPDB)
	}
	s := begin(t, needing(ownSettings), logs(3, 256<<10), serving(func(c *oracletest.Config) { c.PDBs = pdbs }))
	c := &matrixCell{class: class, s: s, pdbs: pdbs}
	for _, pdb := range pdbs {
		c.sessions = append(c.sessions, s.connectTo(pdb))
	}
	s.logAll()
	create := class.create
	if create == nil {
		create = []string{matrixTable}
	}
	for n, session := range c.sessions {
		for _, statement := range slices.Concat(create, []string{kept}, class.behind) {
			if statement = strings.TrimSpace(statement); n == 0 || !strings.HasPrefix(statement, "ALTER DATABASE") {
				session.exec(statement)
			}
		}
	}
	c.r = &modelReader{m: &model{s: s}, broker: newMemoryBroker(t), layouts: map[string]string{}, numbered: !class.unnumbered}
	c.r.start()
	c.r.p.awaitCapture()
	if !c.settle() {
		c.r.fail("capture stopped before anything happened: %v", c.r.stopped)
	}
	moment.run(c)
	code, ok := class.stops[moment.name]
	if !ok {
		code = class.stops[""]
	}
	switch whole := c.settle(); {
	case !whole && class.may[moment.name] == c.r.stopped.Code:
	case whole && code != 0:
		c.r.fail("capture goes on, want CDC-%d", code)
	case !whole && code == 0:
		c.r.fail("capture stopped: %v", c.r.stopped)
	case !whole:
		refusal(t, c.r.stopped, code, "APP.")
	}
	c.r.stored()
}

// settle is that of the reader; it is false after a stop.
func (c *matrixCell) settle() bool { return c.r.stopped == nil && c.r.settle() }

// expect adds messages.
func (c *matrixCell) expect(n int, messages ...string) {
	for _, text := range messages {
		if c.class.unnumbered {
			text = text[:strings.LastIndex(text, " v")]
		}
		c.r.m.expected = append(c.r.m.expected, expectation{text: c.pdbs[n] + ".APP." + text})
	}
}

func (c *matrixCell) commit(n int, statements ...string) {
	c.s.t.Helper()
	for _, statement := range statements {
		c.r.m.note(c.pdbs[n], 0, statement)
	}
	c.sessions[n].commit(statements...)
}

// kept changes the table that no DDL is about.
func (c *matrixCell) kept(n, id int) {
	c.s.t.Helper()
	c.commit(n, fmt.Sprintf("INSERT INTO T9 VALUES (%d)", id))
	c.expect(n, fmt.Sprintf(`T9 {"ID":%d} c {"ID":%[1]d} v1`, id))
}

// open begins a transaction that changes that table.
func (c *matrixCell) open(n int) *transaction {
	c.s.t.Helper()
	x := c.s.connectTo(c.pdbs[n]).begin()
	x.exec("INSERT INTO T9 VALUES (61)")
	return x
}

func (c *matrixCell) before(number int) { c.beforeIn(0, number) }

func (c *matrixCell) beforeIn(n, number int) {
	c.s.t.Helper()
	before, had := c.class.before, c.class.had
	if before == nil {
		before = []string{"INSERT INTO T1 VALUES (%[1]d, 1, 'a')", "UPDATE T1 SET V = 2 WHERE ID = %[1]d"}
		had = []string{`T1 {"ID":%[1]d} c {"ID":%[1]d,"V":1,"W":"a"} v1`, `T1 {"ID":%[1]d} u {"ID":%[1]d,"V":1,"W":"a"} -> {"ID":%[1]d,"V":2,"W":"a"} v1`}
	}
	c.commit(n, numbered(before, number)...)
	c.expect(n, numbered(had, number)...)
}

func numbered(texts []string, number int) (out []string) {
	for _, text := range texts {
		if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, number)
		}
		out = append(out, text)
	}
	return out
}

func (c *matrixCell) ddl() { c.ddlIn(0) }

func (c *matrixCell) ddlIn(n int) {
	c.s.t.Helper()
	for _, statement := range c.class.ddl {
		c.r.m.note(c.pdbs[n], 0, statement)
		c.sessions[n].exec(statement)
	}
	c.expect(n, c.class.truncated...)
}

func (c *matrixCell) after() { c.afterIn(0) }

func (c *matrixCell) afterIn(n int) {
	c.s.t.Helper()
	c.commit(n, c.class.after...)
	c.expect(n, c.class.want...)
}

// again ends capture and starts it.
func (c *matrixCell) again(kill bool) {
	c.s.t.Helper()
	c.r.end(kill)
	if c.r.stopped == nil {
		c.r.start()
	}
}

// restartBefore: the DDL and rows of both layouts lie ahead when capture begins again.
func (c *matrixCell) restartBefore(kill bool) {
	c.s.t.Helper()
	c.before(1)
	if !c.settle() {
		return
	}
	c.r.end(kill)
	c.before(2)
	c.ddl()
	c.after()
	c.r.start()
}

// restartAfter: the DDL was delivered, and a transaction from before it, which is still open, has it mined once more.
func (c *matrixCell) restartAfter(kill bool) {
	c.s.t.Helper()
	open := c.open(0)
	c.before(1)
	c.before(2)
	c.ddl()
	c.kept(0, 62)
	if !c.settle() {
		return
	}
	c.r.end(kill)
	c.after()
	c.r.start()
	open.commit()
	c.expect(0, `T9 {"ID":61} c {"ID":61} v1`)
}

// holdRows lets no batch with rows pass. The channel is closed when the first one waits.
func (p *pipeline) holdRows() <-chan struct{} {
	waits := make(chan struct{})
	var once sync.Once
	p.judgeBy(func(ctx context.Context, _ int, batch []message) error {
		if !slices.ContainsFunc(batch, func(m message) bool { return m.event.Version != nil }) {
			return nil
		}
		once.Do(func() { close(waits) })
		<-ctx.Done()
		return ctx.Err()
	})
	return waits
}
