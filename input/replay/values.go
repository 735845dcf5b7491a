package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxObject bounds one object of the input: a row has at most a few kilobytes, a case some more.
const maxObject = 64 << 20

// values reads objects one after another: one a line, the elements of an array, or the items of the documents that SQLcl writes with
// SET SQLFORMAT JSON. Only one of them is in memory at a time.
type values struct {
	source *counted
	in     *json.Decoder
	// inside an array; document: it is one of SQLcl, and there may be further ones.
	inside, document bool
	// skipped bytes stand before what the decoder reads.
	skipped int64
	// at is the line on which the last object ends.
	at int
}

func newValues(r io.Reader) *values {
	source := &counted{in: bufio.NewReader(r)}
	return &values{source: source, in: json.NewDecoder(source)}
}

// next gives the next object, io.EOF at the end.
func (v *values) next() (raw json.RawMessage, err error) {
	if v.source.line == 0 {
		v.source.line = 1
		if err := v.begin(); err != nil {
			return nil, v.failed(err)
		}
	}
	for v.inside && !v.in.More() {
		if _, err := v.in.Token(); err != nil {
			return nil, v.failed(err)
		}
		v.inside = false
		if !v.document {
			break
		}
		if err := v.items(); err != nil {
			return nil, v.failed(err)
		}
	}
	if err := v.in.Decode(&raw); err != nil {
		return nil, v.failed(err)
	}
	v.source.passed = v.skipped + v.in.InputOffset()
	v.at = v.source.lineAt(v.source.passed)
	return raw, nil
}

// begin finds out which of the three forms it is.
func (v *values) begin() error {
	first, err := v.source.in.Peek(1)
	for err == nil && (first[0] == ' ' || first[0] == '\n' || first[0] == '\r' || first[0] == '\t') {
		b := make([]byte, 1)
		if _, err = v.source.Read(b); err == nil {
			first, err = v.source.in.Peek(1)
			v.skipped++
		}
	}
	if err != nil {
		return err
	}
	switch start, _ := v.source.in.Peek(len(`{"results"`)); {
	case first[0] == '[':
		v.inside = true
		_, err = v.in.Token()
		return err
	case string(start) == `{"results"`:
		v.document = true
		return v.items()
	}
	return nil
}

// items goes to the first item of the next list of items.
func (v *values) items() error {
	named := false
	for {
		token, err := v.in.Token()
		if err != nil {
			return err
		}
		if delim, ok := token.(json.Delim); ok && named && delim == '[' {
			v.inside = true
			return nil
		}
		name, ok := token.(string)
		named = ok && name == "items"
	}
}

// failed says where the input cannot be read.
func (v *values) failed(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	// What the decoder holds begins behind the last object.
	line := v.source.lineAt(v.skipped + v.in.InputOffset())
	rest, _ := io.ReadAll(io.LimitReader(v.in.Buffered(), maxObject))
	line += bytes.Count(rest[:len(rest)-len(bytes.TrimLeft(rest, " \r\n\t,"))], []byte("\n"))
	return fmt.Errorf("line %d is no JSON: %w", line, err)
}

// counted counts the lines of what is read through it, and ends a value that is too large.
type counted struct {
	in *bufio.Reader
	// ends are the offsets of line breaks that were read and not passed yet.
	ends         []int64
	read, passed int64
	line         int
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	if c.read-c.passed > maxObject {
		return 0, fmt.Errorf("an object of more than %d bytes", maxObject)
	}
	n, err := c.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// lineAt gives the number of the line of an offset that does not lie before the last one asked for.
func (c *counted) lineAt(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] < offset {
		n++
	}
	c.ends = append(c.ends[:0], c.ends[n:]...)
	c.line += n
	return c.line
}
