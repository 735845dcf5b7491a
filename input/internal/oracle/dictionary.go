package oracle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
)

// Describe reads the tables of one container that match, with the keys that the rule chooses, in the order of owner and name. Oracle's own schemas, temporary
// and nested tables, overflow segments and the recycle bin are no candidates and not offered to match. The engine
// brackets the call with two readings of CurrentSCN (R96).
func Describe(ctx context.Context, s *Session, db Database, c Container, match func(schema.Table) bool, rule KeyRule) ([]Description, error) {
	tables, err := candidates(ctx, s, db, c, match)
	if err != nil {
		return nil, fmt.Errorf("dictionary of container %d: %w", c.ID, err)
	}
	var out []Description
	for start := 0; start < len(tables); {
		end := start
		for end < len(tables) && tables[end].owner == tables[start].owner {
			end++
		}
		described, err := describeOwner(ctx, s, db, c, tables[start:end], rule)
		if err != nil {
			return nil, fmt.Errorf("dictionary of container %d, schema %s: %w", c.ID, tables[start].owner, err)
		}
		out = append(out, described...)
		start = end
	}
	return out, nil
}

// tableRow is a row of CDB_TABLES.
type tableRow struct {
	owner, name, iot, cluster string
	partitioned               bool
	external, hybrid          bool
	reservable                bool
	// kinds are further ones that cannot be captured.
	kinds []string
}

func candidates(ctx context.Context, s *Session, db Database, c Container, match func(schema.Table) bool) ([]tableRow, error) {
	foreign, err := oracleOwns(ctx, s, c.ID)
	if err != nil {
		return nil, err
	}
	candidate := func(owner, name string) bool {
		return !foreign(owner) && !ddl.WorkTable(name) && match(schema.Table{PDB: c.Name, Owner: owner, Name: name})
	}
	var tables []tableRow
	var owner, name, temporary, nested, iot, cluster, partitioned, dropped, external, hybrid, reservable Text
	dest := []any{&owner, &name, &temporary, &nested, &iot, &cluster, &partitioned, &dropped, &external, &hybrid, &reservable}
	err = s.Each(ctx, tableList(releaseOf(db.Release)), []any{c.ID}, dest, func() error {
		t := tableRow{
			owner: string(owner), name: string(name), iot: string(iot), cluster: string(cluster), partitioned: partitioned.Yes(),
			external: external.Yes(), hybrid: hybrid.Yes(), reservable: reservable.Yes(),
		}
		switch {
		case temporary.Yes(), nested.Yes(), dropped.Yes():
		case iot == "IOT_OVERFLOW", iot == "IOT_MAPPING":
		case candidate(t.owner, t.name):
			tables = append(tables, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	tables, err = kinds(ctx, s, db, c, candidate, tables)
	slices.SortFunc(tables, func(a, b tableRow) int {
		return cmp.Or(strings.Compare(a.owner, b.owner), strings.Compare(a.name, b.name))
	})
	return tables, err
}

// oracleOwns tells Oracle's own schemas of a container from others.
func oracleOwns(ctx context.Context, s *Session, container int) (func(owner string) bool, error) {
	own := map[string]bool{}
	var user Text
	err := s.Each(ctx, maintainedUsers, []any{container}, []any{&user}, func() error {
		own[string(user)] = true
		return nil
	})
	return func(owner string) bool { return own[owner] || oracleSchema(owner) }, err
}

// describeOwner reads one schema's views once, however many of its tables are wanted.
func describeOwner(ctx context.Context, s *Session, db Database, c Container, tables []tableRow, rule KeyRule) ([]Description, error) {
	r := ownerReader{session: s, args: []any{c.ID, tables[0].owner}, wanted: map[string]*tableFacts{}}
	for _, t := range tables {
		r.wanted[t.name] = &tableFacts{}
	}
	for _, read := range []func(context.Context) error{r.columns, r.encrypted, r.primaryKeys, r.uniqueIndexes, r.logGroups, r.objects} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	out := make([]Description, 0, len(tables))
	for _, t := range tables {
		facts := r.wanted[t.name]
		v := &schema.Version{
			Table: schema.Table{PDB: c.Name, Owner: t.owner, Name: t.name}, Container: c.ID,
			Logging: logging(facts.groups, db), ObjectIDs: facts.objects, Columns: facts.sorted(),
		}
		v.Seal()
		v.Key = facts.key(v, rule)
		d := Description{Version: v, Partitioned: t.partitioned, Partitions: facts.parts, Object: facts.object, LastDDL: facts.lastDDL}
		d.refuse(t, facts.columns, db.Release)
		out = append(out, d)
	}
	return out, nil
}

// objectsAsked is how many ids one statement asks for; shorter lists repeat one, so that there is one text.
const objectsAsked = 50

func bindList(from, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = ":" + strconv.Itoa(from+i)
	}
	return strings.Join(out, ", ")
}

// DatabaseTime gives the time of the database, in the form of Modified.
func DatabaseTime(ctx context.Context, s *Session) (string, error) {
	var now Text
	err := s.Each(ctx, databaseTime, nil, []any{&now}, func() error { return nil })
	return string(now), err
}

// Modified adds to times, by id, when the last DDL was run on objects of a container: YYYY-MM-DD HH24:MI:SS. Objects that are gone have
// none.
func Modified(ctx context.Context, s *Session, container int, ids []uint64, times map[uint64]string) error {
	var id, at Text
	return eachOf(ctx, s, modifiedObjects, container, ids, []any{&id, &at}, func() error {
		n, err := id.Uint64()
		times[n] = string(at)
		return err
	})
}

// ObjectName is the name of an object.
type ObjectName struct{ Owner, Name string }

// ObjectNames adds to names, by id, how objects of a container are called. Objects that are gone have no name.
func ObjectNames(ctx context.Context, s *Session, container int, ids []uint64, names map[uint64]ObjectName) error {
	var id, owner, name Text
	return eachOf(ctx, s, namedObjects, container, ids, []any{&id, &owner, &name}, func() error {
		n, err := id.Uint64()
		names[n] = ObjectName{string(owner), string(name)}
		return err
	})
}

// eachOf asks for objects, objectsAsked at once.
func eachOf(ctx context.Context, s *Session, of Statement, container int, ids []uint64, dest []any, row func() error) error {
	for chunk := range slices.Chunk(ids, objectsAsked) {
		args := []any{container}
		for i := range objectsAsked {
			args = append(args, chunk[min(i, len(chunk)-1)])
		}
		if err := s.Each(ctx, of, args, dest, row); err != nil {
			return err
		}
	}
	return nil
}
