package logminer

import (
	"fmt"
	"strconv"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// scanner reads one row of the query into a raw row. Its destinations are made once, so that scanning allocates nothing
// of its own.
type scanner struct {
	text  [22]column
	clock clock
	dest  []any
	names names
	// info, owner, table and user are the last texts of their columns: most rows repeat them.
	info, owner, table, user string
}

// column receives a NUMBER or text as the driver gives it; NULL is empty.
type column string

// Scan implements sql.Scanner.
func (c *column) Scan(src any) error {
	switch v := src.(type) {
	case string:
		*c = column(v)
	case nil:
		*c = ""
	case int64:
		*c = column(strconv.FormatInt(v, 10))
	default:
		return fmt.Errorf("a column of type %T", src)
	}
	return nil
}

// clock receives a DATE as wall clock (R136).
type clock int64

// Scan implements sql.Scanner.
func (c *clock) Scan(src any) error {
	switch v := src.(type) {
	case time.Time:
		// The driver has placed the wall clock in UTC (SERVER LOCATION).
		*c = clock(v.Unix())
	case nil:
		*c = 0
	default:
		return fmt.Errorf("a date of type %T", src)
	}
	return nil
}

// raw is a row before its chunks are joined.
type raw struct {
	Row
	more bool // CSF: the statement goes on in the next row
}

func newScanner() *scanner {
	s := &scanner{names: names{}}
	for i := range s.text {
		if i == 19 {
			s.dest = append(s.dest, &s.clock)
		}
		s.dest = append(s.dest, &s.text[i])
	}
	return s
}

// numbers reads columns that must be whole numbers and keeps the first that is not.
type numbers struct {
	column string
	text   column
	bits   int
}

// read gives an unsigned number of so many bits; NULL is 0.
func (n *numbers) read(name string, text column, bits int) uint64 {
	v := uint64(0)
	for i := range len(text) {
		digit := uint64(text[i]) - '0'
		// 10*v must not wrap round, nor the sum.
		if digit > 9 || v > (1<<64-1)/10 || 10*v > 1<<64-1-digit {
			return n.fault(name, text, bits)
		}
		v = 10*v + digit
	}
	if bits < 64 && v>>bits != 0 {
		return n.fault(name, text, bits)
	}
	return v
}

func (n *numbers) fault(name string, text column, bits int) uint64 {
	if n.column == "" {
		n.column, n.text, n.bits = name, text, bits
	}
	return 0
}

func (n *numbers) err(address column) error {
	if n.column == "" {
		return nil
	}
	return fmt.Errorf("column %s at address %s is %q, not an unsigned number of %d bits", n.column, address, n.text, n.bits)
}

// row makes a row of what was scanned.
func (s *scanner) row(r *raw) error {
	t := &s.text
	address, err := parseAddress(string(t[2]))
	if err != nil {
		return err
	}
	var n numbers
	//nolint:gosec // every conversion is sized by the number of bits
	*r = raw{more: n.read("CSF", t[7], 31) != 0, Row: Row{
		SCN: position.SCN(n.read("SCN", t[0], 64)), Thread: int(n.read("THREAD#", t[1], 31)), Address: address,
		SSN: int64(n.read("SSN", t[3], 63)), Operation: Operation(n.read("OPERATION_CODE", t[4], 31)),
		Undo: n.read("ROLLBACK", t[5], 31) != 0, Status: int(n.read("STATUS", t[6], 31)), Info: s.names.again(&s.info, t[8]),
		XID: position.XID{
			USN: uint16(n.read("XIDUSN", t[9], 16)), Slot: uint16(n.read("XIDSLT", t[10], 16)), Sequence: uint32(n.read("XIDSQN", t[11], 32)),
		},
		Container: int(n.read("SRC_CON_ID", t[12], 31)), ObjectID: n.read("DATA_OBJ#", t[13], 64),
		ObjectVersion: int64(n.read("DATA_OBJV#", t[14], 63)), Owner: s.names.again(&s.owner, t[15]), Table: s.names.again(&s.table, t[16]),
		RowID: string(t[17]), User: s.names.again(&s.user, t[18]), UnixSeconds: int64(s.clock),
		Session: int(n.read("SESSION#", t[19], 31)), Serial: int(n.read("SERIAL#", t[20], 31)), Redo: string(t[21]),
	}}
	if r.RowID == placeholderRowID {
		r.RowID = ""
	}
	if r.User == "UNKNOWN" {
		r.User = ""
	}
	return n.err(t[2])
}

// names keeps one copy of texts that repeat, so that rows which stay in memory do not keep one each.
type names map[string]string

// maxNames bounds the memory of names; beyond it they begin anew.
const maxNames = 4096

// again is intern for a column, whose last text it keeps.
func (n names) again(last *string, c column) string {
	if string(c) != *last {
		*last = n.intern(c)
	}
	return *last
}

func (n names) intern(c column) string {
	if c == "" {
		return ""
	}
	if s, ok := n[string(c)]; ok {
		return s
	}
	if len(n) >= maxNames {
		clear(n)
	}
	n[string(c)] = string(c)
	return string(c)
}
