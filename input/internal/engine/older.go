package engine

import (
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/charset"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// notValid is STATUS of a row whose SQL is not valid by itself.
const notValid = 2

// older decodes rows that are older than a DDL on their table, whose columns LogMiner numbers (R41): with the layout of their moment,
// where that is certain (R44).
type older struct {
	decoder decode.GenericDecoder
	// except are tables whose rows are never decoded so; nil: none.
	except *naming.Selection
	// storage says how the containers store values.
	storage map[int]decode.Settings
	// seen has the layouts of rows with names by what the redo says of their object's version, forgotten the number below which a segment's
	// are not kept: rows with them were applied.
	seen      map[objectVersion]seenAs
	forgotten map[object]int64
	last      lastSeen
	// before has what seen had before the running step, of what that changed.
	before map[objectVersion]*seenAs
	// digests are the layouts of versions, places what their columns are by number.
	digests, places map[*schema.Version]string
	// pending are DDL that were mined and whose transactions have not ended, before the running step and in it.
	pending []ddlRow
	// decoded are the rows of the running step by version, told the versions whose first one was logged.
	decoded map[*schema.Version]decodedRows
	told    map[schema.Table]int

	// answer is that of the running step.
	answer *answer
	// unread are the transactions with a row in the running step that the first answer could not read, by the first one.
	unread map[transaction.ID]unread
	// waiting has the SCN of the first row of transactions of the running step that waits for a version to be certain.
	waiting map[waiter]position.SCN
	// named has the version of rows that had names with today's dictionary.
	named     map[objectVersion]*schema.Version
	lastNamed lastSeen
	// nameless are the segments of the running step that were found by the names of their tables, misplaced a row with the name of a captured
	// table that none of them explains.
	nameless  map[object]eras
	misplaced *stop.Error
}

// decodedRows are n rows, the last of which that no DATA_OBJV# vouches for has the SCN last.
type decodedRows struct {
	n    int64
	last position.SCN
}

func newOlder(except *naming.Selection) *older {
	return &older{
		except: except, storage: map[int]decode.Settings{}, seen: map[objectVersion]seenAs{}, forgotten: map[object]int64{}, before: map[objectVersion]*seenAs{},
		digests: map[*schema.Version]string{}, places: map[*schema.Version]string{},
		decoded: map[*schema.Version]decodedRows{}, told: map[schema.Table]int{},
		answer: &answer{}, waiting: map[waiter]position.SCN{}, unread: map[transaction.ID]unread{}, nameless: map[object]eras{}, named: map[objectVersion]*schema.Version{},
	}
}

// stores takes how containers store values.
func (o *older) stores(storage map[int]oracle.Storage) {
	for container, s := range storage {
		var is decode.Settings
		is.Text, _ = charset.Named(s.CharacterSet)
		is.National, _ = charset.Named(s.National)
		is.Zone, is.ZoneFixed = fixedOffset(s.TimeZone)
		o.storage[container] = is
	}
}

// fixedOffset reads a DBTIMEZONE that is an offset: +02:00.
func fixedOffset(zone string) (minutes int16, fixed bool) {
	if len(zone) != len("+00:00") || zone[0] != '+' && zone[0] != '-' || zone[3] != ':' {
		return 0, false
	}
	h, err1 := strconv.ParseUint(zone[1:3], 10, 8)
	m, err2 := strconv.ParseUint(zone[4:], 10, 8)
	if err1 != nil || err2 != nil || h > 15 || m > 59 {
		return 0, false
	}
	minutes = int16(h*60 + m) //nolint:gosec // below a day
	if strings.HasPrefix(zone, "-") {
		minutes = -minutes
	}
	return minutes, true
}

// begin prepares for a step, or for the same again. pending are the DDL that wait for the end of their transactions.
func (o *older) begin(pending []ddlRow) {
	o.pending = append(o.pending[:0], pending...)
	clear(o.decoded)
	clear(o.unread)
	clear(o.waiting)
	clear(o.nameless)
	o.misplaced = nil
}

// doubt says why a row's layout is not certain (R44 a to c); empty: it is. vouched: the redo itself names the layout.
func (o *older) doubt(l layout, r *logminer.Row) (why string, vouched bool) {
	v := l.version
	if o.except != nil && o.except.Captured(v.Table) {
		return "raw_decode.except names its table", false
	}
	if v.CertainFrom == 0 || uint64(r.SCN) < v.CertainFrom {
		return "the layout that the table had then is not certain: a DDL may lie between the row and the reading of the dictionary", false
	}
	of := objectVersion{object{r.Container, r.ObjectID}, r.ObjectVersion}
	as, seen := o.seen[of]
	if seen && as.places != o.numbers(v) || !seen && of.version > 0 && of.version < o.forgotten[of.object] {
		return "the redo calls its layout by a number that another one had", false
	}
	vouched = seen && as.layout == o.layout(v)
	if !vouched && (l.next != nil || o.underWay(v, r.SCN)) {
		return "a DDL on its table was under way", false
	}
	return "", vouched
}

// underWay reports whether a DDL on a table had been run at an SCN and was not committed.
func (o *older) underWay(v *schema.Version, scn position.SCN) bool {
	for i := range o.pending {
		if d := &o.pending[i]; d.scn <= scn && d.about(v) {
			return true
		}
	}
	return false
}

// about reports whether a DDL is on a version's table and may change its layout.
func (d *ddlRow) about(v *schema.Version) bool {
	if d.what.Keeps() && !d.what.Creates() {
		return false
	}
	if d.named(func(t schema.Table) bool { return t == v.Table }) {
		return true
	}
	for _, id := range v.ObjectIDs {
		if d.object == (object{v.Container, id}) {
			return true
		}
	}
	return false
}

// overtaken reports whether a row was decoded of which only the step as a whole shows that a DDL on its table was under way: redo
// threads are not read in the order of SCNs.
func (o *older) overtaken(undecided []ddlRow) bool {
	for i := range undecided {
		d := &undecided[i]
		for v, rows := range o.decoded {
			if d.scn <= rows.last && d.about(v) {
				return true
			}
		}
	}
	return false
}

// count takes a decoded row.
func (o *older) count(v *schema.Version, scn position.SCN, vouched bool) {
	rows := o.decoded[v]
	if rows.n++; !vouched {
		rows.last = max(rows.last, scn)
	}
	o.decoded[v] = rows
}

// verified gives how many rows of the step were decoded so, and the versions of which that were the first (R48).
func (o *older) verified() (n int64, first []*schema.Version) {
	clear(o.before)
	for v, rows := range o.decoded {
		n += rows.n
		if o.told[v.Table] != v.Number {
			o.told[v.Table] = v.Number
			first = append(first, v)
		}
	}
	return n, first
}

// numbered decodes a row whose columns LogMiner numbers, and says what forbids to publish it. It is false for a row with names.
func (a *applier) numbered(c *transaction.Change, l layout, id transaction.ID, r *logminer.Row) bool {
	if a.older.answer.second || r.Status != notValid || c.Op == transaction.Unsupported || r.Redo == "" {
		return false
	}
	settings := a.older.storage[r.Container]
	image, generic, err := a.older.decoder.Row(c.Version, &settings, letter(c.Op), r.Redo)
	switch {
	case !generic:
		return false
	case r.Replaced:
		return true // the first reading had names
	}
	fault := func(code stop.Code, err error, what string) bool {
		c.Fault = stop.Wrap(code, err, "table "+c.Version.Table.String()+", transaction "+id.XID.String()+", "+describe(r), "%s", what)
		return true
	}
	const before = "the row was written before a DDL on its table"
	doubt, vouched := a.older.doubt(l, r)
	if doubt != "" {
		a.older.wait(id, c.Version, r)
		return fault(stop.NoDictionary, nil, before+", and "+doubt)
	}
	if err != nil {
		return fault(decode.Code(err), a.quoting(c.Version.Table, err, r), before+", and cannot be decoded without the dictionary of its time")
	}
	c.Before, c.After, c.TextBytes = image.Before, image.After, image.TextBytes
	if c.RowID == "" {
		c.RowID = image.RowID
	}
	if column := a.incomplete(c); column != "" {
		return fault(stop.NoDictionary, nil, before+", and lacks column "+column)
	}
	a.older.count(c.Version, r.SCN, vouched)
	return true
}
