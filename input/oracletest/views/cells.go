package views

import (
	"encoding/binary"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Short names for the long lists of columns and cells in this package.
var (
	num  = relation.NumberColumn
	str  = relation.TextColumn
	day  = relation.DateColumn
	hex  = relation.RawColumn
	text = relation.Text
)

func integer[T ~int | ~int64 | ~uint32 | ~uint16](n T) datum.Datum { return relation.Int(int64(n)) }

func scn(n redo.SCN) datum.Datum { return relation.Uint(uint64(n)) }

var null datum.Datum

// address is the ADDR of a session, process or transaction: views are joined by it.
func address(kind byte, n int) datum.Datum {
	b := binary.BigEndian.AppendUint32(nil, uint32(kind)<<24)
	return relation.Bytes(binary.BigEndian.AppendUint32(b, uint32(n)))
}

func columns(c ...wire.Column) []wire.Column { return c }
