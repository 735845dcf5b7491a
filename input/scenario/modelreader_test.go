package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// modelReader is capture as the model's consumer has it, over restarts.
type modelReader struct {
	m      *model
	broker *broker
	p      *pipeline
	// got is what processes that ended delivered, without repeats.
	got []delivery
	// compared is how much of it was as expected.
	compared int
	// layouts are the columns of the version of every record, by table and number.
	layouts map[string]string
	stopped *stop.Error
	// numbered: texts have the version.
	numbered bool
}

// delivery is a message with what it is identified by.
type delivery struct{ identity, text string }

func (r *modelReader) start() {
	r.m.s.t.Helper()
	r.m.statements = append(r.m.statements, "-- capture is started")
	r.p = r.m.s.launchBehind(fields{
		"include": []string{`.*\.APP\.T[0-9]+`, r.m.s.include(fenceTable)[0]}, "records.truncates": true, "allow_no_tables": true,
		"kafka.seed_brokers": []string{r.broker.address()}, "position.store": "file", "metadata": everyMetadatum(),
	}, "", "oracle_schema: {}")
}

// all is what was delivered so far.
func (r *modelReader) all() []delivery {
	r.m.s.t.Helper()
	got, _ := r.p.delivered()
	now := make([]delivery, 0, len(got))
	for i := range got {
		m := &got[i]
		if m.event.Transaction == nil || m.event.Version.Table.Name == r.m.s.db.Table(fenceTable) {
			continue
		}
		r.version(m)
		ev := m.event
		text := ev.Version.Table.String() + " " + shown(m)
		if r.numbered {
			text += fmt.Sprintf(" v%d", ev.Version.Number)
		}
		now = append(now, delivery{fmt.Sprintf("%d/%s/%d/%s%c", ev.Transaction.Container, ev.Transaction.ID, ev.Index, ev.Kind, ev.Op), text})
	}
	if len(now) == 0 {
		return r.got
	}
	at := slices.Index(r.got, now[0])
	if at < 0 {
		return append(slices.Clone(r.got), now...)
	}
	for i := range min(len(r.got)-at, len(now)) {
		// One that came again may say less of a value than before, or more (R109), and nothing that is wrong.
		if r.got[at+i].identity != now[i].identity || at+i < len(r.m.expected) && !r.m.expected[at+i].met(now[i].text) {
			r.fail("came again as %s\nwas %s", now[i], r.got[at+i])
		}
	}
	return append(slices.Clone(r.got[:at]), now...)
}

// version looks whether a number stands for one layout only, and is the one that the message says.
func (r *modelReader) version(m *message) {
	r.m.s.t.Helper()
	v := m.event.Version
	if number := fmt.Sprint(m.metadata["schema_version"]); number != strconv.Itoa(v.Number) {
		r.fail("version %s, of a row of version %d", number, v.Number)
	}
	name, is := fmt.Sprintf("%s version %d", v.Table, v.Number), layoutOf(v)
	if was, ok := r.layouts[name]; ok && was != is {
		r.fail("%s has the columns %s, and had %s", name, is, was)
	}
	r.layouts[name] = is
}

func layoutOf(v *schema.Version) string {
	var all []string
	for i := range v.Columns {
		if c := &v.Columns[i]; c.Published() {
			all = append(all, c.Name)
		}
	}
	return strings.Join(all, ",")
}

// shown is the line of a message, with the values that it says it does not have.
func shown(m *message) string {
	if m.tombstone() || m.event.Before == nil && m.event.After == nil {
		return m.line()
	}
	r := m.record()
	before, after := known(r.Before, m.event.Version, m.event.Before), known(r.After, m.event.Version, m.event.After)
	switch r.Op {
	case "u":
		return fmt.Sprintf("%s u %s -> %s", m.event.Key, before, after)
	case "d":
		return fmt.Sprintf("%s d %s", m.event.Key, before)
	}
	return fmt.Sprintf("%s %s %s", m.event.Key, r.Op, after)
}

// known is an image of a record, with what is unavailable marked.
func known(image json.RawMessage, v *schema.Version, values []value.Value) string {
	if !slices.ContainsFunc(values, func(x value.Value) bool { return x.Kind() == value.Unavailable }) {
		return string(image)
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(image, &parts); err != nil {
		return string(image)
	}
	var b bytes.Buffer
	for i := range v.Columns {
		c := &v.Columns[i]
		part, ok := parts[c.Name]
		if !ok {
			continue
		}
		if values[i].Kind() == value.Unavailable {
			part = []byte(unavailable)
		}
		fmt.Fprintf(&b, ",%q:%s", c.Name, part)
	}
	return "{" + b.String()[1:] + "}"
}

// settle waits until everything that committed is delivered, or capture stopped, and compares. It is false after a stop.
func (r *modelReader) settle() bool {
	s := r.m.s
	s.t.Helper()
	s.fences++
	s.exec("INSERT INTO $"+fenceTable+" VALUES (:1)", s.fences)
	key := fmt.Sprintf(`{"ID":%d}`, s.fences)
	deadline := time.After(patience)
	for {
		got, changed := r.p.delivered()
		if slices.ContainsFunc(got, func(m message) bool {
			return m.event.Version != nil && m.event.Version.Table.Name == s.db.Table(fenceTable) && string(m.event.Key) == key
		}) {
			r.compare(true)
			r.m.statements = append(r.m.statements, "-- everything came")
			clear(r.m.shaped)
			return true
		}
		select {
		case <-changed:
		case r.stopped = <-r.p.typed:
			r.compare(false)
			return false
		case <-deadline:
			r.fail("the fence does not come")
		}
	}
}

// compare looks whether what came is what had to come; whole: and nothing is missing.
func (r *modelReader) compare(whole bool) {
	r.m.s.t.Helper()
	got, want := r.all(), r.m.expected
	for ; r.compared < len(got); r.compared++ {
		if r.compared == len(want) {
			r.fail("nobody did %s", got[r.compared])
		}
		if e := &want[r.compared]; !e.met(got[r.compared].text) {
			r.fail("message %d is\n%s, want\n%s", r.compared, got[r.compared].text, e.text)
		}
	}
	if whole && len(got) < len(want) {
		r.fail("%s is missing", want[len(got)].text)
	}
}

// end ends the process, by asking it or not.
func (r *modelReader) end(kill bool) {
	if kill {
		r.p.kill()
	} else {
		r.p.stop()
	}
	r.m.statements = append(r.m.statements, "-- capture has ended")
	r.got = r.all()
	r.compare(false)
}

// fail ends the test with what led to it.
func (r *modelReader) fail(format string, args ...any) {
	r.m.s.t.Helper()
	r.m.s.t.Fatalf("%s\nafter\n%s", fmt.Sprintf(format, args...), strings.Join(r.m.statements, "\n"))
}

var tableNames = regexp.MustCompile(`[A-Z0-9]+\.APP\.[TU][0-9]+`)

// legitimate says whether a stop is one that capture may make instead of going on: CDC-6001 where several DDL on the table that it names
// followed on each other before anybody saw the dictionary between them, CDC-6002 for a table that was created with rows, or CDC-6001
// where that was dropped before anybody saw it.
func (r *modelReader) legitimate() bool {
	for _, name := range tableNames.FindAllString(r.stopped.Error(), -1) {
		switch r.stopped.Code {
		case stop.NoDictionary:
			if r.m.shaped[name] > 1 || r.m.shaped[r.m.renamed[name]] > 1 || slices.Contains(r.m.loaded, name) || r.partitionsGone() {
				return true
			}
		case stop.DDL:
			if slices.Contains(r.m.loaded, name) {
				return true
			}
		}
	}
	return false
}

// partitionsGone reports a stop at a row of a partition that an insert made, whose table was dropped before anybody read the id (R104).
func (r *modelReader) partitionsGone() bool {
	return r.stopped.Code == stop.NoDictionary && strings.Contains(r.stopped.What, "nobody can name") &&
		slices.ContainsFunc(tableNames.FindAllString(r.stopped.Error(), -1), func(name string) bool { return r.m.dropped[name] })
}

// stored looks whether every version of a record is in the schema topic as the record has it.
func (r *modelReader) stored() {
	r.m.s.t.Helper()
	known := map[string]bool{}
	for _, record := range r.broker.topic("shop.cdc.schema") {
		var key struct{ PDB, Owner, Table string }
		var stored struct {
			Versions []struct {
				Version int
				Columns []struct {
					Name                           string
					Hidden, Virtual, Unused, Guard bool
				}
			}
		}
		if record.Value == nil {
			continue
		}
		if err := json.Unmarshal(record.Key, &key); err != nil {
			r.fail("schema topic: %v", err)
		}
		if err := json.Unmarshal(record.Value, &stored); err != nil {
			r.fail("schema topic: %v", err)
		}
		for _, v := range stored.Versions {
			var all []string
			for _, c := range v.Columns {
				if !c.Hidden && !c.Virtual && !c.Unused && !c.Guard {
					all = append(all, c.Name)
				}
			}
			known[fmt.Sprintf("%s.%s.%s version %d %s", key.PDB, key.Owner, key.Table, v.Version, strings.Join(all, ","))] = true
		}
	}
	for name, columns := range r.layouts {
		if !known[name+" "+columns] {
			r.fail("%s with the columns %s is not in the schema topic", name, columns)
		}
	}
}

// waiting holds batches until a channel is closed.
func waiting(release <-chan struct{}) judgement {
	return func(ctx context.Context, _ int, _ []message) error {
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
