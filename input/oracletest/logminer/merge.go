package logminer

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// batchRecords is how many records are taken from a log at a time.
const batchRecords = 256

// merge reads the records of several logs: those of a thread in redo order, threads by SCN (reference logminer F.3).
type merge struct {
	threads []*cursor
	// silent makes a reused online log end where the reading is (R10); otherwise it is an error.
	silent bool
}

// cursor reads the logs of one thread one after the other.
type cursor struct {
	files  []*redo.File
	reader *redo.Reader // of the file in hand
	ends   []int        // number of records when the query began
	file   int
	next   int
	batch  []*redo.Record
}

// openMerge takes files sorted by thread and sequence.
func openMerge(files []*redo.File) (*merge, error) {
	m := &merge{}
	thread := 0
	for _, file := range files {
		header, err := file.Header()
		if err != nil {
			return nil, fetchError(err)
		}
		if len(m.threads) == 0 || header.Thread != thread {
			m.threads = append(m.threads, &cursor{})
			thread = header.Thread
		}
		c := m.threads[len(m.threads)-1]
		c.files, c.ends = append(c.files, file), append(c.ends, header.Records)
	}
	return m, nil
}

// read returns the next record, nil at the end. It is valid until the next call.
func (m *merge) read(ctx context.Context) (*redo.Record, error) {
	var lowest *cursor
	for _, c := range m.threads {
		if err := c.fill(ctx, m.silent); err != nil {
			return nil, err
		}
		if len(c.batch) > 0 && (lowest == nil || c.batch[0].SCN < lowest.batch[0].SCN) {
			lowest = c
		}
	}
	if lowest == nil {
		return nil, nil
	}
	r := lowest.batch[0]
	lowest.batch = lowest.batch[1:]
	return r, nil
}

// fill makes sure that there is a batch unless the thread is at its end.
func (c *cursor) fill(ctx context.Context, silent bool) error {
	for len(c.batch) == 0 && c.file < len(c.files) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.reader == nil {
			c.reader = c.files[c.file].Reader()
		}
		batch, err := c.reader.Read(c.next, min(c.next+batchRecords, c.ends[c.file]))
		var reused *redo.ReusedError
		if err != nil && (!silent || !errors.As(err, &reused)) {
			return fetchError(err)
		}
		if len(batch) == 0 {
			if err := c.close(); err != nil {
				return err
			}
			c.file++
			c.next = 0
			continue
		}
		c.next += len(batch)
		c.batch = batch
	}
	return nil
}

// close ends the reading of the file in hand.
func (c *cursor) close() error {
	if c.reader == nil {
		return nil
	}
	reader := c.reader
	c.reader = nil
	return reader.Close()
}

func (m *merge) close() error {
	var errs []error
	for _, c := range m.threads {
		errs = append(errs, c.close())
	}
	m.threads = nil
	return errors.Join(errs...)
}

// online lists the online logs that are not read to their end.
func (m *merge) online() []*redo.File {
	var files []*redo.File
	for _, c := range m.threads {
		for i := c.file; i < len(c.files); i++ {
			if c.files[i].Online() && (i > c.file || len(c.batch) > 0 || c.next < c.ends[i]) {
				files = append(files, c.files[i])
			}
		}
	}
	return files
}

// forget drops what was read ahead.
func (m *merge) forget() {
	for _, c := range m.threads {
		c.next -= len(c.batch)
		c.batch = nil
	}
}
