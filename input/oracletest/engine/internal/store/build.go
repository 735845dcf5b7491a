package store

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// BeginBuild copies the dictionary and writes the first record of the copy, with no DDL in between.
func (s *Store) BeginBuild(ctx context.Context, by redo.Origin) (*redo.Build, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logging == (Logging{}) {
		return nil, wire.Errorf(1354, "Supplemental log data must be added to run this command")
	}
	b := &redo.Build{SCN: s.log.CurrentSCN(), Tables: make(map[int]map[uint32]*catalog.Table, len(s.spaces))}
	for container, sp := range s.spaces {
		tables := make(map[uint32]*catalog.Table, len(sp.byID))
		for _, t := range sp.byID {
			for _, id := range t.layout.SegmentIDs() {
				tables[id] = t.layout
			}
		}
		b.Tables[container] = tables
	}
	return b, s.log.Append(ctx, redo.BuildRecord(b, false, by))
}
