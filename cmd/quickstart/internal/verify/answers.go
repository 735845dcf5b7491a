package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Asked is a signal that was sent while the pipeline ran.
type Asked struct {
	ID string
	// Reads is the table whose rows it asks for; nil: none.
	Reads *ledger.Table
}

// Answers are what the pipeline's events say of signals.
type Answers struct {
	// status has that of each signal by id; of one that was answered twice in different ways both.
	status map[string][]string
	// Completed counts snapshots on demand that came to their end.
	Completed int
}

// ParseAnswers reads the values of the topic of ops events.
func ParseAnswers(values [][]byte) (Answers, error) {
	a := Answers{status: map[string][]string{}}
	ended := map[string]bool{}
	for _, value := range values {
		event, err := parseJSON(value)
		if err != nil {
			return a, fmt.Errorf("ops event: %w", err)
		}
		detail := func(name string) string { return fmt.Sprint(event.S("details", name).Data()) }
		switch event.S("type").Data() {
		case "signal-ack":
			if id := detail("id"); !slices.Contains(a.status[id], detail("status")) {
				a.status[id] = append(a.status[id], detail("status"))
			}
		case "snapshot-completed":
			if detail("kind") == "incremental" {
				ended[detail("snapshot")] = true
			}
		}
	}
	a.Completed = len(ended)
	return a, nil
}

// All reports whether every signal is answered, and every snapshot that was asked for is at its end.
func (a Answers) All(asked []Asked) bool {
	reads := 0
	for _, s := range asked {
		if len(a.status[s.ID]) == 0 {
			return false
		}
		if s.Reads != nil {
			reads++
		}
	}
	return a.Completed >= reads
}

// Answered checks that every signal was done, and that every row which was there before and stayed was read for one that asked for it.
func (h *History) Answered(asked []Asked, answers Answers, report *Report) {
	gone := h.deleted()
	for _, s := range asked {
		if status := strings.Join(answers.status[s.ID], " and "); status != "ok" {
			report.fault("signal %s is answered %q", s.ID, status)
			continue
		}
		report.Signals++
		if s.Reads == nil {
			continue
		}
		read := map[string]bool{}
		for _, r := range h.readings {
			if r.incremental && r.table == s.Reads {
				read[r.key.String()] = true
			}
		}
		for i := range h.existing {
			c := &h.existing[i]
			name := c.Table.FullName() + " " + c.Key.String()
			if c.Table == s.Reads && !gone[name] && !emptied(c.Table) && !read[c.Key.String()] {
				report.fault("signal %s asked for %s, and the row %s was not read", s.ID, c.Table.FullName(), c.Key)
			}
		}
	}
}
