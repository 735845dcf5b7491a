package sqlredo

import "strings"

// write gives the canonical text of a statement, as LogMiner writes it: the inverse of Parse.
func write(s *Statement) string {
	var b strings.Builder
	table := `"` + s.Owner + `"."` + s.Table + `"`
	switch s.Kind {
	case Insert:
		b.WriteString("insert into " + table + "(")
		for i, c := range s.Columns {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + c.Name + `"`)
		}
		b.WriteString(") values (")
		for i, c := range s.Columns {
			if i > 0 {
				b.WriteByte(',')
			}
			writeLiteral(&b, c.Value)
		}
		b.WriteByte(')')
		return b.String()
	case Update:
		b.WriteString("update " + table + " set ")
		for i, c := range s.Columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(`"` + c.Name + `" = `)
			writeLiteral(&b, c.Value)
		}
	case Delete:
		b.WriteString("delete from " + table)
	}
	writeWhere(&b, s)
	return b.String()
}

func writeWhere(b *strings.Builder, s *Statement) {
	word := " where "
	for _, c := range s.Where {
		b.WriteString(word + `"` + c.Name + `"`)
		if c.Value.Form == Null && !c.Value.JSON {
			b.WriteString(" IS NULL")
		} else {
			b.WriteString(" = ")
			writeLiteral(b, c.Value)
		}
		word = " and "
	}
	if s.RowID != "" {
		b.WriteString(word + "ROWID = '" + s.RowID + "'")
	}
}

func writeLiteral(b *strings.Builder, l Literal) {
	if l.JSON {
		b.WriteString(jsonComment)
	}
	switch l.Form {
	case Null:
		b.WriteString("NULL")
	case Text:
		b.WriteString("'" + l.Text.Raw + "'")
	case Number:
		b.WriteString(l.Text.Raw)
	case UnsupportedType:
		b.WriteString("Unsupported Type")
	case Function:
		writeCall(b, l.Call)
		for _, c := range l.More {
			b.WriteString(" || ")
			writeCall(b, c)
		}
	}
}

func writeCall(b *strings.Builder, c Call) {
	b.WriteString(c.Name.String() + "(")
	if c.Name != EmptyCLOB && c.Name != EmptyBLOB {
		b.WriteString("'" + c.Text.Raw + "'")
	}
	if c.Format != (Quoted{}) {
		b.WriteString(", '" + c.Format.Raw + "'")
	}
	b.WriteByte(')')
}
