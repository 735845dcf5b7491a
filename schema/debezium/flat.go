package debezium

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Deletes is records.flat.deletes: what a delete is where records have no envelope.
type Deletes string

// Forms of a delete.
const (
	// DeleteTombstone is a null value with the key of the row, in the place of delete and tombstone.
	DeleteTombstone Deletes = "tombstone"
	// DeleteDropped is no record at all.
	DeleteDropped Deletes = "drop"
	// DeleteRewritten is the old row with __deleted "true"; every other record has __deleted "false". No tombstone follows.
	DeleteRewritten Deletes = "rewrite"
)

// Flat is the unwrapped form of records: the new row in the place of the envelope (reference debezium-format 15.1).
type Flat struct {
	Deletes Deletes
	// Fields and Headers name members of the envelope that each record has besides, as `member`, `block.member` or
	// either with `:name` behind it.
	Fields, Headers []string
}

const (
	addedPrefix  = "__"
	deletedField = addedPrefix + "deleted"
)

// added is a member of the envelope that flat records carry as a field or a header.
type added struct {
	name string
	from origin
	// schema is that of a field, always optional and without a default, as Debezium's transformation makes it.
	schema connect
}

var addedName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// flat gives what the flat form adds to records and headers. The error names what is wrong with the setting.
func (s *Settings) flat() (fields, headers []added, err error) {
	if fields, err = s.addedOf("flat.add_fields", s.Flat.Fields); err != nil {
		return nil, nil, err
	}
	headers, err = s.addedOf("flat.add_headers", s.Flat.Headers)
	return fields, headers, err
}

func (s *Settings) addedOf(setting string, list []string) ([]added, error) {
	out := make([]added, 0, len(list))
	for _, text := range list {
		a, err := s.added(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", setting, err)
		case slices.ContainsFunc(out, func(other added) bool { return other.name == a.name }), a.name == deletedField:
			return nil, fmt.Errorf("%s: %s would be there twice; write %s:NAME for another name", setting, a.name, text)
		}
		out = append(out, a)
	}
	return out, nil
}

// added resolves one name: op and ts_… are the envelope's, id, total_order and data_collection_order the transaction's, all others the
// source block's, unless the block stands before a dot. What would be null in every record is refused.
func (s *Settings) added(text string) (added, error) {
	path, name, renamed := strings.Cut(text, ":")
	block, member, qualified := strings.Cut(path, ".")
	if !renamed {
		name = strings.ReplaceAll(path, ".", "_")
	}
	if !addedName.MatchString(name) {
		return added{}, fmt.Errorf("%q does not give a name of letters, digits and underscores", text)
	}
	if !qualified {
		block, member = s.blockOf(path), path
	}
	from, c, found := s.Profile.find(block, member)
	switch {
	case !found:
		return added{}, fmt.Errorf("profile %s has no %q; it has %s", s.Profile.Name, path, strings.Join(s.Profile.addable(), ", "))
	case from == redoText && !s.Redo:
		return added{}, fmt.Errorf("%q needs records.redo_sql", path)
	case block == "transaction" && s.Profile.announced() && !s.Transactions:
		return added{}, fmt.Errorf("%q needs emit.transactions", path)
	}
	c.optional, c.def = true, ""
	return added{addedPrefix + name, from, c}, nil
}

// blockOf is where a name without a block belongs, empty for the envelope itself.
func (s *Settings) blockOf(member string) string {
	if _, _, ok := s.Profile.find("transaction", member); ok {
		return "transaction"
	}
	if _, _, ok := s.Profile.find("", member); ok {
		return ""
	}
	return "source"
}

// transactionMembers are the members of the transaction block; its id is written as in that block.
func (p *Profile) transactionMembers() []member {
	id := transactionID
	if p.announced() {
		id = transactionHex
	}
	return []member{
		{"id", id, required("string")}, {"total_order", eventNumber, required("int64")}, {"data_collection_order", tableOrder, required("int64")},
	}
}

// announced: the transaction block is null unless transactions are announced.
func (p *Profile) announced() bool {
	return slices.ContainsFunc(p.envelope, func(m member) bool { return m.from == transactionHexBlock })
}

// find gives a member of a block that is a plain value.
func (p *Profile) find(block, name string) (origin, connect, bool) {
	var list []member
	switch block {
	case "":
		list = p.envelope
	case "source":
		list = p.source
	case "transaction":
		list = p.transactionMembers()
	}
	for _, m := range list {
		if m.name != name || m.schema.typ == "" || m.schema.typ == "struct" {
			continue
		}
		if m.from == snapshotMark && m.schema.def != "" {
			m.from = snapshotOrNull // the member is null in the record, and its default is left behind with its schema
		}
		return m.from, m.schema, true
	}
	return nothing, connect{}, false
}

// addable lists what flat.add_fields may name.
func (p *Profile) addable() []string {
	var out []string
	for _, block := range [...]struct {
		prefix  string
		members []member
	}{{"", p.envelope}, {"source.", p.source}, {"transaction.", p.transactionMembers()}} {
		for _, m := range block.members {
			if m.schema.typ != "" && m.schema.typ != "struct" {
				out = append(out, block.prefix+m.name)
			}
		}
	}
	return out
}

// validateFlat refuses a flat form that makes no sense.
func (s *Settings) validateFlat() error {
	if s.Flat == nil {
		return nil
	}
	switch s.Flat.Deletes {
	case DeleteDropped, DeleteRewritten:
	case DeleteTombstone:
		if !s.Tombstones {
			return fmt.Errorf("flat.deletes tombstone makes a tombstone of every delete, which tombstones false forbids: set flat.deletes to rewrite or drop, or leave tombstones true")
		}
	default:
		return fmt.Errorf("flat.deletes must be one of tombstone, drop, rewrite; it is %q", s.Flat.Deletes)
	}
	_, _, err := s.flat()
	return err
}

// flatten prepares the table for the flat form, once its fields are known.
func (t *Table) flatten(s *Settings) error {
	fields, _, err := s.flat()
	if err != nil {
		return unfit(err, t.object)
	}
	t.flat, t.deletes = true, s.Flat.Deletes
	taken := map[string]bool{}
	for _, a := range fields {
		taken[a.name] = true
	}
	if t.deletes == DeleteRewritten {
		taken[deletedField] = true
	}
	for i := range t.row {
		if f := &t.row[i]; taken[f.field] {
			return stop.New(stop.NameCollision, t.object, "column %s and a field that records.flat adds would share the name %s", f.name, f.field).
				Doing("give the field another name in records.flat.add_fields (member:NAME), use another mode of records.flat.deletes, or exclude the column")
		}
	}
	if t.deletes == DeleteTombstone && !t.keyed {
		return stop.New(stop.Configuration, t.object, "a tombstone cannot say which row of a table without a key was deleted").
			Doing("set records.flat.deletes to rewrite, or to drop if deletes may vanish, or give the table a key with key.columns or key.missing rowid")
	}
	return nil
}

// Deletes says what a delete of a flat record is, empty for records with an envelope.
func (t *Table) Deletes() Deletes { return t.deletes }

// flat is the record of the flat form: the members of the row, then what is added to it.
func (c *compiler) flat(fields []added) error {
	c.literal = append(c.literal, '{')
	if err := c.member(flatRow); err != nil {
		return err
	}
	if c.settings.Flat.Deletes == DeleteRewritten {
		fields = slices.Insert(slices.Clone(fields), 0, added{name: deletedField, from: deletedMark})
	}
	for _, a := range fields {
		c.literal = append(append(append(c.literal, `,"`...), a.name...), `":`...)
		if err := c.member(a.from); err != nil {
			return err
		}
	}
	c.literal = append(c.literal, '}')
	return nil
}

// appendRow appends the members of the row that a flat record shows: the new one, of a delete the old one.
func (t *Table) appendRow(dst []byte, ev *change.Event) ([]byte, error) {
	image := ev.After
	if image == nil {
		image = ev.Before
	}
	if image == nil {
		return dst, stop.New(stop.Undecodable, t.object, "a change without a row has no flat record")
	}
	return t.appendMembers(dst, ev, image)
}

// flatSchema is that of the row with what is added. Debezium's transformation hands the schema of the row on as it is, optional, and
// makes a required one where it adds fields.
func (t *Table) flatSchema(s *Settings, name string) (connect, error) {
	row := t.rowSchema(s, name)
	fields, _, err := s.flat()
	if err != nil {
		return connect{}, err
	}
	if s.Flat.Deletes == DeleteRewritten {
		row.optional = false
		row.fields = append(row.fields, connectField{deletedField, optional("string")})
	}
	for _, a := range fields {
		row.optional = false
		row.fields = append(row.fields, connectField{a.name, a.schema})
	}
	return row, nil
}

// addedHeaders appends the members of the envelope that flat records have as headers.
type addedHeaders struct {
	list     []added
	settings *Settings
	// parts renders what is no text of the database's; it has no row.
	parts Table
}

func newAddedHeaders(s *Settings) addedHeaders {
	if s.Flat == nil {
		return addedHeaders{}
	}
	_, list, err := s.flat()
	if err != nil {
		return addedHeaders{} // the settings are not valid, and no table can be made with them
	}
	return addedHeaders{list: list, settings: s, parts: Table{object: "headers", marks: s.Profile.marks}}
}

// append writes each as Connect's simple header converter does: text as it is, numbers as digits, null as a header without a value.
func (h *addedHeaders) append(dst []change.Header, buf []byte, ev *change.Event) ([]change.Header, []byte) {
	for i := range h.list {
		a := &h.list[i]
		start := len(buf)
		var null bool
		if buf, null = h.one(buf, ev, a.from); null {
			buf = buf[:start]
			dst = append(dst, change.Header{Key: a.name})
			continue
		}
		dst = append(dst, change.Header{Key: a.name, Value: buf[start:len(buf):len(buf)]})
	}
	return dst, buf
}

func (h *addedHeaders) one(buf []byte, ev *change.Event, from origin) (out []byte, null bool) {
	switch {
	case from == zero:
		return append(buf, '0'), false
	case from < constants:
		var t schema.Table
		if ev.Version != nil {
			t = ev.Version.Table
		}
		text, there := h.settings.constant(from, t)
		return append(buf, text...), !there
	case from == rowID:
		return append(buf, ev.RowID...), ev.RowID == ""
	case from == userName && ev.Transaction != nil:
		return append(buf, ev.Transaction.User...), ev.Transaction.User == ""
	case from == redoText && ev.Aside != nil:
		return append(buf, ev.Aside.Redo...), ev.Aside.Redo == ""
	}
	start := len(buf)
	buf, err := h.parts.appendPart(buf, ev, from, nil) // of these none can fail
	part := buf[start:]
	if err != nil || string(part) == "null" {
		return buf, true
	}
	if n := len(part); n >= 2 && part[0] == '"' {
		copy(part, part[1:n-1])
		buf = buf[:start+n-2]
	}
	return buf, false
}
