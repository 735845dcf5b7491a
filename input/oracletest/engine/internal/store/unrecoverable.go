package store

import (
	"context"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// unlogged is when blocks were written whose redo is not there.
type unlogged struct {
	scn redo.SCN
	at  time.Time
}

// Load adds rows as a direct-path load without logging does: START and COMMIT of its transaction are in the redo, its rows are not.
func (tx *Tx) Load(ctx context.Context, t *Table, layout *catalog.Table, rows [][]datum.Datum) ([]*Row, error) {
	s := tx.store
	s.mu.Lock()
	tx.loading = true
	s.mu.Unlock()
	inserted, err := tx.Insert(ctx, t, layout, rows)
	s.mu.Lock()
	defer s.mu.Unlock()
	tx.loading = false
	if len(inserted) > 0 {
		s.unrecoverable(tx.space, layout, s.log.NextSCN())
	}
	return inserted, err
}

// unrecoverable notes that blocks of a table were written without redo.
func (s *Store) unrecoverable(sp *space, layout *catalog.Table, scn redo.SCN) {
	sp.unlogged[layout.TablespaceName()] = unlogged{scn, s.now()}
}

// Tablespaces lists those of a container.
func (s *Store) Tablespaces(container int) []catalog.Tablespace {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sp := s.spaces[container]
	if sp == nil {
		return nil
	}
	var list []catalog.Tablespace
	for i, name := range sp.tablespaces {
		last := sp.unlogged[name]
		list = append(list, catalog.Tablespace{Number: catalog.FirstTablespace + i, Name: name, Unrecoverable: uint64(last.scn), At: last.at})
	}
	return list
}

// place notes the tablespace of a table.
func (sp *space) place(layout *catalog.Table) {
	if name := layout.TablespaceName(); !slices.Contains(sp.tablespaces, name) {
		sp.tablespaces = append(sp.tablespaces, name)
	}
}
