package registry

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Format is the format of records that this build writes and the newest it reads.
const Format = 1

// Record is one record of the schema topic: a table's versions, oldest first. It is immutable.
type Record struct {
	Server string
	Table  schema.Table

	// key is the record's key as it lies in the topic, so that what is written replaces it.
	key      []byte
	versions []storedVersion
	extra    []member
}

// NewRecord makes the record of a table from its versions, oldest first.
func NewRecord(server string, versions ...*schema.Version) (*Record, error) {
	if len(versions) == 0 {
		return nil, errors.New("a schema record needs a version")
	}
	r := &Record{Server: server, Table: versions[0].Table}
	r.key = appendKey(nil, server, r.Table)
	for _, v := range versions {
		s := store(v)
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("version %d of %s: %w", v.Number, r.Table, err)
		}
		r.versions = append(r.versions, s)
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, nil
}

// Encode gives key and value of the record that holds a table's versions, oldest first.
func Encode(server string, versions []*schema.Version) (key, value []byte, err error) {
	r, err := NewRecord(server, versions...)
	if err != nil {
		return nil, nil, err
	}
	return r.Key(), r.Value(), nil
}

// Key gives the record's key; it is also that of the tombstone which removes the record.
func (r *Record) Key() []byte { return append([]byte(nil), r.key...) }

// Value gives the record's value.
func (r *Record) Value() []byte {
	dst := strconv.AppendInt([]byte(`{"format":`), Format, 10)
	dst = append(dst, `,"versions":[`...)
	for i := range r.versions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.versions[i].append(dst)
	}
	return appendExtra(append(dst, ']'), r.extra)
}

// Versions lists the versions, oldest first.
func (r *Record) Versions() []*schema.Version {
	out := make([]*schema.Version, len(r.versions))
	for i := range r.versions {
		out[i] = r.versions[i].version
	}
	return out
}

func (r *Record) number(n int) (*schema.Version, bool) {
	for i := range r.versions {
		if v := r.versions[i].version; v.Number == n {
			return v, true
		}
	}
	return nil, false
}

// Decode reads a record. The error is a *stop.Error: CDC-3004 for a newer format, CDC-3002 for anything that is not a record.
func Decode(key, value []byte) (*Record, error) {
	r, err := decodeKey(key)
	if err != nil {
		return nil, damaged(err, "a key of the schema topic")
	}
	format := 0
	// A newer format may have changed everything but its number.
	if _, err := readObject(value, target{name: "format", into: &format}); err != nil {
		return nil, damaged(err, r.Table.String())
	}
	if format > Format {
		return nil, stop.New(stop.PositionNewer, r.Table.String(), "the stored schema has format %d, this build reads up to %d", format, Format)
	}
	if format < 1 {
		return nil, damaged(fmt.Errorf("format %d", format), r.Table.String())
	}
	r.extra, err = readObject(value, target{name: "format", into: &format}, target{name: "versions", into: &r.versions})
	if err != nil {
		return nil, damaged(err, r.Table.String())
	}
	for i := range r.versions {
		r.versions[i].version.Table = r.Table
	}
	if err := r.check(); err != nil {
		return nil, damaged(err, r.Table.String())
	}
	return r, nil
}

// check: numbers and positions grow from version to version.
func (r *Record) check() error {
	if len(r.versions) == 0 {
		return errors.New("no version in the record")
	}
	for i := range r.versions {
		v := r.versions[i].version
		if v.Table != r.Table {
			return fmt.Errorf("version %d is of %s, the record of %s", v.Number, v.Table, r.Table)
		}
		if v.Number < 1 {
			return fmt.Errorf("version number %d", v.Number)
		}
		if i == 0 {
			continue
		}
		if last := r.versions[i-1].version; v.Number <= last.Number || v.ValidFrom <= last.ValidFrom {
			return fmt.Errorf("version %d from SCN %d follows version %d from SCN %d", v.Number, v.ValidFrom, last.Number, last.ValidFrom)
		}
	}
	return nil
}

func damaged(err error, object string) error {
	return stop.Wrap(stop.Corrupt, err, object, "the stored schema is damaged").
		Doing("restore the schema topic, or begin anew with a new topic_prefix")
}

func appendKey(dst []byte, server string, t schema.Table) []byte {
	dst = appendText(append(dst, `{"server":`...), server)
	dst = appendText(append(dst, `,"pdb":`...), t.PDB)
	dst = appendText(append(dst, `,"owner":`...), t.Owner)
	dst = appendText(append(dst, `,"table":`...), t.Name)
	return append(dst, '}')
}

func decodeKey(key []byte) (*Record, error) {
	r := &Record{key: append([]byte(nil), key...)}
	_, err := readObject(key,
		target{name: "server", into: &r.Server},
		target{name: "pdb", into: &r.Table.PDB},
		target{name: "owner", into: &r.Table.Owner},
		target{name: "table", into: &r.Table.Name},
	)
	return r, err
}
