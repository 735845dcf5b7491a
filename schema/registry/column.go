package registry

import "github.com/oracle-cdc/redpanda-connect-oracle/schema"

// storedColumn is a column with the members that this build does not know.
type storedColumn struct {
	schema.Column
	extra []member
}

func (c *storedColumn) append(dst []byte) []byte {
	dst = appendText(append(dst, `{"name":`...), c.Name)
	dst = appendText(append(dst, `,"type":`...), c.Type.Name)
	dst = appendInt(dst, "length", c.Type.Length)
	dst = appendInt(dst, "char_length", c.Type.CharLength)
	dst = appendNumber(dst, "precision", c.Type.Precision)
	dst = appendNumber(dst, "scale", c.Type.Scale)
	dst = appendBool(dst, "nullable", c.Nullable)
	dst = append(dst, `,"default":`...)
	if c.Default == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendText(dst, *c.Default)
	}
	dst = appendBool(dst, "hidden", c.Hidden)
	dst = appendBool(dst, "virtual", c.Virtual)
	dst = appendBool(dst, "unused", c.Unused)
	dst = appendBool(dst, "guard", c.Guard)
	dst = appendInt(dst, "segment_id", c.SegmentID)
	if c.Encrypted {
		dst = appendBool(dst, "encrypted", true)
	}
	if c.Undefaulted {
		dst = appendBool(dst, "undefaulted", true)
	}
	if kindOf(c.Type.Name) != c.Type.Kind {
		// A user's own type can have a name that looks like one of Oracle's.
		dst = append(dst, `,"supported":false`...)
	}
	return appendExtra(dst, c.extra)
}

// UnmarshalJSON reads what append writes.
func (c *storedColumn) UnmarshalJSON(data []byte) error {
	t := &c.Type
	t.Precision, t.Scale = schema.NoNumber, schema.NoNumber
	supported := true
	extra, err := readObject(data,
		target{name: "name", into: &c.Name},
		target{name: "type", into: &t.Name},
		target{name: "length", into: &t.Length},
		target{name: "char_length", into: &t.CharLength},
		target{name: "precision", into: &t.Precision, null: true},
		target{name: "scale", into: &t.Scale, null: true},
		target{name: "nullable", into: &c.Nullable},
		target{name: "default", into: &c.Default, null: true},
		target{name: "hidden", into: &c.Hidden},
		target{name: "virtual", into: &c.Virtual},
		target{name: "unused", into: &c.Unused},
		target{name: "guard", into: &c.Guard},
		target{name: "segment_id", into: &c.SegmentID},
		target{name: "encrypted", into: &c.Encrypted, optional: true},
		target{name: "undefaulted", into: &c.Undefaulted, optional: true},
		target{name: "supported", into: &supported, optional: true},
	)
	c.extra = extra
	if supported {
		t.Kind = kindOf(t.Name)
	}
	return err
}

// kindOf is the family of a stored type name; XMLTYPE is the one type with an owner that is known.
func kindOf(name string) schema.TypeKind {
	if name == "XMLTYPE" {
		return schema.ParseType(name, "SYS")
	}
	return schema.ParseType(name, "")
}

func appendNumber(dst []byte, name string, n int) []byte {
	if n == schema.NoNumber {
		return append(append(append(dst, ',', '"'), name...), `":null`...)
	}
	return appendInt(dst, name, n)
}
