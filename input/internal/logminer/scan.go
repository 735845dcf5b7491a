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

// number is one column of a row that must be a whole number.
type number struct {
	name string
	text column
	bits int
	into *uint64
}

// row makes a row of what was scanned. Thread and address come first, so that errors can name the place.
func (s *scanner) row(r *raw) error {
	t := &s.text
	var scn, thread, ssn, code, undo, status, csf, usn, slot, sequence, container, id, version, session, serial uint64
	numbers := [...]number{
		{"SCN", t[0], 64, &scn},
		{"THREAD#", t[1], 31, &thread},
		{"SSN", t[3], 63, &ssn},
		{"OPERATION_CODE", t[4], 31, &code},
		{"ROLLBACK", t[5], 31, &undo},
		{"STATUS", t[6], 31, &status},
		{"CSF", t[7], 31, &csf},
		{"XIDUSN", t[9], 16, &usn},
		{"XIDSLT", t[10], 16, &slot},
		{"XIDSQN", t[11], 32, &sequence},
		{"SRC_CON_ID", t[12], 31, &container},
		{"DATA_OBJ#", t[13], 64, &id},
		{"DATA_OBJV#", t[14], 63, &version},
		{"SESSION#", t[19], 31, &session},
		{"SERIAL#", t[20], 31, &serial},
	}
	for i := range numbers {
		n := &numbers[i]
		if n.text == "" {
			continue
		}
		v, err := strconv.ParseUint(string(n.text), 10, n.bits)
		if err != nil {
			return fmt.Errorf("column %s at address %s: %w", n.name, t[2], err)
		}
		*n.into = v
	}
	address, err := parseAddress(string(t[2]))
	if err != nil {
		return err
	}
	*r = raw{more: csf != 0, Row: Row{
		SCN: position.SCN(scn), Thread: int(thread), Address: address, SSN: int64(ssn), //nolint:gosec // sized above
		Operation: Operation(code), Undo: undo != 0, Status: int(status), Info: s.names.intern(t[8]), //nolint:gosec // sized above
		XID:       position.XID{USN: uint16(usn), Slot: uint16(slot), Sequence: uint32(sequence)}, //nolint:gosec // sized above
		Container: int(container), ObjectID: id, ObjectVersion: int64(version),                    //nolint:gosec // sized above
		Owner: s.names.intern(t[15]), Table: s.names.intern(t[16]), RowID: string(t[17]), User: s.names.intern(t[18]),
		UnixSeconds: int64(s.clock), Session: int(session), Serial: int(serial), Redo: string(t[21]), //nolint:gosec // sized above
	}}
	if r.RowID == placeholderRowID {
		r.RowID = ""
	}
	if r.User == "UNKNOWN" {
		r.User = ""
	}
	return nil
}

// names keeps one copy of texts that repeat, so that rows which stay in memory do not keep one each.
type names map[string]string

// maxNames bounds the memory of names; beyond it they begin anew.
const maxNames = 4096

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
