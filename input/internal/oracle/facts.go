package oracle

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// tableFacts gathers what the views say of one table.
type tableFacts struct {
	columns []columnRow
	primary string              // name of the enabled primary key
	keys    map[string][]keyRow // columns by constraint, by index as owner.name
	unique  []indexName         // valid unique indexes
	groups  []string
	objects []uint64
	parts   []string
	object  uint64 // the table's own id
	lastDDL string
}

type columnRow struct {
	schema.Column
	internalID int
	// owner is that of the type, empty for a built-in one.
	owner    string
	identity bool
}

type keyRow struct {
	column   string
	position int
}

// indexName is an index; its columns are kept as owner.name.
type indexName struct{ owner, name string }

func (n indexName) String() string { return n.owner + "." + n.name }

// KeyRule chooses among the unique indexes of a table without a primary key. An index over a hidden, virtual or unused column is never
// chosen: rows do not show its value.
type KeyRule uint8

const (
	// SmallestNotNull takes the index with the fewest columns, all NOT NULL; of several the first by name (seed 001).
	SmallestNotNull KeyRule = iota
	// FirstUniqueIndex takes the first by name, whether its columns may be NULL or not (reference debezium-format 10).
	FirstUniqueIndex
)

func (r KeyRule) String() string {
	if r == FirstUniqueIndex {
		return "a unique index over plain columns"
	}
	return "a unique index over NOT NULL columns"
}

// ownerReader reads the views of one schema and keeps the rows of the wanted tables.
type ownerReader struct {
	session *Session
	args    []any
	wanted  map[string]*tableFacts
	// one: args name the table too, and nothing else is read.
	one bool
}

// of narrows a statement about a schema to the one table.
func (r ownerReader) of(st Statement) Statement {
	if r.one {
		st.Text += " AND table_name = :3"
	}
	return st
}

func (r ownerReader) columns(ctx context.Context) error {
	var table Text
	var c catalogColumn
	dest := []any{
		&table, &c.name, &c.internalID, &c.segmentID, &c.dataType, &c.typeOwner, &c.length, &c.chars, &c.precision, &c.scale,
		&c.nullable, &c.hidden, &c.virtual, &c.generated, &c.identity, &c.defaultLength,
	}
	return r.session.Each(ctx, r.of(columnList), r.args, dest, func() error {
		facts, ok := r.wanted[string(table)]
		if !ok {
			return nil
		}
		return facts.addColumn(&c)
	})
}

// catalogColumn is a row of CDB_TAB_COLS.
type catalogColumn struct {
	name, internalID, segmentID, dataType, typeOwner, length, chars, precision, scale Text
	nullable, hidden, virtual, generated, identity, defaultLength                     Text
}

func (f *tableFacts) addColumn(r *catalogColumn) error {
	c := columnRow{Column: schema.Column{
		Name: string(r.name), Nullable: r.nullable.Yes(), Hidden: r.hidden.Yes(), Virtual: r.virtual.Yes(),
		Type: schema.Type{
			Kind: schema.ParseType(string(r.dataType), string(r.typeOwner)), Name: string(r.dataType),
			Precision: schema.NoNumber, Scale: schema.NoNumber,
		},
	}, owner: string(r.typeOwner), identity: r.identity.Yes()}
	c.Undefaulted = r.defaultLength == ""
	c.Unused = c.Hidden && unusedName.MatchString(c.Name)
	// The hidden column that says which rows are older than a nullable column added with a default (R43).
	c.Guard = c.Hidden && !c.Virtual && !r.generated.Yes() && strings.HasPrefix(c.Name, "SYS_NC") && c.Type.Kind == schema.Raw
	numbers := []Number{
		{"INTERNAL_COLUMN_ID", r.internalID, &c.internalID},
		{"SEGMENT_COLUMN_ID", r.segmentID, &c.SegmentID},
		{"DATA_LENGTH", r.length, &c.Type.Length},
		{"CHAR_LENGTH", r.chars, &c.Type.CharLength},
	}
	if r.precision != "" {
		numbers = append(numbers, Number{"DATA_PRECISION", r.precision, &c.Type.Precision})
	}
	if r.scale != "" {
		numbers = append(numbers, Number{"DATA_SCALE", r.scale, &c.Type.Scale})
	}
	if err := Numbers(numbers...); err != nil {
		return err
	}
	f.columns = append(f.columns, c)
	return nil
}

func (r ownerReader) encrypted(ctx context.Context) error {
	var table, name Text
	return r.session.Each(ctx, r.of(encryptedColumns), r.args, []any{&table, &name}, func() error {
		if facts, ok := r.wanted[string(table)]; ok {
			for i := range facts.columns {
				c := &facts.columns[i]
				c.Encrypted = c.Encrypted || c.Name == string(name)
			}
		}
		return nil
	})
}

func (r ownerReader) primaryKeys(ctx context.Context) error {
	var table, name, column, place Text
	err := r.session.Each(ctx, primaryKeys, r.args, []any{&table, &name}, func() error {
		if facts, ok := r.wanted[string(table)]; ok {
			facts.primary = string(name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.session.Each(ctx, keyColumns, r.args, []any{&table, &name, &column, &place}, func() error {
		facts, ok := r.wanted[string(table)]
		if !ok || facts.primary != string(name) {
			return nil
		}
		return facts.addKey(string(name), column, place)
	})
}

func (r ownerReader) uniqueIndexes(ctx context.Context) error {
	var table, owner, name, column, place Text
	err := r.session.Each(ctx, uniqueIndexes, r.args, []any{&table, &owner, &name}, func() error {
		if facts, ok := r.wanted[string(table)]; ok {
			facts.unique = append(facts.unique, indexName{string(owner), string(name)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.session.Each(ctx, indexColumns, r.args, []any{&table, &owner, &name, &column, &place}, func() error {
		facts, ok := r.wanted[string(table)]
		if !ok || !slices.Contains(facts.unique, indexName{string(owner), string(name)}) {
			return nil
		}
		return facts.addKey(indexName{string(owner), string(name)}.String(), column, place)
	})
}

func (f *tableFacts) addKey(name string, column, place Text) error {
	k := keyRow{column: string(column)}
	if err := Numbers(Number{"POSITION", place, &k.position}); err != nil {
		return err
	}
	if f.keys == nil {
		f.keys = map[string][]keyRow{}
	}
	f.keys[name] = append(f.keys[name], k)
	return nil
}

func (r ownerReader) logGroups(ctx context.Context) error {
	var table, kind Text
	return r.session.Each(ctx, logGroups, r.args, []any{&table, &kind}, func() error {
		if facts, ok := r.wanted[string(table)]; ok {
			facts.groups = append(facts.groups, string(kind))
		}
		return nil
	})
}

func (r ownerReader) objects(ctx context.Context) error {
	var name, part, kind, id, ddl Text
	return r.session.Each(ctx, objectIDs, r.args, []any{&name, &part, &kind, &id, &ddl}, func() error {
		facts, ok := r.wanted[string(name)]
		if !ok {
			return nil
		}
		n, err := id.Uint64()
		if err != nil {
			return err
		}
		facts.objects = append(facts.objects, n)
		if part != "" {
			facts.parts = append(facts.parts, string(part))
		}
		if kind == "TABLE" {
			facts.object, facts.lastDDL = n, string(ddl)
		}
		return nil
	})
}

// sorted gives the columns in segment order, those without a segment number behind them.
func (f *tableFacts) sorted() []schema.Column {
	slices.SortFunc(f.columns, func(a, b columnRow) int {
		if (a.SegmentID == 0) != (b.SegmentID == 0) {
			return cmp.Compare(b.SegmentID, a.SegmentID)
		}
		return cmp.Or(cmp.Compare(a.SegmentID, b.SegmentID), cmp.Compare(a.internalID, b.internalID))
	})
	columns := make([]schema.Column, len(f.columns))
	for i := range f.columns {
		columns[i] = f.columns[i].Column
	}
	slices.Sort(f.objects)
	return columns
}

// key chooses the columns that identify a row: the enabled primary key, else a unique index by the rule.
func (f *tableFacts) key(v *schema.Version, rule KeyRule) schema.Key {
	if f.primary != "" {
		if columns, ok := f.keyOf(f.primary, v, func(schema.Column) bool { return true }); ok {
			return schema.Key{Origin: schema.KeyPrimary, Columns: columns}
		}
	}
	best := schema.Key{Origin: schema.KeyNone}
	slices.SortFunc(f.unique, byIndexName)
	for _, name := range f.unique {
		columns, ok := f.keyOf(name.String(), v, func(c schema.Column) bool { return c.Published() && (rule == FirstUniqueIndex || !c.Nullable) })
		if ok && (best.Columns == nil || len(columns) < len(best.Columns)) {
			best = schema.Key{Origin: schema.KeyUnique, Columns: columns}
		}
		if ok && rule == FirstUniqueIndex {
			break
		}
	}
	return best
}

// byIndexName orders indexes by their name, those of one name by their owner.
func byIndexName(a, b indexName) int {
	return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.owner, b.owner))
}

func (f *tableFacts) keyOf(name string, v *schema.Version, fits func(schema.Column) bool) ([]int, bool) {
	rows := f.keys[name]
	slices.SortFunc(rows, func(a, b keyRow) int { return cmp.Compare(a.position, b.position) })
	columns := make([]int, 0, len(rows))
	for _, k := range rows {
		i, ok := v.Column(k.column)
		if !ok || !fits(v.Columns[i]) {
			return nil, false
		}
		columns = append(columns, i)
	}
	return columns, len(columns) > 0
}
