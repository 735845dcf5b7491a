package oracle

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Unrecoverable is the last change of a tablespace that left no redo (R128): a load in NOLOGGING mode, whatever it loaded.
type Unrecoverable struct {
	Container  int
	Tablespace string
	SCN        position.SCN
	// Time is the server's clock then, as YYYY-MM-DD HH24:MI:SS; empty where the view has none.
	Time string
}

// ReadUnrecoverable lists the tablespaces of which a data file ever had such a change, by container and name.
func ReadUnrecoverable(ctx context.Context, s *Session) ([]Unrecoverable, error) {
	type key struct{ container, number int }
	last := map[key]Unrecoverable{}
	var container, number, change, at Text
	err := s.Each(ctx, unrecoverableFiles, nil, []any{&container, &number, &change, &at}, func() error {
		var k key
		if err := Numbers(Number{"CON_ID", container, &k.container}, Number{"TS#", number, &k.number}); err != nil {
			return err
		}
		scn, err := change.Uint64()
		if err != nil {
			return err
		}
		if was, ok := last[k]; !ok || position.SCN(scn) > was.SCN {
			last[k] = Unrecoverable{Container: k.container, SCN: position.SCN(scn), Time: string(at)}
		}
		return nil
	})
	if err != nil || len(last) == 0 {
		return nil, err
	}
	var out []Unrecoverable
	var name Text
	err = s.Each(ctx, tablespaceNames, nil, []any{&container, &number, &name}, func() error {
		var k key
		err := Numbers(Number{"CON_ID", container, &k.container}, Number{"TS#", number, &k.number})
		if u, ok := last[k]; ok {
			u.Tablespace = string(name)
			out = append(out, u)
		}
		return err
	})
	slices.SortFunc(out, func(a, b Unrecoverable) int {
		return cmp.Or(cmp.Compare(a.Container, b.Container), cmp.Compare(a.Tablespace, b.Tablespace))
	})
	return out, err
}

// TablesIn lists the tables that match and have a segment in a tablespace: of rows, also of a partition, or of a LOB column. Oracle's own are
// none of them, nor those in the recycle bin. A container that is not open shows none.
func TablesIn(ctx context.Context, s *Session, c Container, tablespace string, match func(schema.Table) bool) ([]schema.Table, error) {
	foreign, err := oracleOwns(ctx, s, c.ID)
	if err != nil {
		return nil, err
	}
	var out []schema.Table
	var owner, name Text
	err = s.Each(ctx, tablesInTablespace, []any{c.ID, tablespace, c.ID, tablespace}, []any{&owner, &name}, func() error {
		t := schema.Table{PDB: c.Name, Owner: string(owner), Name: string(name)}
		if !foreign(t.Owner) && !strings.HasPrefix(t.Name, "BIN$") && !ddl.WorkTable(t.Name) && match(t) {
			out = append(out, t)
		}
		return nil
	})
	slices.SortFunc(out, func(a, b schema.Table) int { return strings.Compare(a.String(), b.String()) })
	return out, err
}
