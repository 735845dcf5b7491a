package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// rowIDFunction finds the functions of DBMS_ROWID that make extended ROWIDs and take them apart (reference logminer J).
func rowIDFunction(name string) (function, bool) {
	// part is a function of one member of a ROWID.
	part := func(of func(object, file, block, row uint32) uint32) (function, bool) {
		return function{1, 2, func(c *compiler, args []*node) (*node, error) {
			return c.pure(numberType, []*node{c.to(args[0], rowIDType)}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				object, file, block, row, ok := scalar.ParseRowID(v[0].Text)
				if !ok {
					return datum.Datum{}, errRowID()
				}
				return scalar.Int(int64(of(object, file, block, row))), nil
			}), nil
		}}, true
	}
	switch name {
	case "DBMS_ROWID.ROWID_CREATE":
		return function{5, 5, buildRowIDCreate}, true
	case "DBMS_ROWID.ROWID_OBJECT":
		return part(func(object, _, _, _ uint32) uint32 { return object })
	case "DBMS_ROWID.ROWID_RELATIVE_FNO":
		return part(func(_, file, _, _ uint32) uint32 { return file })
	case "DBMS_ROWID.ROWID_BLOCK_NUMBER":
		return part(func(_, _, block, _ uint32) uint32 { return block })
	case "DBMS_ROWID.ROWID_ROW_NUMBER":
		return part(func(_, _, _, row uint32) uint32 { return row })
	}
	return function{}, false
}

func errRowID() error { return wire.Errorf(1410, "invalid ROWID") }

func buildRowIDCreate(c *compiler, args []*node) (*node, error) {
	return c.pure(rowIDType, c.numbers(args, 0), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		var parts [5]uint32
		for i, limit := range [...]uint64{1, 1<<32 - 1, 1<<10 - 1, 1<<32 - 1, 1<<15 - 1} {
			n, ok := smallNumber(&v[i])
			if !ok || n > limit {
				return datum.Datum{}, errRowID()
			}
			parts[i] = uint32(n)
		}
		if parts[0] != 1 {
			return datum.Datum{}, wire.Errorf(3001, "unimplemented feature: restricted ROWIDs")
		}
		return datum.Datum{Kind: datum.RowID, Text: scalar.RowID(parts[1], parts[2], parts[3], parts[4])}, nil
	}), nil
}
