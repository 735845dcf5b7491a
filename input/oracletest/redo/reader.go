package redo

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Reader reads the records of a file one part after the other. It uses its memory again: what Read returned is valid until
// the next call, and must not be modified.
type Reader struct {
	file *File
	page decoder
	buf  []byte
	path string
	open *os.File // spill file of path, nil before the first one
}

// Reader returns a reader, which must be closed.
func (f *File) Reader() *Reader { return &Reader{file: f} }

// Read returns what Records does.
func (r *Reader) Read(from, to int) ([]*Record, error) {
	f, s := r.file, r.file.stream
	s.mu.Lock()
	if err := f.check(); err != nil {
		s.mu.Unlock()
		return nil, err
	}
	l := f.log
	spilled := l.spilled()
	if from >= spilled {
		defer s.mu.Unlock()
		to = min(to, l.count())
		if from >= to {
			return nil, nil
		}
		return l.records[from-spilled : to-spilled : to-spilled], nil
	}
	offset, end, first := l.file.find(from)
	path := l.file.path
	r.page.tables, r.page.origins, r.page.effects = s.spill.names.tables, s.spill.names.origins, s.spill.names.effects
	s.mu.Unlock()
	if from >= to {
		return nil, nil
	}
	records, err := r.readPage(path, offset, end)
	if err != nil {
		return nil, f.unreadable(err)
	}
	return records[from-first : min(to-first, len(records))], nil
}

func (r *Reader) readPage(path string, offset, end int64) (records []*Record, err error) {
	if r.open == nil || r.path != path {
		if err := r.Close(); err != nil {
			return nil, err
		}
		if r.open, err = openSpilled(path); err != nil {
			r.open = nil
			return nil, err
		}
		r.path = path
	}
	r.buf = slices.Grow(r.buf[:0], int(end-offset))[:end-offset]
	if _, err := r.open.ReadAt(r.buf, offset); err != nil {
		return nil, err
	}
	return r.page.decode(string(r.buf))
}

// Close closes the reader's file.
func (r *Reader) Close() error {
	if r.open == nil {
		return nil
	}
	open := r.open
	r.open = nil
	return open.Close()
}

// unreadable explains why a spilled page could not be read: the file goes when its log does.
func (f *File) unreadable(err error) error {
	f.stream.mu.Lock()
	defer f.stream.mu.Unlock()
	if gone := f.check(); gone != nil {
		return gone
	}
	if f.stream.spill.closed {
		return errors.Join(ErrClosed, err)
	}
	return fmt.Errorf("read redo of sequence %d: %w", f.log.sequence, err)
}

// Clone copies a record with its values, so that it outlives the next Read.
func (r *Record) Clone() *Record {
	c := *r
	c.Before, c.After = cloneValues(r.Before), cloneValues(r.After)
	c.BeforeSet, c.AfterSet = slices.Clone(r.BeforeSet), slices.Clone(r.AfterSet)
	return &c
}

func cloneValues(values []datum.Datum) []datum.Datum {
	list := slices.Clone(values)
	for i := range list {
		if list[i].Number != nil {
			list[i].Number = new(apd.Decimal).Set(list[i].Number)
		}
	}
	return list
}
