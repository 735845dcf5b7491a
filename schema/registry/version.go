package registry

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// storedVersion is a version with the members that this build does not know.
type storedVersion struct {
	version         *schema.Version
	columns         []storedColumn
	extra, keyExtra []member
}

// store gives a version the form of the topic.
func store(v *schema.Version) storedVersion {
	s := storedVersion{version: v, columns: make([]storedColumn, len(v.Columns))}
	guarded := slices.ContainsFunc(v.Columns, func(c schema.Column) bool { return c.Guard })
	for i, c := range v.Columns {
		c.Undefaulted = c.Undefaulted && guarded // it says something beside a guard column only (R109)
		s.columns[i].Column = c
	}
	return s
}

func (s *storedVersion) append(dst []byte) []byte {
	v := s.version
	dst = strconv.AppendInt(append(dst, `{"version":`...), int64(v.Number), 10)
	dst = strconv.AppendUint(append(dst, `,"valid_from":"`...), v.ValidFrom, 10)
	dst = append(dst, '"')
	dst = appendBool(dst, "exact", v.Exact)
	dst = s.appendKey(append(dst, `,"key":`...))
	dst = appendText(append(dst, `,"logging":`...), string(v.Logging))
	dst = append(dst, `,"object_ids":[`...)
	for i, id := range v.ObjectIDs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, id, 10)
	}
	dst = s.appendColumns(append(dst, `],"columns":`...))
	if v.CertainFrom > 0 {
		dst = append(strconv.AppendUint(append(dst, `,"certain_from":"`...), v.CertainFrom, 10), '"')
	}
	if v.PendingFrom > 0 {
		dst = append(strconv.AppendUint(append(dst, `,"pending_from":"`...), v.PendingFrom, 10), '"')
	}
	if v.GoneFrom > 0 {
		dst = append(strconv.AppendUint(append(dst, `,"gone_from":"`...), v.GoneFrom, 10), '"')
	}
	if v.UnseenTo > 0 {
		dst = append(strconv.AppendUint(append(dst, `,"unseen_to":"`...), v.UnseenTo, 10), '"')
	}
	for i, name := range v.Partitions {
		dst = appendText(append(dst, map[bool]string{true: `,"partitions":[`, false: `,`}[i == 0]...), name)
		if i == len(v.Partitions)-1 {
			dst = append(dst, ']')
		}
	}
	if len(v.Spells) > 0 {
		dst = appendSpells(append(dst, `,"segments":`...), v.Spells)
	}
	if len(v.Unseen) > 0 {
		dst = appendSpans(append(dst, `,"unseen":`...), v.Unseen)
	}
	return appendExtra(dst, s.extra)
}

func (s *storedVersion) appendKey(dst []byte) []byte {
	dst = appendText(append(dst, `{"origin":`...), string(s.version.Key.Origin))
	dst = append(dst, `,"columns":[`...)
	for i, at := range s.version.Key.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, s.version.Columns[at].Name)
	}
	return appendExtra(append(dst, ']'), s.keyExtra)
}

func (s *storedVersion) appendColumns(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range s.columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = s.columns[i].append(dst)
	}
	return append(dst, ']')
}

// UnmarshalJSON reads what append writes. Table and container are not part of it.
func (s *storedVersion) UnmarshalJSON(data []byte) error {
	v := &schema.Version{}
	var from, certain, pending, gone, unseen string
	key := storedKey{}
	var spells []storedSpell
	var spans []storedSpan
	extra, err := readObject(data,
		target{name: "version", into: &v.Number},
		target{name: "valid_from", into: &from},
		target{name: "exact", into: &v.Exact},
		target{name: "certain_from", into: &certain, optional: true},
		target{name: "pending_from", into: &pending, optional: true},
		target{name: "gone_from", into: &gone, optional: true},
		target{name: "unseen_to", into: &unseen, optional: true},
		target{name: "unseen", into: &spans, optional: true},
		target{name: "partitions", into: &v.Partitions, optional: true},
		target{name: "segments", into: &spells, optional: true},
		target{name: "key", into: &key},
		target{name: "logging", into: &v.Logging},
		target{name: "object_ids", into: &v.ObjectIDs},
		target{name: "columns", into: &s.columns},
	)
	if err != nil {
		return err
	}
	if v.ValidFrom, err = strconv.ParseUint(from, 10, 64); err != nil {
		return fmt.Errorf("valid_from: %w", err)
	}
	for _, optional := range []struct {
		name, text string
		into       *uint64
	}{
		{"certain_from", certain, &v.CertainFrom},
		{"pending_from", pending, &v.PendingFrom},
		{"gone_from", gone, &v.GoneFrom},
		{"unseen_to", unseen, &v.UnseenTo},
	} {
		if optional.text == "" {
			continue
		}
		if *optional.into, err = strconv.ParseUint(optional.text, 10, 64); err != nil {
			return fmt.Errorf("%s: %w", optional.name, err)
		}
	}
	for _, span := range spans {
		v.Unseen = append(v.Unseen, schema.Span(span))
	}
	for _, spell := range spells {
		v.Spells = append(v.Spells, schema.Spell{ID: spell.ID, From: spell.From, To: spell.To})
	}
	for i := range s.columns {
		v.Columns = append(v.Columns, s.columns[i].Column)
	}
	v.Seal()
	v.Key.Origin = key.origin
	for _, name := range key.columns {
		at, ok := v.Column(name)
		if !ok {
			return fmt.Errorf("key: no column %s", name)
		}
		v.Key.Columns = append(v.Key.Columns, at)
	}
	s.version, s.extra, s.keyExtra = v, extra, key.extra
	return s.check()
}

// check refuses what no build writes.
func (s *storedVersion) check() error {
	v := s.version
	names := make(map[string]bool, len(v.Columns))
	for i := range v.Columns {
		c := &v.Columns[i]
		if names[c.Name] {
			return fmt.Errorf("column %s is there twice", c.Name)
		}
		names[c.Name] = true
		if !utf8.ValidString(c.Name) || c.Default != nil && !utf8.ValidString(*c.Default) {
			return fmt.Errorf("column %d: name or default is not UTF-8", i)
		}
	}
	for _, at := range v.Key.Columns {
		if at < 0 || at >= len(v.Columns) {
			return fmt.Errorf("key: column %d of %d", at, len(v.Columns))
		}
	}
	switch v.Key.Origin {
	case schema.KeyPrimary, schema.KeyUnique, schema.KeyConfig, schema.KeyRowID, schema.KeyNone:
	default:
		return fmt.Errorf("key: unknown origin %q", v.Key.Origin)
	}
	switch v.Logging {
	case schema.LoggingAll, schema.LoggingKey, schema.LoggingMinimal:
	default:
		return fmt.Errorf("unknown logging %q", v.Logging)
	}
	return nil
}

type storedKey struct {
	origin  schema.KeyOrigin
	columns []string
	extra   []member
}

// UnmarshalJSON reads the key of a version.
func (k *storedKey) UnmarshalJSON(data []byte) error {
	var err error
	k.extra, err = readObject(data, target{name: "origin", into: &k.origin}, target{name: "columns", into: &k.columns})
	return err
}
