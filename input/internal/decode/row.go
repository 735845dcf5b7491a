package decode

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/sqlredo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Decoder decodes rows one after another. The zero Decoder is ready; it belongs to one goroutine.
type Decoder struct {
	statement sqlredo.Statement
	// excluded: the statement names a column that is never read.
	excluded bool
}

// Image is what a row says about the table's row, by index of Version.Columns. Text values share the memory of the row's
// SQL_REDO, unless that holds an excluded column: then they have their own, so that its value goes with the text. An excluded
// column that the statement names is Unavailable.
type Image struct {
	// Before is the WHERE clause of an UPDATE or DELETE, nil for an INSERT. What in it may be a default that the row does not store is
	// Unavailable (R109).
	Before []value.Value
	// After is what an INSERT gives, or for an UPDATE the before image overlaid with the SET list; nil for a DELETE.
	After []value.Value
	// RowID is the ROWID of the WHERE clause, empty without one. It goes to the row's metadata and is no column (C020).
	RowID string
	// TextBytes is the size of the text that the values keep alive.
	TextBytes int
}

// Row decodes a statement, whole and with its chunks joined, by the version valid at the row's SCN. op is the row's
// operation: Create, Update or Delete.
func (d *Decoder) Row(v *schema.Version, op change.Op, sql string) (Image, error) {
	if err := d.statement.Parse(sql); err != nil {
		return Image{}, &Error{Fault: Damaged, Reason: "statement cannot be read", Err: err}
	}
	if err := d.check(v, op); err != nil {
		return Image{}, err
	}
	d.excluded = false
	img, err := d.images(v)
	if err != nil {
		return Image{}, err
	}
	img.RowID, img.TextBytes = d.statement.RowID, len(sql)
	if d.excluded {
		img.RowID, img.TextBytes = strings.Clone(img.RowID), textBytes(img.Before)+textBytes(img.After)
	}
	return img, nil
}

// images decodes both lists of the statement.
func (d *Decoder) images(v *schema.Version) (Image, error) {
	n := len(v.Columns)
	s := &d.statement
	if s.Kind == sqlredo.Insert {
		img := Image{After: make([]value.Value, n)}
		err := d.fill(img.After, v, s.Columns)
		d.detach(img.After)
		return img, err
	}
	if s.Kind == sqlredo.Delete {
		img := Image{Before: make([]value.Value, n)}
		err := d.fill(img.Before, v, s.Where)
		undefault(img.Before, v)
		d.detach(img.Before)
		return img, err
	}
	both := make([]value.Value, 2*n)
	img := Image{Before: both[:n:n], After: both[n:]}
	if err := d.fill(img.After, v, s.Columns); err != nil {
		return img, err
	}
	if err := d.fill(img.Before, v, s.Where); err != nil {
		return img, err
	}
	undefault(img.Before, v)
	d.detach(both)
	for i := range img.After {
		if img.After[i].Kind() == value.Absent {
			img.After[i] = img.Before[i]
		}
	}
	return img, nil
}

// detach lets go of a statement that holds an excluded column.
func (d *Decoder) detach(values []value.Value) {
	if d.excluded {
		value.Detach(values)
	}
}

func textBytes(values []value.Value) int {
	n := 0
	for i := range values {
		n += values[i].Size()
	}
	return n
}

// check compares what the row and the version say with the statement.
func (d *Decoder) check(v *schema.Version, op change.Op) error {
	s := &d.statement
	if s.Kind != statementOf(op) {
		return &Error{Fault: Damaged, Reason: "statement does not do what the row's operation says"}
	}
	if s.Owner == v.Table.Owner && s.Table == v.Table.Name {
		return nil
	}
	if strings.HasPrefix(s.Table, "OBJ# ") || strings.HasPrefix(s.Table, "BIN$") {
		return &Error{Fault: Generic, Reason: "the table has a generic name; LogMiner's dictionary does not know it"}
	}
	return &Error{Fault: Mismatch, Reason: "statement is about " + schema.Table{Owner: s.Owner, Name: s.Table}.String() + ", not the row's table"}
}

// statementOf gives the statement that an operation comes as, none for operations that are no row's.
func statementOf(op change.Op) sqlredo.Kind {
	switch op {
	case change.Create:
		return sqlredo.Insert
	case change.Update:
		return sqlredo.Update
	case change.Delete:
		return sqlredo.Delete
	default:
		return 0
	}
}

// fill decodes a list of columns into an image.
func (d *Decoder) fill(image []value.Value, v *schema.Version, list []sqlredo.Assignment) error {
	next := 0
	for i := range list {
		a := &list[i]
		at, ok := locate(v, a.Name, next)
		if !ok {
			return d.unknown(a.Name)
		}
		next = at + 1
		column := &v.Columns[at]
		if image[at].Kind() != value.Absent {
			// A quote that was not doubled can make a value's end look like another column (reference logminer D.5).
			return &Error{Fault: Damaged, Column: column.Name, Reason: "column is named twice"}
		}
		if column.Excluded {
			// Its value is dropped before anything looks at it; the mark shows a second one.
			image[at], d.excluded = value.OfUnavailable(), true
			continue
		}
		val, why := decodeValue(column.Type.Kind, &a.Value)
		if why != "" {
			return valueError(column, why)
		}
		image[at] = val
	}
	return nil
}

// locate finds a column. Statements list columns in segment order (reference logminer D.1), so the next one is tried first.
func locate(v *schema.Version, name string, next int) (int, bool) {
	if next < len(v.Columns) && v.Columns[next].Name == name {
		return next, true
	}
	return v.Column(name)
}

func valueError(c *schema.Column, why reason) *Error {
	e := &Error{Fault: BadValue, Column: c.Name, Type: c.Type.String(), Reason: string(why)}
	if why == notCaptured {
		e.Fault = UnsupportedColumn
	}
	return e
}

// unknown says what a name that the version lacks means.
func (d *Decoder) unknown(name string) *Error {
	if !isGeneric(name) {
		return &Error{Fault: Mismatch, Column: name, Reason: "the table's layout as known does not have it"}
	}
	for _, list := range [...][]sqlredo.Assignment{d.statement.Columns, d.statement.Where} {
		for i := range list {
			if !isGeneric(list[i].Name) {
				return mixed()
			}
		}
	}
	return &Error{Fault: Generic, Reason: "generic column names; LogMiner's dictionary is newer or older than the row"}
}

// isGeneric knows `COL n` (reference logminer D.4).
func isGeneric(name string) bool {
	digits, ok := strings.CutPrefix(name, "COL ")
	if !ok || digits == "" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}
