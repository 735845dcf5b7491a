package logminer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// The columns of a row, in the order of scan. Few: every column costs the driver 2.6 allocations (reference tns-server
// 14.1), and the view builds some only when they are selected (reference logminer B.1).
const columns = `scn, thread#, rs_id, ssn, operation_code, rollback, status, csf, info,
       xidusn, xidslt, xidsqn, src_con_id, data_obj#, data_objv#, seg_owner, table_name, row_id,
       username, timestamp, session#, serial#, sql_redo`

// zeroAddress is RS_ID of rows without an address, as recorded with a blank on each side (reference logminer B.3).
const zeroAddress = " 0x000000.00000000.0000 "

// maxSequence is the greatest log sequence up to which the text order of RS_ID is the order of the redo.
const maxSequence = 1<<24 - 1

// query makes the statement and binds of a step: rows at or below the bound that lie outside the region, per thread by
// address OR by SCN (R3). Threads that the region does not know are read whole, THREAD# 0 among them (R29); rows without
// an address have a branch without lower bound (R13), and a gap reported by LogMiner passes every predicate (R10).
//
// There is no ORDER BY: sorting would buffer the whole range and destroy the order inside transactions.
func query(f *Filter, region position.Boundary, bound position.SCN) (oracle.Statement, []any, error) {
	args := []any{uint64(bound)}
	bind := func(value any) string {
		args = append(args, value)
		return ":" + strconv.Itoa(len(args))
	}
	var cursor, known []string
	for _, m := range region.Marks {
		if m.Address.Sequence > maxSequence {
			return oracle.Statement{}, nil, fmt.Errorf("thread %d: the text order of addresses ends at log sequence %d", m.Thread, maxSequence)
		}
		thread := strconv.Itoa(m.Thread)
		known = append(known, thread)
		cursor = append(cursor, fmt.Sprintf("(thread# = %s AND (rs_id > %s OR scn > %s))", thread, bind(rsID(m.Address)), bind(uint64(region.SCN))))
	}
	text := "SELECT " + columns + "\n  FROM v$logmnr_contents\n WHERE operation_code = " + strconv.Itoa(int(MissingSCN)) + " OR (scn <= :1"
	if len(known) > 0 {
		cursor = append(cursor, "thread# NOT IN ("+strings.Join(known, ", ")+")", "rs_id = "+literal(zeroAddress))
		text += "\n   AND (" + strings.Join(cursor, "\n     OR ") + ")"
	}
	text += "\n   AND (" + f.text + "))"
	return oracle.Statement{Name: "read V$LOGMNR_CONTENTS", Text: text}, args, nil
}

// rsID writes an address as RS_ID has it.
func rsID(a position.RBA) string { return string(append(a.AppendRSID([]byte{' '}), ' ')) }

// parseAddress reads RS_ID, which must have the fixed form that the predicate compares with (R5): lower-case digits, a
// blank on each side. NULL is no address.
func parseAddress(text string) (position.RBA, error) {
	if text == "" {
		return position.RBA{}, nil
	}
	if len(text) != len(zeroAddress) || text[:3] != zeroAddress[:3] || text[9] != '.' || text[18] != '.' || text[23] != ' ' {
		return position.RBA{}, formError(text)
	}
	sequence, ok1 := hex(text[3:9])
	block, ok2 := hex(text[10:18])
	offset, ok3 := hex(text[19:23])
	if !ok1 || !ok2 || !ok3 {
		return position.RBA{}, formError(text)
	}
	return position.RBA{Sequence: sequence, Block: block, Byte: uint16(offset)}, nil //nolint:gosec // four digits
}

func formError(text string) error {
	return fmt.Errorf("redo address %q is not in the form %q", text, zeroAddress)
}

// hex reads at most eight lower-case digits.
func hex(digits string) (v uint32, ok bool) {
	wrong := uint8(0)
	for i := range len(digits) {
		d := nibbles[digits[i]]
		wrong |= d
		v = v<<4 | uint32(d&15)
	}
	return v, wrong <= 15
}

// nibbles gives the value of a digit; that of any other byte is above 15.
var nibbles = func() (out [256]uint8) {
	for i := range out {
		out[i] = 1 << 4
	}
	for i, d := range []byte("0123456789abcdef") {
		out[d] = uint8(i) //nolint:gosec // below 16
	}
	return out
}()
