package logminer

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// joiner puts the chunks of one statement together (R9). A chunk ends after at most 4000 bytes, anywhere in the text;
// chunks follow one another and share thread, address and SSN.
type joiner struct {
	open  bool
	first Row
	text  strings.Builder
}

// add takes a row. It reports whether a statement is complete; the row then holds the whole text.
func (j *joiner) add(r *raw) (complete bool, err error) {
	if !j.open {
		if !r.more {
			return true, nil
		}
		j.open, j.first = true, r.Row
		j.text.Reset()
		j.text.WriteString(r.Redo)
		return false, nil
	}
	f := &j.first
	if r.Thread != f.Thread || r.Address != f.Address || r.SSN != f.SSN || r.Operation != f.Operation || r.XID != f.XID {
		return false, j.broken("another row came between the chunks of a statement")
	}
	j.text.WriteString(r.Redo)
	if r.more {
		return false, nil
	}
	j.open = false
	r.Row = j.first
	r.Redo = j.text.String()
	return true, nil
}

// end is called at the normal end of the query.
func (j *joiner) end() error {
	if j.open {
		return j.broken("the query ended before the last chunk of a statement")
	}
	return nil
}

func (j *joiner) broken(what string) error {
	return &oracle.Fault{Class: oracle.ReMine, Limit: missRetries, Becomes: stop.New(stop.StepFailed, j.first.at(), "%s", what)}
}
