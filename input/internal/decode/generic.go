package decode

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/sqlredo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// maxGenericColumns is the longest row that lies in one piece (R44).
const maxGenericColumns = 255

// GenericDecoder decodes rows that are older than a DDL on their table: LogMiner numbers their columns and shows Oracle's own bytes
// (R41). It belongs to one goroutine; the zero GenericDecoder is ready.
//
// What it returns is what Row returns for the same row before the DDL, or Untrusted: never a guess. It judges the row and its version
// alone (R44 d to i). That the version is the one the row was written with is the caller's to know (R44 a to c).
type GenericDecoder struct {
	statement sqlredo.Statement
	bytes     bytesReader
	// hex holds the bytes of one value, pending the values whose text is still to be cut out of bytes.text.
	hex     []byte
	pending []pendingText
}

// pendingText is where the text of a value lies.
type pendingText struct {
	into *value.Value
	from int
}

// Row decodes a row of STATUS 2. It is false for a statement with real names, which has nothing to do with DDL (R41): nothing is decoded then, and
// the row is Decoder's. The table's name in the text counts for nothing, it is today's; the caller knows the table by the row's object id (R101).
func (d *GenericDecoder) Row(v *schema.Version, s *Settings, op change.Op, sql string) (img Image, generic bool, err error) {
	if err := d.statement.Parse(sql); err != nil {
		return Image{}, true, &Error{Fault: Damaged, Reason: "statement cannot be read", Err: err}
	}
	named, numbered := d.names()
	switch {
	case numbered == 0:
		return Image{}, false, nil
	case named > 0:
		return Image{}, true, mixed()
	case d.statement.Kind != statementOf(op):
		return Image{}, true, &Error{Fault: Damaged, Reason: "statement does not do what the row's operation says"}
	}
	if err := decodable(v); err != nil {
		return Image{}, true, err
	}
	d.bytes.settings, d.bytes.text, d.pending = s, d.bytes.text[:0], d.pending[:0]
	if img, err = d.images(v); err != nil {
		return Image{}, true, err
	}
	d.settle()
	for i := range img.After {
		if img.Before != nil && img.After[i].Kind() == value.Absent {
			img.After[i] = img.Before[i]
		}
	}
	conceal(img.Before, v)
	conceal(img.After, v)
	img.RowID, img.TextBytes = strings.Clone(d.statement.RowID), textBytes(img.Before)+textBytes(img.After)
	return img, true, nil
}

// names counts the real names and the generic ones of the statement.
func (d *GenericDecoder) names() (named, numbered int) {
	for _, list := range [...][]sqlredo.Assignment{d.statement.Columns, d.statement.Where} {
		for i := range list {
			if isGeneric(list[i].Name) {
				numbered++
			} else {
				named++
			}
		}
	}
	return named, numbered
}

// decodable says what about a version forbids to decode rows by position (R44 e, i).
func decodable(v *schema.Version) error {
	stored := 0
	for i := range v.Columns {
		c := &v.Columns[i]
		if isGeneric(c.Name) {
			return &Error{Fault: Untrusted, Column: c.Name, Reason: "the table has a column whose own name looks like a generic one"}
		}
		if c.SegmentID == 0 {
			continue
		}
		if c.Encrypted {
			return &Error{Fault: Untrusted, Column: c.Name, Reason: "the column is encrypted, and so are its bytes"}
		}
		if stored++; !c.Type.Captured() {
			return &Error{Fault: Untrusted, Column: c.Name, Type: c.Type.String(), Reason: "rows of tables with columns of this type cannot be decoded by position"}
		}
	}
	if stored > maxGenericColumns {
		return &Error{Fault: Untrusted, Reason: "rows of tables with more than 255 columns cannot be decoded by position"}
	}
	return nil
}

func (d *GenericDecoder) images(v *schema.Version) (Image, error) {
	n := len(v.Columns)
	s := &d.statement
	if s.Kind == sqlredo.Insert {
		img := Image{After: make([]value.Value, n)}
		last, err := d.fill(img.After, v, s.Columns)
		if err == nil {
			err = inserted(img.After, v, last)
		}
		return img, err
	}
	if s.Kind == sqlredo.Delete {
		img := Image{Before: make([]value.Value, n)}
		return img, d.old(img.Before, v)
	}
	both := make([]value.Value, 2*n)
	img := Image{Before: both[:n:n], After: both[n:]}
	if _, err := d.fill(img.After, v, s.Columns); err != nil {
		return img, err
	}
	if at := nullIn(img.After, v); at >= 0 {
		return img, untrusted(&v.Columns[at], notNullable)
	}
	return img, d.old(img.Before, v)
}

// fill reads a list of columns into an image, and gives the highest segment number in it.
func (d *GenericDecoder) fill(image []value.Value, v *schema.Version, list []sqlredo.Assignment) (last int, err error) {
	next := 0
	for i := range list {
		a := &list[i]
		segment, ok := segmentNumber(a.Name)
		at := -1
		if ok {
			at = bySegment(v, segment, next)
		}
		if at < 0 {
			return last, &Error{Fault: Untrusted, Column: a.Name, Reason: "the table's layout as known at the row's SCN does not have it"}
		}
		next, last = at+1, max(last, segment)
		if image[at].Kind() != value.Absent {
			return last, &Error{Fault: Damaged, Column: a.Name, Reason: "column is named twice"}
		}
		if why := d.value(&image[at], &v.Columns[at], &a.Value); why != "" {
			return last, untrusted(&v.Columns[at], why)
		}
	}
	return last, nil
}

// segmentNumber reads the number of a generic name.
func segmentNumber(name string) (int, bool) {
	digits := strings.TrimPrefix(name, "COL ")
	if digits[0] == '0' || len(digits) > 4 {
		return 0, false
	}
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n, true
}

// bySegment finds the stored column of a number, -1 without one. Statements list columns in segment order (reference logminer D.1), so
// the next one is tried first.
func bySegment(v *schema.Version, segment, next int) int {
	for i := next; i < len(v.Columns); i++ {
		if v.Columns[i].SegmentID == segment {
			return i
		}
	}
	for i := range min(next, len(v.Columns)) {
		if v.Columns[i].SegmentID == segment {
			return i
		}
	}
	return -1
}

// value reads what stands behind a generic name. The value of an excluded column is not looked at.
func (d *GenericDecoder) value(into *value.Value, c *schema.Column, l *sqlredo.Literal) reason {
	if l.Form == sqlredo.Null && !l.JSON {
		*into = value.OfNull()
		return ""
	}
	if l.Form != sqlredo.Function || l.Name != sqlredo.HexToRaw || len(l.More) > 0 || l.JSON || l.Text.Raw == "" {
		return notHex
	}
	if c.Excluded {
		*into = value.OfUnavailable()
		return ""
	}
	if !d.unhex(l.Text.Raw) {
		return notHex
	}
	from := len(d.bytes.text)
	val, why := d.bytes.read(&c.Type, d.hex)
	if why != "" {
		return why
	}
	*into = val
	if len(d.bytes.text) > from {
		d.pending = append(d.pending, pendingText{into: into, from: from})
	}
	return ""
}

func (d *GenericDecoder) unhex(hex string) bool {
	d.hex = d.hex[:0]
	if len(hex)%2 != 0 {
		return false
	}
	for i := 0; i < len(hex); i += 2 {
		high, ok1 := hexDigit(hex[i])
		low, ok2 := hexDigit(hex[i+1])
		if !ok1 || !ok2 {
			return false
		}
		d.hex = append(d.hex, high<<4|low)
	}
	return true
}

// settle gives every value its text, all cut out of one.
func (d *GenericDecoder) settle() {
	own := string(d.bytes.text)
	for i := len(d.pending) - 1; i >= 0; i-- {
		p := &d.pending[i]
		text := own[p.from:]
		own = own[:p.from]
		switch p.into.Kind() {
		case value.Decimal:
			*p.into = value.OfDecimal(text)
		case value.Bytes:
			*p.into = value.OfBytes(text)
		default:
			*p.into = value.OfText(text)
		}
	}
	d.pending, d.bytes.text = d.pending[:0], d.bytes.text[:0]
}

// inserted completes the image of an INSERT: what is missing behind the last column is NULL (R46), and NULL where the version has none
// shows that it is another's (R47).
func inserted(image []value.Value, v *schema.Version, last int) error {
	if err := complete(image, v, last); err != nil {
		return err
	}
	for i := range image {
		if image[i].Kind() == value.Absent && v.Columns[i].SegmentID != 0 {
			image[i] = value.OfNull()
		}
	}
	if at := nullIn(image, v); at >= 0 {
		return untrusted(&v.Columns[at], notNullable)
	}
	return nil
}

// nullIn finds a NULL where the version has none.
func nullIn(image []value.Value, v *schema.Version) int {
	for i := range image {
		if c := &v.Columns[i]; image[i].Kind() == value.Null && !c.Nullable && !c.Unused && !c.Guard {
			return i
		}
	}
	return -1
}

// old reads the WHERE clause of an UPDATE or DELETE. With logging of all columns it names all of the version's, but those that the row's
// piece ends before (R44 g, R46); NULL and what is missing is NULL only where no default can stand in its place (R109).
func (d *GenericDecoder) old(image []value.Value, v *schema.Version) error {
	last, err := d.fill(image, v, d.statement.Where)
	if err != nil {
		return err
	}
	whole := v.Logging == schema.LoggingAll
	if whole {
		if last == 0 {
			return &Error{Fault: Untrusted, Reason: "the old row names no column, although all are logged"}
		}
		if err := complete(image, v, last); err != nil {
			return err
		}
	}
	guarded := hasGuard(v)
	for i := range image {
		c := &v.Columns[i]
		if image[i].Kind() == value.Null || whole && image[i].Kind() == value.Absent && c.SegmentID != 0 {
			image[i] = value.OfNull()
			if mayHoldDefault(c, guarded) {
				image[i] = value.OfUnavailable()
			}
		}
	}
	for _, at := range v.Key.Columns {
		if image[at].Kind() == value.Unavailable {
			return untrusted(&v.Columns[at], notNullable)
		}
	}
	return nil
}

// complete refuses an image that lacks a column before its last one.
func complete(image []value.Value, v *schema.Version, last int) error {
	for i := range image {
		c := &v.Columns[i]
		if c.SegmentID != 0 && c.SegmentID < last && image[i].Kind() == value.Absent {
			return &Error{Fault: Untrusted, Column: c.Name, Reason: "the row lacks it and has columns behind it"}
		}
	}
	return nil
}

// conceal makes of an image what rows with real names show: no unused columns, and of excluded ones that they are there.
func conceal(image []value.Value, v *schema.Version) {
	for i := range image {
		switch c := &v.Columns[i]; {
		case c.Unused:
			image[i] = value.Value{}
		case c.Excluded && image[i].Kind() != value.Absent:
			image[i] = value.OfUnavailable()
		}
	}
}

func untrusted(c *schema.Column, why reason) *Error {
	return &Error{Fault: Untrusted, Column: c.Name, Type: c.Type.String(), Reason: string(why)}
}

func mixed() *Error {
	return &Error{Fault: Damaged, Reason: "generic and real column names in one statement"} // R41
}
