package replay

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// head is what tells the kinds of input objects apart.
type head struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Code scalar `json:"OPERATION_CODE"`
}

// oneCase is a case: a statement with its table, or rows with their tables. What it expects is read by the test only.
type oneCase struct {
	Kind      string        `json:"kind"`
	ID        string        `json:"id"`
	Table     *tableRecord  `json:"table"`
	Tables    []tableRecord `json:"tables"`
	Operation string        `json:"operation"`
	Status    int           `json:"status"`
	SQL       string        `json:"sql_redo"`
	Rows      []row         `json:"rows"`
}

// row is a row of V$LOGMNR_CONTENTS, or one chunk of it.
type row struct {
	SCN       scalar  `json:"SCN"`
	XID       string  `json:"XID"`
	USN       scalar  `json:"XIDUSN"`
	Slot      scalar  `json:"XIDSLT"`
	Sequence  scalar  `json:"XIDSQN"`
	Code      scalar  `json:"OPERATION_CODE"`
	Rollback  scalar  `json:"ROLLBACK"`
	Status    scalar  `json:"STATUS"`
	CSF       scalar  `json:"CSF"`
	Thread    scalar  `json:"THREAD#"`
	RSID      string  `json:"RS_ID"`
	SSN       scalar  `json:"SSN"`
	RowID     string  `json:"ROW_ID"`
	Owner     string  `json:"SEG_OWNER"`
	Table     string  `json:"TABLE_NAME"`
	SQL       *string `json:"SQL_REDO"`
	Info      string  `json:"INFO"`
	User      string  `json:"USERNAME"`
	Container scalar  `json:"SRC_CON_ID"`
	Timestamp string  `json:"TIMESTAMP"`
}

// scalar is a number of a recording, written as JSON number or text; null is no number.
type scalar string

// UnmarshalJSON reads a number in either form.
func (s *scalar) UnmarshalJSON(b []byte) error {
	text := strings.TrimSpace(strings.Trim(string(b), `"`))
	if text == "null" || text == "" {
		*s = ""
		return nil
	}
	if _, err := strconv.ParseUint(text, 10, 64); err != nil {
		return fmt.Errorf("a number of the recording is none: %w", err)
	}
	*s = scalar(text)
	return nil
}

// number gives the number, or what it is when the recording does not say.
func (s scalar) number(missing uint64) uint64 {
	if s == "" {
		return missing
	}
	n, _ := strconv.ParseUint(string(s), 10, 64)
	return n
}

// transaction gives the XID; the RAW has little-endian fields (reference logminer B.3). What a shorter RAW lacks is zero.
func (r *row) transaction() (position.XID, error) {
	if r.XID == "" && (r.USN == "" || r.Slot == "" || r.Sequence == "") {
		return position.XID{}, errors.New("neither XID nor XIDUSN, XIDSLT and XIDSQN are there")
	}
	if r.XID == "" {
		usn, slot, sequence := r.USN.number(0), r.Slot.number(0), r.Sequence.number(0)
		if usn > 1<<16-1 || slot > 1<<16-1 || sequence > 1<<32-1 {
			return position.XID{}, fmt.Errorf("transaction id %d.%d.%d is out of range", usn, slot, sequence)
		}
		return position.XID{USN: uint16(usn), Slot: uint16(slot), Sequence: uint32(sequence)}, nil
	}
	raw, err := hex.DecodeString(r.XID)
	if err != nil || len(raw) > 8 {
		return position.XID{}, fmt.Errorf("transaction id %q is no RAW(8)", r.XID)
	}
	var b [8]byte
	copy(b[:], raw)
	return position.XID{
		USN:      uint16(b[0]) | uint16(b[1])<<8,
		Slot:     uint16(b[2]) | uint16(b[3])<<8,
		Sequence: uint32(b[4]) | uint32(b[5])<<8 | uint32(b[6])<<16 | uint32(b[7])<<24,
	}, nil
}

// seconds gives the time of the row since the epoch, its text taken as UTC; 0 when the recording has none.
func (r *row) seconds() (int64, error) {
	if r.Timestamp == "" {
		return 0, nil
	}
	for _, layout := range [...]string{"2006-01-02 15:04:05", time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, r.Timestamp); err == nil {
			return t.Unix(), nil
		}
	}
	return 0, fmt.Errorf("timestamp %q is not of the form YYYY-MM-DD HH24:MI:SS", r.Timestamp)
}

// kinds without a member kind: a row has an operation, and nothing else has.
func (h *head) kind() string {
	if h.Kind == "" && h.Code != "" {
		return "row"
	}
	return h.Kind
}

// unmarshal reads an object of the input.
func unmarshal(raw json.RawMessage, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("object of the recording cannot be read: %w", err)
	}
	return nil
}
