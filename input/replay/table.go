package replay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// tableRecord describes a captured table.
type tableRecord struct {
	PDB        string         `json:"pdb"`
	Container  int            `json:"con_id"`
	Owner      string         `json:"owner"`
	Name       string         `json:"name"`
	Columns    []columnRecord `json:"columns"`
	PrimaryKey []string       `json:"primary_key"`
}

// columnRecord is a column; its type is written as in DDL, NOT NULL included.
type columnRecord struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Hidden bool   `json:"hidden"`
}

// version makes the layout that rows of the table are decoded with.
func (r *tableRecord) version() (*schema.Version, error) {
	v := &schema.Version{
		Table:     schema.Table{PDB: r.PDB, Owner: r.Owner, Name: r.Name},
		Container: r.Container, Number: 1, Exact: true, Logging: schema.LoggingKey,
		Key: schema.Key{Origin: schema.KeyNone},
	}
	for i, c := range r.Columns {
		t, nullable, err := parseType(c.Type)
		if err != nil {
			return nil, fmt.Errorf("table %s, column %s: %w", v.Table, c.Name, err)
		}
		v.Columns = append(v.Columns, schema.Column{Name: c.Name, Type: t, SegmentID: i + 1, Nullable: nullable, Hidden: c.Hidden})
	}
	v.Seal()
	for _, name := range r.PrimaryKey {
		i, ok := v.Column(name)
		if !ok {
			return nil, fmt.Errorf("table %s has no column %s for its key", v.Table, name)
		}
		v.Key.Origin = schema.KeyPrimary
		v.Key.Columns = append(v.Key.Columns, i)
		v.Columns[i].Nullable = false
	}
	return v, nil
}

// refuse names the first column whose type is not captured; a real start refuses such a table too.
func refuse(v *schema.Version) error {
	for i := range v.Columns {
		c := &v.Columns[i]
		if !c.Type.Kind.Captured() {
			return stop.New(stop.Configuration, v.Table.String()+"."+c.Name, "columns of type %s are not captured", c.Type.Name).
				Doing("exclude the table")
		}
	}
	return nil
}

// parseType reads a type as DDL writes it, with NOT NULL behind it, into what the dictionary would say.
func parseType(text string) (t schema.Type, nullable bool, err error) {
	text, notNull := strings.CutSuffix(text, " NOT NULL")
	name, numbers, err := splitType(text)
	if err != nil {
		return t, false, err
	}
	owner := ""
	if name == "XMLTYPE" {
		owner = "SYS"
	}
	t = schema.Type{Kind: schema.ParseType(name, owner), Name: name, Precision: schema.NoNumber, Scale: schema.NoNumber}
	first, second := numbers[0], numbers[1]
	switch t.Kind {
	case schema.Number:
		t.Precision, t.Scale = first, second
		if first != schema.NoNumber && second == schema.NoNumber {
			t.Scale = 0
		}
	case schema.Float:
		t.Precision = first
	case schema.Varchar2, schema.Char:
		t.Length, t.CharLength = first, first
	case schema.NVarchar2, schema.NChar:
		t.Length, t.CharLength = 2*first, first
	case schema.Raw:
		t.Length = first
	case schema.Timestamp, schema.TimestampTZ, schema.TimestampLTZ:
		t.Name, t.Scale = text, orElse(first, 6)
	case schema.IntervalYM:
		t.Name, t.Precision = text, orElse(first, 2)
	case schema.IntervalDS:
		t.Name, t.Precision, t.Scale = text, orElse(first, 2), orElse(second, 6)
	default:
	}
	return t, !notNull, nil
}

func orElse(n, missing int) int {
	if n == schema.NoNumber {
		return missing
	}
	return n
}

// splitType takes the numbers out of a type: "INTERVAL DAY(3) TO SECOND(9)" has 3 and 9. A star is no number.
func splitType(text string) (name string, numbers [2]int, err error) {
	numbers = [2]int{schema.NoNumber, schema.NoNumber}
	var b strings.Builder
	n := 0
	for text != "" {
		before, rest, found := strings.Cut(text, "(")
		b.WriteString(before)
		if !found {
			break
		}
		inside, behind, closed := strings.Cut(rest, ")")
		if !closed {
			return "", numbers, fmt.Errorf("type %q lacks a bracket", text)
		}
		for _, digits := range strings.Split(inside, ",") {
			if n == len(numbers) {
				return "", numbers, fmt.Errorf("type %q has too many numbers", text)
			}
			if digits = strings.TrimSpace(digits); digits != "*" {
				if numbers[n], err = strconv.Atoi(digits); err != nil {
					return "", numbers, fmt.Errorf("type %q: %w", text, err)
				}
			}
			n++
		}
		text = behind
	}
	return b.String(), numbers, nil
}
