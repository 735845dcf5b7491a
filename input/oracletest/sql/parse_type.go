package sql

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// dataType parses a column type. Types that no table of the stand-in stores (LOBs) parse too: the engine refuses them by name.
func (p *parser) dataType() datum.Type {
	tok := p.take()
	if tok.kind != tokWord {
		p.failAt(tok.pos, 902, "invalid datatype")
		return datum.Type{}
	}
	switch tok.text {
	case "NUMBER":
		return p.numberType(datum.Type{Code: datum.TypeNumber})
	case "DECIMAL", "NUMERIC", "DEC":
		return p.numberType(integerType)
	case "INTEGER", "INT", "SMALLINT":
		return integerType
	case "FLOAT":
		return p.floatType(126)
	case "REAL":
		return floatType(63)
	case "DOUBLE":
		p.expect("PRECISION")
		return floatType(126)
	case "BINARY_FLOAT":
		return datum.Type{Code: datum.TypeBinaryFloat}
	case "BINARY_DOUBLE":
		return datum.Type{Code: datum.TypeBinaryDouble}
	case "VARCHAR2", "VARCHAR":
		return p.textType(datum.Type{Code: datum.TypeVarchar}, 4000)
	case "NVARCHAR2":
		return p.textType(datum.Type{Code: datum.TypeVarchar, National: true}, 2000)
	case "CHAR", "CHARACTER":
		return p.textType(datum.Type{Code: datum.TypeChar, Size: 1}, 2000)
	case "NCHAR":
		return p.textType(datum.Type{Code: datum.TypeChar, National: true, Size: 1}, 1000)
	case "RAW":
		return p.rawType()
	case "DATE":
		return datum.Type{Code: datum.TypeDate}
	case "TIMESTAMP":
		return p.timestampType()
	case "CLOB":
		return datum.Type{Code: datum.TypeClob}
	case "NCLOB":
		return datum.Type{Code: datum.TypeClob, National: true}
	case "BLOB":
		return datum.Type{Code: datum.TypeBlob}
	case "LONG":
		if p.accept("RAW") {
			return datum.Type{Code: datum.TypeLongRaw}
		}
		return datum.Type{Code: datum.TypeLong}
	case "ROWID":
		return datum.Type{Code: datum.TypeRowID}
	case "INTERVAL":
		return p.intervalType()
	case "BOOLEAN", "JSON", "XMLTYPE", "VECTOR", "BFILE", "UROWID", "SDO_GEOMETRY":
		p.failWith(unimplemented(tok.pos, "data type "+tok.text))
		return datum.Type{}
	}
	p.failAt(tok.pos, 902, "invalid datatype")
	return datum.Type{}
}

// integerType is INTEGER: no precision, scale 0 (reference logminer I).
var integerType = datum.Type{Code: datum.TypeNumber, HasScale: true}

func floatType(bits int) datum.Type {
	return datum.Type{Code: datum.TypeNumber, Float: true, HasPrecision: true, Precision: bits}
}

func (p *parser) floatType(bits int) datum.Type {
	if p.acceptOp("(") {
		bits = p.integer()
		p.expectOp(")")
	}
	if bits < 1 || bits > 126 {
		p.fail(1725, "floating point precision is out of range (1 to 126)")
	}
	return floatType(bits)
}

func (p *parser) numberType(t datum.Type) datum.Type {
	if !p.acceptOp("(") {
		return t
	}
	t.HasScale = true
	if !p.acceptOp("*") {
		t.HasPrecision = true
		t.Precision = p.integer()
		if t.Precision < 1 || t.Precision > 38 {
			p.fail(1727, "numeric precision specifier is out of range (1 to 38)")
		}
	}
	if p.acceptOp(",") {
		negative := p.acceptOp("-")
		t.Scale = p.integer()
		if negative {
			t.Scale = -t.Scale
		}
		if t.Scale < -84 || t.Scale > 127 {
			p.fail(1728, "numeric scale specifier is out of range (-84 to 127)")
		}
	}
	p.expectOp(")")
	return t
}

// maxVariable is the size of text and RAW in PL/SQL.
const maxVariable = 32767

func (p *parser) textType(t datum.Type, limit int) datum.Type {
	if p.block {
		limit = maxVariable
	}
	if !p.acceptOp("(") {
		if t.Size == 0 {
			p.fail(906, msgMissingLeft)
		}
		return t
	}
	t.Size = p.integer()
	if !t.National && p.accept("CHAR") {
		t.CharUsed = true
	} else if !t.National {
		p.accept("BYTE")
	}
	p.expectOp(")")
	p.checkSize(t.Size, limit)
	return t
}

func (p *parser) checkSize(size, limit int) {
	switch {
	case size < 1:
		p.fail(1723, "zero-length columns are not allowed")
	case size > limit:
		p.fail(910, "specified length too long for its datatype")
	}
}

func (p *parser) rawType() datum.Type {
	p.expectOp("(")
	t := datum.Type{Code: datum.TypeRaw, Size: p.integer()}
	p.expectOp(")")
	limit := 2000
	if p.block {
		limit = maxVariable
	}
	p.checkSize(t.Size, limit)
	return t
}

func (p *parser) intervalType() datum.Type {
	t := datum.Type{Code: datum.TypeIntervalDS, Precision: defaultLeading, HasPrecision: true}
	year := p.accept("YEAR")
	if !year {
		p.expect("DAY")
	}
	if p.acceptOp("(") {
		t.Precision = p.digits(0)
		p.expectOp(")")
	}
	p.expect("TO")
	if year {
		t.Code = datum.TypeIntervalYM
		p.expect("MONTH")
		return t
	}
	p.expect("SECOND")
	t.Size = defaultFraction
	if p.acceptOp("(") {
		t.Size = p.digits(0)
		p.expectOp(")")
	}
	return t
}

func (p *parser) timestampType() datum.Type {
	t := datum.Type{Code: datum.TypeTimestamp, Size: 6}
	if p.acceptOp("(") {
		t.Size = p.integer()
		p.expectOp(")")
		if t.Size > 9 {
			p.fail(30088, "datetime/interval precision is out of range")
		}
	}
	if p.accept("WITH") {
		t.Code = datum.TypeTimestampTZ
		if p.accept("LOCAL") {
			t.Code = datum.TypeTimestampLTZ
		}
		p.expect("TIME", "ZONE")
	}
	return t
}
