package views

import (
	"fmt"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

func number(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// Columns of tables (reference logminer I).
func (s *Set) addColumns() {
	shared := columns(str("OWNER", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 128), str("DATA_TYPE", 128), str("DATA_TYPE_MOD", 3),
		str("DATA_TYPE_OWNER", 128), num("DATA_LENGTH"), num("DATA_PRECISION"), num("DATA_SCALE"), str("NULLABLE", 1), num("COLUMN_ID"),
		num("DEFAULT_LENGTH"), str("CHARACTER_SET_NAME", 44), num("CHAR_COL_DECL_LENGTH"), num("CHAR_LENGTH"), str("CHAR_USED", 1),
		str("DEFAULT_ON_NULL", 3), str("IDENTITY_COLUMN", 3), str("DATA_DEFAULT", 4000))
	s.dict["TAB_COLUMNS"] = family{columns: shared, rows: func(c catalog.Container) []row { return s.tableColumns(c, false) }}
	s.dict["TAB_COLS"] = family{
		columns: append(shared[:len(shared):len(shared)], str("HIDDEN_COLUMN", 3), str("VIRTUAL_COLUMN", 3), num("SEGMENT_COLUMN_ID"),
			num("INTERNAL_COLUMN_ID"), str("QUALIFIED_COL_NAME", 4000), str("USER_GENERATED", 3)),
		rows: func(c catalog.Container) []row { return s.tableColumns(c, true) },
	}
}

func (s *Set) tableColumns(c catalog.Container, withHidden bool) []row {
	var list []row
	for _, t := range s.config.Database.Tables(c.ID) {
		list = append(list, columnRows(t, withHidden)...)
	}
	for _, v := range s.config.Database.StoredViews(c.ID) {
		list = append(list, columnRows(&catalog.Table{Owner: v.Owner, Name: v.Name, Columns: v.Columns}, withHidden)...)
	}
	return list
}

func columnRows(t *catalog.Table, withHidden bool) []row {
	ids := make([]datum.Datum, len(t.Columns)) // COLUMN_ID
	for n, i := range t.Visible() {
		ids[i] = integer(n + 1)
	}
	var list []row
	for i := range t.Columns {
		if withHidden || !ids[i].IsNull() {
			list = append(list, tableColumn(t, i, ids[i], withHidden))
		}
	}
	return list
}

func tableColumn(t *catalog.Table, i int, id datum.Datum, withHidden bool) row {
	c := &t.Columns[i]
	d := describe(&c.Type)
	nullable, defaultLength := "N", null
	if c.Nullable {
		nullable = "Y"
	}
	value := c.Default
	if c.Virtual != "" {
		value = c.Virtual
	}
	if value != "" {
		defaultLength = integer(len(value))
	}
	r := row{
		text(t.Owner), text(t.Name), text(c.Name), text(d.name), null,
		null, integer(d.length), d.precision, d.scale, text(nullable), id,
		defaultLength, text(d.charset), d.declared, integer(d.characters), text(d.unit),
		text("NO"), text("NO"), text(value),
	}
	if withHidden {
		segment := null
		if c.Virtual == "" {
			segment = integer(c.SegmentID)
		}
		r = append(r, relation.YesNo(c.Hidden()), relation.YesNo(c.Virtual != ""), segment, integer(i+1), text(c.Name), relation.YesNo(!c.System()))
	}
	return r
}

// description is how the dictionary shows a type.
type description struct {
	name                       string
	length, characters         int
	unit, charset              string // unit is CHAR_USED: B or C
	precision, scale, declared datum.Datum
}

// describe follows reference logminer I; lengths of NUMBER, DATE and the timestamps are the stored maximum.
func describe(t *datum.Type) description {
	switch t.Code {
	case datum.TypeVarchar, datum.TypeChar:
		return describeText(t)
	case datum.TypeNumber:
		return describeNumber(t)
	case datum.TypeDate:
		return description{name: "DATE", length: 7}
	case datum.TypeTimestamp, datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		return describeTimestamp(t)
	case datum.TypeRaw:
		return description{name: "RAW", length: t.Size}
	case datum.TypeBinaryFloat:
		return description{name: "BINARY_FLOAT", length: 4}
	case datum.TypeBinaryDouble:
		return description{name: "BINARY_DOUBLE", length: 8}
	case datum.TypeLong:
		return description{name: "LONG"}
	case datum.TypeLongRaw:
		return description{name: "LONG RAW"}
	case datum.TypeRowID:
		return description{name: "ROWID", length: 10}
	case datum.TypeClob:
		if t.National {
			return description{name: "NCLOB", length: 4000, charset: "NCHAR_CS"}
		}
		return description{name: "CLOB", length: 4000, charset: "CHAR_CS"}
	case datum.TypeBlob:
		return description{name: "BLOB", length: 4000}
	case datum.TypeIntervalYM:
		return description{name: fmt.Sprintf("INTERVAL YEAR(%d) TO MONTH", t.Precision), length: 5, precision: integer(t.Precision), scale: integer(0)}
	case datum.TypeIntervalDS:
		return description{
			name: fmt.Sprintf("INTERVAL DAY(%d) TO SECOND(%d)", t.Precision, t.Size), length: 11, precision: integer(t.Precision), scale: integer(t.Size),
		}
	case datum.TypeCursor:
	}
	return description{name: "UNDEFINED"}
}

func describeText(t *datum.Type) description {
	d := description{name: "VARCHAR2", length: t.Size, characters: t.Size, unit: "B", charset: "CHAR_CS"}
	if t.Code == datum.TypeChar {
		d.name = "CHAR"
	}
	switch {
	case t.National: // AL16UTF16
		d.name, d.length, d.unit, d.charset = "N"+d.name, 2*t.Size, "C", "NCHAR_CS"
		if t.Code == datum.TypeVarchar {
			d.name = "NVARCHAR2"
		}
	case t.CharUsed: // AL32UTF8
		d.length, d.unit = min(4*t.Size, 4000), "C"
	}
	d.declared = integer(d.length)
	return d
}

func describeNumber(t *datum.Type) description {
	d := description{name: "NUMBER", length: 22}
	if t.Float {
		d.name = "FLOAT"
	}
	if t.HasPrecision {
		d.precision = integer(t.Precision)
	}
	if t.HasScale {
		d.scale = integer(t.Scale)
	}
	return d
}

func describeTimestamp(t *datum.Type) description {
	d := description{name: fmt.Sprintf("TIMESTAMP(%d)", t.Size), length: 11, scale: integer(t.Size)}
	if t.Size == 0 {
		d.length = 7
	}
	switch t.Code {
	case datum.TypeTimestampTZ:
		d.name, d.length = d.name+" WITH TIME ZONE", 13
	case datum.TypeTimestampLTZ:
		d.name += " WITH LOCAL TIME ZONE"
	default:
	}
	return d
}
