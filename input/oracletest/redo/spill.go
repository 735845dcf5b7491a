package redo

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Most records and most bytes in memory that a page has. Who reads a file with steps of pageRecords decodes every page
// once.
const (
	pageRecords = 256
	pageMemory  = 1 << 20
)

// spill keeps the records that are too many for memory: a file for every log, in a folder that is made when it is first
// needed. It is guarded by the stream's lock.
type spill struct {
	dir    string // parent of folder
	folder string
	closed bool
	names  names
	buf    []byte
	// held is the footprint of all records in memory.
	held int64
}

// spillFile holds the first records of a log.
type spillFile struct {
	path    string
	records int
	bytes   int64
	pages   []page
}

// page is where records of a file begin.
type page struct {
	first  int
	offset int64
}

// find returns where the page of a record lies and the number of its first record.
func (f *spillFile) find(record int) (offset, end int64, first int) {
	n, ok := slices.BinarySearchFunc(f.pages, record, func(p page, record int) int { return cmp.Compare(p.first, record) })
	if !ok {
		n--
	}
	end = f.bytes
	if n+1 < len(f.pages) {
		end = f.pages[n+1].offset
	}
	return f.pages[n].offset, end, f.pages[n].first
}

// spilled is how many records of the log are in its file; they are no longer in records.
func (l *log) spilled() int {
	if l.file == nil {
		return 0
	}
	return l.file.records
}

// count is how many records the log has.
func (l *log) count() int { return l.spilled() + len(l.records) }

// keepBudget moves the oldest records to files when memory holds more than the budget, and some more, so that it
// does not happen at every call.
func (s *Stream) keepBudget() error {
	if s.spill.held <= s.config.MemoryBudget {
		return nil
	}
	goal := s.config.MemoryBudget - s.config.MemoryBudget/8
	for _, l := range s.inMemory() {
		if s.spill.held <= goal {
			return nil
		}
		if err := s.spill.write(l, s.spill.held-goal); err != nil {
			return fmt.Errorf("spill redo of sequence %d: %w", l.sequence, err)
		}
	}
	return nil
}

// inMemory lists the logs that have records in memory, oldest first.
func (s *Stream) inMemory() []*log {
	var logs []*log
	for _, c := range s.copies {
		if len(c.log.records) > 0 {
			logs = append(logs, c.log)
		}
	}
	for _, g := range s.groups() {
		if g.log != nil && len(g.log.records) > 0 && !slices.Contains(logs, g.log) {
			logs = append(logs, g.log)
		}
	}
	slices.SortFunc(logs, func(a, b *log) int { return cmp.Compare(a.first, b.first) })
	return logs
}

// write moves the oldest records of a log, with a footprint of bytes, to its file.
func (p *spill) write(l *log, bytes int64) error {
	if p.closed {
		return ErrClosed
	}
	file := spillFile{}
	if l.file != nil {
		file = *l.file
	}
	n, freed, pages := 0, int64(0), file.pages
	p.buf = p.buf[:0]
	for freed < bytes && n < len(l.records) {
		pages = append(pages, page{first: file.records + n, offset: file.bytes + int64(len(p.buf))})
		end, memory := n, int64(0)
		for end < len(l.records) && end-n < pageRecords && memory < pageMemory {
			memory += l.records[end].Footprint()
			end++
		}
		p.buf = appendPage(p.buf, &p.names, l.records[n:end])
		n, freed = end, freed+memory
	}
	if err := p.append(l, &file); err != nil {
		return err
	}
	file.records, file.bytes, file.pages = file.records+n, file.bytes+int64(len(p.buf)), pages
	l.file = &file
	// A copy, because readers may hold slices of the old array, and the rest of it shall go.
	l.records = append([]*Record(nil), l.records[n:]...)
	p.held -= freed
	return nil
}

// append writes the buffer behind what the file has.
func (p *spill) append(l *log, file *spillFile) (err error) {
	if p.folder == "" {
		if p.folder, err = os.MkdirTemp(p.dir, "oracle-standin-redo-"); err != nil {
			return err
		}
	}
	file.path = filepath.Join(p.folder, fmt.Sprintf("%d_%d.redo", l.thread, l.sequence))
	f, err := os.OpenFile(file.path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.WriteAt(p.buf, file.bytes)
	return err
}

func openSpilled(path string) (*os.File, error) { return os.Open(path) }

// forget drops the records of a log that nobody can open any more.
func (p *spill) forget(l *log) {
	for _, r := range l.records {
		p.held -= r.Footprint()
	}
	if l.file != nil {
		// A file that stays is removed with the folder.
		_ = os.Remove(l.file.path)
	}
	l.records, l.file = nil, nil
}

// close removes the folder. Nobody is left to be told of a file that stays.
func (p *spill) close() {
	p.closed = true
	if p.folder != "" {
		_ = os.RemoveAll(p.folder)
	}
}

// Sizes in memory: a record with its pointers, a value, a decimal, and the headers of what a value points to.
const (
	recordMemory  = 416
	valueMemory   = 96
	decimalMemory = 64
)

// Footprint is about what the record takes in memory.
func (r *Record) Footprint() int64 {
	n := recordMemory + len(r.RowID) + len(r.SQL)
	for _, image := range [][]datum.Datum{r.Before, r.After} {
		n += (valueMemory + 1) * len(image)
		for i := range image {
			n += len(image[i].Text) + len(image[i].Raw)
			if image[i].Number != nil {
				n += decimalMemory
			}
		}
	}
	return int64(n)
}
