package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

var (
	clobType = datum.Type{Code: datum.TypeClob}
	blobType = datum.Type{Code: datum.TypeBlob}
)

func isLOB(t datum.Type) bool { return t.Code == datum.TypeClob || t.Code == datum.TypeBlob }

// lobOf is the type of the side that is a LOB.
func lobOf(l, r *node) datum.Type {
	if isLOB(l.typ) {
		return l.typ
	}
	return r.typ
}

// unsortable says that values of a LOB type cannot be ordered or found equal.
func unsortable(t datum.Type) error {
	return wire.Errorf(932, "inconsistent datatypes: expected - got %s", typeName(t))
}

// sortable refuses DISTINCT over LOBs.
func (b *block) sortable(columns []wire.Column) error {
	for _, col := range columns {
		if b.distinct && isLOB(col.Type) {
			return unsortable(col.Type)
		}
	}
	return nil
}

// wholeText is the text of an expression; that of a CLOB may be longer than any VARCHAR2.
func (c *compiler) wholeText(n *node) *node {
	if n.typ.Code != datum.TypeClob {
		return c.toText(n)
	}
	return fold(c.x, computed(textType(longTextSize), func(f *frame) (datum.Datum, error) {
		d, err := n.eval(f)
		if d.Kind == datum.Clob {
			d.Kind = datum.Text
		}
		return d, err
	}), n)
}

// concatLOB is || with a CLOB: the result is one.
func (c *compiler) concatLOB(l, r *node) *node {
	t := lobOf(l, r)
	l, r = c.wholeText(l), c.wholeText(r)
	return fold(c.x, computed(t, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil {
			return a, err
		}
		b, err := r.eval(f)
		if err != nil || a.IsNull() && b.IsNull() {
			return datum.Datum{}, err
		}
		return datum.Datum{Kind: datum.Clob, Text: a.Text + b.Text}, nil
	}), l, r)
}

// ofLOB gives the form of a function that takes LOBs, nil if there is none here.
func ofLOB(name string, build func(*compiler, []*node) (*node, error)) func(*compiler, []*node) (*node, error) {
	switch name {
	case "LENGTH":
		return buildLOBLength
	case "SUBSTR":
		return func(c *compiler, args []*node) (*node, error) { return buildLOBSubstr(c, args, nil) }
	case "INSTR":
		return buildLOBInstr
	case "NVL", "NVL2", "COALESCE", "CONCAT", "TO_CHAR", "TO_CLOB", "TO_NCLOB", "TO_BLOB":
		return build
	}
	if strings.HasPrefix(name, "DBMS_LOB.") {
		return build
	}
	return nil
}

func lobFunction(name string) (function, bool) {
	constant := func(t datum.Type) function {
		return function{0, 0, func(*compiler, []*node) (*node, error) {
			return constantNode(datum.Datum{Kind: scalar.Kind(t)}, t), nil
		}}
	}
	convert := func(t datum.Type) function {
		return function{1, 1, func(c *compiler, args []*node) (*node, error) {
			if !isLOB(args[0].typ) && t.Code == datum.TypeClob {
				args = c.texts(args)
			}
			return c.to(args[0], t), nil
		}}
	}
	switch name {
	case "EMPTY_CLOB":
		return constant(clobType), true
	case "EMPTY_BLOB":
		return constant(blobType), true
	case "TO_CLOB":
		return convert(clobType), true
	case "TO_NCLOB":
		return convert(datum.Type{Code: datum.TypeClob, National: true}), true
	case "TO_BLOB":
		return convert(blobType), true
	case "DBMS_LOB.GETLENGTH":
		return function{1, 1, buildLOBLength}, true
	case "DBMS_LOB.SUBSTR":
		return function{1, 3, buildLOBPiece}, true
	case "DBMS_LOB.INSTR":
		return function{2, 4, buildLOBInstr}, true
	case "DBMS_LOB.COMPARE":
		return function{2, 2, buildLOBCompare}, true
	}
	return function{}, false
}

// lobContent is a value as the units that LOB functions count: bytes, or UTF-16, in which CLOBs are stored.
type lobContent struct {
	bytes []byte
	units []uint16
}

func contentOf(d datum.Datum) lobContent {
	if d.Kind == datum.Blob || d.Kind == datum.Raw {
		return lobContent{bytes: d.Raw}
	}
	return lobContent{units: utf16.Encode([]rune(d.Text))}
}

func (c lobContent) length() int { return max(len(c.bytes), len(c.units)) }

func buildLOBLength(c *compiler, args []*node) (*node, error) {
	n, err := c.lob(args[0])
	if err != nil {
		return nil, err
	}
	return c.pure(numberType, []*node{n}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		return scalar.Int(int64(contentOf(v[0]).length())), nil
	}), nil
}

// lob is an argument of a LOB function: text and RAW stand for LOBs.
func (c *compiler) lob(n *node) (*node, error) {
	switch {
	case isLOB(n.typ), n.typ.Code == datum.TypeRaw, n.typ.Code == 0:
		return n, nil
	case isText(n.typ):
		return c.to(n, clobType), nil
	}
	return nil, wire.Errorf(932, "inconsistent datatypes: expected CLOB got %s", typeName(n.typ))
}

// buildLOBPiece is DBMS_LOB.SUBSTR(lob, amount, offset), which gives text or RAW.
func buildLOBPiece(c *compiler, args []*node) (*node, error) {
	lob, err := c.lob(args[0])
	if err != nil {
		return nil, err
	}
	amount, offset := constantNode(scalar.Int(32767), numberType), constantNode(scalar.Int(1), numberType)
	if len(args) > 1 {
		amount = args[1]
	}
	if len(args) > 2 {
		offset = args[2]
	}
	t := textType(longTextSize)
	if lob.typ.Code != datum.TypeClob {
		t = datum.Type{Code: datum.TypeRaw, Size: 2000}
	}
	return buildLOBSubstr(c, []*node{lob, offset, amount}, &t)
}

// buildLOBSubstr cuts a piece out of a LOB: a LOB again, or a value of type t.
func buildLOBSubstr(c *compiler, args []*node, t *datum.Type) (*node, error) {
	result := args[0].typ
	if t != nil {
		result = *t
	}
	nodes := append([]*node{args[0]}, c.numbers(args[1:], 0)...)
	return c.pure(result, nodes, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		from, n := small(v[1]), 1<<31
		if len(v) == 3 {
			n = small(v[2])
		}
		piece := contentOf(v[0]).piece(from, n)
		if piece.length() == 0 {
			return datum.Datum{}, nil
		}
		d := datum.Datum{Kind: scalar.Kind(result), Raw: piece.bytes, Text: string(utf16.Decode(piece.units))}
		if t != nil && (len(d.Raw) > t.Size || len(d.Text) > t.Size) {
			return d, wire.Errorf(6502, "PL/SQL: numeric or value error: character string buffer too small")
		}
		return d, nil
	}), nil
}

// piece counts from 1, or from the end with a negative number.
func (c lobContent) piece(from, n int) lobContent {
	length := c.length()
	if from < 0 {
		from += length + 1
	}
	if from == 0 {
		from = 1
	}
	if from < 1 || from > length || n < 1 {
		return lobContent{}
	}
	to := min(length, from-1+min(n, length))
	if c.bytes != nil {
		return lobContent{bytes: c.bytes[from-1 : to]}
	}
	return lobContent{units: c.units[from-1 : to]}
}

func buildLOBInstr(c *compiler, args []*node) (*node, error) {
	nodes := slices.Clone(args)
	for i := range 2 {
		var err error
		if nodes[i], err = c.lob(args[i]); err != nil {
			return nil, err
		}
	}
	if nodes[0].typ.Code == datum.TypeClob && nodes[1].typ.Code != 0 && nodes[1].typ.Code != datum.TypeClob {
		return nil, mismatch(nodes[0].typ, nodes[1].typ)
	}
	nodes = c.numbers(nodes, 2)
	return c.pure(numberType, nodes, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		from, nth := 1, 1
		if len(v) > 2 {
			from = small(v[2])
		}
		if len(v) > 3 {
			nth = small(v[3])
		}
		if from < 1 || nth < 1 {
			return datum.Datum{}, wire.Errorf(1428, "argument is out of range")
		}
		return scalar.Int(int64(contentOf(v[0]).find(contentOf(v[1]), from, nth))), nil
	}), nil
}

func (c lobContent) find(part lobContent, from, nth int) int {
	n := part.length()
	for at := from - 1; n > 0 && at+n <= c.length(); at++ {
		if c.bytes != nil && !bytes.Equal(c.bytes[at:at+n], part.bytes) || c.bytes == nil && !slices.Equal(c.units[at:at+n], part.units) {
			continue
		}
		if nth--; nth == 0 {
			return at + 1
		}
	}
	return 0
}

func buildLOBCompare(c *compiler, args []*node) (*node, error) {
	nodes := make([]*node, len(args))
	for i := range args {
		var err error
		if nodes[i], err = c.lob(args[i]); err != nil {
			return nil, err
		}
	}
	return c.pure(numberType, nodes, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		a, b := contentOf(v[0]), contentOf(v[1])
		if a.bytes != nil || b.bytes != nil {
			return scalar.Int(int64(bytes.Compare(a.bytes, b.bytes))), nil
		}
		return scalar.Int(int64(slices.Compare(a.units, b.units))), nil
	}), nil
}

// checkLOBs refuses values whose redo the stand-in does not write, in tables that have supplemental logging.
func (s *session) checkLOBs(t *catalog.Table, values []datum.Datum) error {
	for i := range values {
		if store.LargeLOB(&values[i]) && s.engine.store.Captured(t) {
			return wire.Errorf(3001, "unimplemented feature: large LOB value in %s.%s, which has supplemental logging", t.Owner, t.Name)
		}
	}
	return nil
}
