package debezium

import (
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// LOBs is lobs.mode as far as records go.
type LOBs uint8

// LOB modes.
const (
	// LOBsSkipped: LOB columns have no field (profile cdc).
	LOBsSkipped LOBs = iota
	// LOBsInline: LOB values are text or bytes, or the placeholder.
	LOBsInline
)

// Settings are what records need of the configuration.
type Settings struct {
	Profile *Profile
	// ConnectorVersion is source.version.
	ConnectorVersion string
	// Server is topic_prefix, Database the database's name.
	Server, Database string
	// Topic is that of the table; profile debezium names schemas after it.
	Topic string
	// Redo is records.redo_sql.
	Redo bool
	// Run identifies this run of the connector.
	Run string
	// ContextHeaders is records.context_headers.
	ContextHeaders bool
	// Placeholder is records.unavailable_placeholder; empty: the profile's.
	Placeholder string
	// Masks and Truncations are columns.mask and columns.truncate; of several that match a column the first counts.
	Masks       []Mask
	Truncations []Truncation
	// Propagate is columns.propagate_type: their types are parameters of their schemas.
	Propagate []naming.Pattern
	// Flat is records.flat; nil: records have an envelope.
	Flat *Flat
	// Transactions is emit.transactions: BEGIN and END records of their own.
	Transactions bool
	// Tombstones is records.tombstones.
	Tombstones bool
	LOBs       LOBs
	// Encoding is records.encoding, KeyEncoding records.key_encoding; empty: that of the value.
	Encoding, KeyEncoding Encoding
	// SchemaNames and FieldNames adjust the names of the table's schemas, and of key and row fields.
	SchemaNames, FieldNames naming.Adjustment
	// Default gives the value of a column's default where that is a literal, false else; nil: nobody knows.
	Default func(*schema.Column) (value.Value, bool)
	// NullAsDefault is records.null_as_default: a NULL is written as the column's default.
	NullAsDefault bool
	// Decimals, Temporals, Intervals and Binary are the modes of records; empty: the first of each.
	Decimals  Decimals
	Temporals Temporals
	Intervals Intervals
	Binary    Binary
}

// Table renders the events of one version of a table.
type Table struct {
	version *schema.Version
	// object names the table in errors.
	object string

	row, key []field
	// headerKey is the key as headers hold it, empty where the profile has no such header.
	headerKey []field
	// keyOpen and keyClose stand around the members of the key.
	keyOpen, keyClose string
	// valueOpen and valueClose stand around the envelope, empty where it has no schema.
	valueOpen, valueClose string
	// rowIDKey: the key is the ROWID, without a column of its own.
	rowIDKey   bool
	keyed      bool
	tombstones bool
	// flat: records have no envelope, and deletes says what a delete is.
	flat     bool
	deletes  Deletes
	marks    []change.Mark
	programs programs
}

// NewTable prepares a version. The error is a *stop.Error CDC-5003 that names the column whose type cannot be published.
func NewTable(s Settings, v *schema.Version) (*Table, error) {
	s = s.withDefaults()
	if err := s.Validate(); err != nil {
		return nil, stop.Wrap(stop.Configuration, err, "records", "records cannot be made")
	}
	t := &Table{version: v, object: v.Table.String(), marks: s.Profile.marks}
	var err error
	if t.row, err = rowFields(s, v); err != nil {
		return nil, err
	}
	if err := t.keyFields(s, v); err != nil {
		return nil, err
	}
	if err := t.apart(); err != nil {
		return nil, err
	}
	if s.Flat != nil {
		if err := t.flatten(&s); err != nil {
			return nil, err
		}
	}
	if s.Profile.otherKeys() {
		if t.headerKey, err = headerFields(t.key); err != nil {
			return nil, unfit(err, t.object)
		}
	}
	if t.programs, err = compile(s, v); err != nil {
		return nil, unfit(err, t.object)
	}
	if err := t.wrapRecords(&s, v); err != nil {
		return nil, unfit(err, t.object)
	}
	t.tombstones = s.Tombstones && s.Flat == nil && (t.keyed || s.Profile.keylessTombstones)
	return t, nil
}

// apart refuses columns whose fields would have one name (CDC-6004).
func (t *Table) apart() error {
	for _, fields := range [...][]field{t.row, t.key} {
		columns := make(map[string]string, len(fields))
		for i := range fields {
			f := &fields[i]
			if other, taken := columns[f.field]; taken {
				return stop.New(stop.NameCollision, t.object, "columns %s and %s would share the field %s", other, f.name, f.field).
					Doing("set records.field_name_adjustment to avro_unicode or none, or leave one of the columns out with columns.exclude")
			}
			columns[f.field] = f.name
		}
	}
	return nil
}

// Keyed reports whether records of the table have a key.
func (t *Table) Keyed() bool { return t.keyed }

// Tombstones reports whether a tombstone follows a delete; one follows no flat record.
func (t *Table) Tombstones() bool { return t.tombstones }

func rowFields(s Settings, v *schema.Version) ([]field, error) {
	fields := make([]field, 0, len(v.Columns))
	for i := range v.Columns {
		c := &v.Columns[i]
		if !c.Published() || isLOB(c.Type.Kind) && s.LOBs == LOBsSkipped && !s.Profile.keepSkippedLOBs {
			continue
		}
		f, err := newField(s, c, i, len(fields) == 0)
		if err == nil {
			err = f.treat(&s, v.Table, c)
		}
		if err != nil {
			return nil, unfit(err, v.Table.String()+"."+c.Name)
		}
		if s.NullAsDefault && f.def != "" {
			f.null = f.def
		}
		if f.required && s.Encoding == JSONSchema {
			f.strict()
		}
		fields = append(fields, f)
	}
	if len(fields) == 0 {
		return nil, unfit(errors.New("no column can be published"), v.Table.String())
	}
	return fields, nil
}

func (t *Table) keyFields(s Settings, v *schema.Version) error {
	switch v.Key.Origin {
	case schema.KeyNone:
		return nil
	case schema.KeyRowID:
		t.keyed, t.rowIDKey = true, true
		return nil
	default:
	}
	for _, i := range v.Key.Columns {
		if i < 0 || i >= len(v.Columns) {
			return unfit(fmt.Errorf("key column %d of %d columns", i, len(v.Columns)), t.object)
		}
		c := &v.Columns[i]
		f, err := newField(s, c, i, len(t.key) == 0)
		switch {
		case err == nil && (c.Virtual || c.Unused || c.Guard):
			err = errors.New("key column has no value in the redo")
		case err == nil && isLOB(c.Type.Kind):
			err = errors.New("key column is a LOB")
		}
		if err != nil {
			return unfit(err, t.object+"."+c.Name)
		}
		t.key = append(t.key, f)
	}
	t.keyed = len(t.key) > 0
	return nil
}

// AppendKey appends the record key of an event: the new row's for inserts and updates, the old row's for deletes and
// tombstones. It appends nothing where the record has no key: in a table without one and for a truncate. The error is
// a *stop.Error; dst is as before then.
func (t *Table) AppendKey(dst []byte, ev *change.Event) ([]byte, error) {
	if !t.keyed || ev.Op == change.Truncate {
		return dst, nil
	}
	if t.rowIDKey {
		return t.appendRowIDKey(dst, ev.RowID)
	}
	out, err := t.appendFields(append(dst, t.keyOpen...), ev, t.key)
	if err != nil {
		return dst, err
	}
	return append(out, t.keyClose...), nil
}

// appendFields appends the members of a key: of the new row for inserts and updates, of the old row else.
func (t *Table) appendFields(dst []byte, ev *change.Event, key []field) ([]byte, error) {
	image := ev.After
	if image == nil {
		image = ev.Before
	}
	if err := t.check(ev, image); err != nil {
		return dst, err
	}
	for i := range key {
		f := &key[i]
		v := &image[f.index]
		if !v.Known() || v.Kind() == value.Null && !f.nullable {
			return dst, t.fault(f, errNoKeyValue)
		}
		var err error
		if dst, err = f.append(dst, v); err != nil {
			return dst, t.fault(f, err)
		}
	}
	return dst, nil
}

func (t *Table) appendRowIDKey(dst []byte, rowID string) ([]byte, error) {
	start := len(dst)
	if rowID == "" {
		return dst, stop.Wrap(stop.Undecodable, errNoKeyValue, t.object+".ROWID", "record key cannot be published")
	}
	dst, err := appendText(append(append(dst, t.keyOpen...), `"`+rowIDField+`":`...), rowID)
	if err != nil {
		return dst[:start], stop.Wrap(stop.Undecodable, err, t.object+".ROWID", "record key cannot be published")
	}
	return append(dst, t.keyClose...), nil
}

// AppendValue appends the envelope of an event, or the row in the flat form; a tombstone has none. The error is a *stop.Error; dst is as before then.
func (t *Table) AppendValue(dst []byte, ev *change.Event) ([]byte, error) {
	if ev.Before != nil && ev.After != nil && !t.flat {
		var old oldImage
		return t.appendEnvelope(dst, ev, &old)
	}
	return t.appendEnvelope(dst, ev, nil)
}

// appendEnvelope takes an oldImage where the event has both images.
func (t *Table) appendEnvelope(dst []byte, ev *change.Event, old *oldImage) ([]byte, error) {
	start := len(dst)
	dst = append(dst, t.valueOpen...)
	p := t.programs.of(ev)
	for i := range p.steps {
		s := &p.steps[i]
		var err error
		dst, err = t.appendPart(append(dst, s.literal...), ev, s.emit, old)
		if err != nil {
			return dst[:start], err
		}
	}
	return append(append(dst, p.tail...), t.valueClose...), nil
}

// oldImage is where the fields of an update's old image lie in the record. Most columns of a row do not change, and what is equal is
// rendered equal: the new image takes those bytes over.
type oldImage struct {
	begin, fields int
	// ends is where each field ends; the next one begins there with its comma and name. Fields beyond are rendered twice.
	ends [64]int
}

func (t *Table) appendBefore(dst []byte, ev *change.Event, old *oldImage) ([]byte, error) {
	if old == nil {
		return t.appendImage(dst, ev, ev.Before)
	}
	if err := t.check(ev, ev.Before); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	old.begin, old.fields = len(dst), min(len(t.row), len(old.ends))
	var err error
	for i := range t.row {
		f := &t.row[i]
		if dst, err = f.append(dst, &ev.Before[f.index]); err != nil {
			return dst, t.fault(f, err)
		}
		if i < old.fields {
			old.ends[i] = len(dst)
		}
	}
	return append(dst, '}'), nil
}

func (t *Table) appendAfter(dst []byte, ev *change.Event, old *oldImage) ([]byte, error) {
	if old == nil || old.fields == 0 {
		return t.appendImage(dst, ev, ev.After)
	}
	if err := t.check(ev, ev.After); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	var err error
	for i := 0; i < len(t.row); {
		same := i
		for same < old.fields {
			if at := t.row[same].index; !value.Same(&ev.Before[at], &ev.After[at]) {
				break
			}
			same++
		}
		if same == i {
			f := &t.row[i]
			if dst, err = f.append(dst, &ev.After[f.index]); err != nil {
				return dst, t.fault(f, err)
			}
			i++
			continue
		}
		from := old.begin
		if i > 0 {
			from = old.ends[i-1]
		}
		dst = append(dst, dst[from:old.ends[same-1]]...)
		i = same
	}
	return append(dst, '}'), nil
}

func (t *Table) appendImage(dst []byte, ev *change.Event, image []value.Value) ([]byte, error) {
	if image == nil {
		return append(dst, "null"...), nil
	}
	dst, err := t.appendMembers(append(dst, '{'), ev, image)
	if err != nil {
		return dst, err
	}
	return append(dst, '}'), nil
}

func (t *Table) appendMembers(dst []byte, ev *change.Event, image []value.Value) ([]byte, error) {
	if err := t.check(ev, image); err != nil {
		return dst, err
	}
	var err error
	for i := range t.row {
		f := &t.row[i]
		if dst, err = f.append(dst, &image[f.index]); err != nil {
			return dst, t.fault(f, err)
		}
	}
	return dst, nil
}

// check: a row renders with the version it was decoded with, never with another (R95).
func (t *Table) check(ev *change.Event, image []value.Value) error {
	if ev.Version == nil || ev.Version.Number != t.version.Number || len(image) != len(t.version.Columns) {
		return stop.New(stop.Undecodable, t.object, "a row of another schema version reached version %d", t.version.Number)
	}
	return nil
}
