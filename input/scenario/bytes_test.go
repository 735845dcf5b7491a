package scenario_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// modes are the settings of records that say how a value is written.
type modes struct {
	profile, encoding, decimals, temporals, intervals, binary string
}

// everyMode is profile x encoding x decimals x temporals x intervals x binary.
func everyMode() []modes {
	temporals := map[string][]string{
		"cdc":      {"adaptive", "iso_string"},
		"debezium": {"adaptive", "connect", "microseconds", "nanoseconds", "isostring", "structured"},
	}
	var all []modes
	for _, profile := range []string{"cdc", "debezium"} {
		for _, encoding := range []string{"json", "json_schema"} {
			for _, decimals := range []string{"precise", "string", "double"} {
				for _, times := range temporals[profile] {
					for _, intervals := range []string{"numeric", "string"} {
						for _, binary := range []string{"bytes", "base64", "base64_url_safe", "hex"} {
							all = append(all, modes{profile, encoding, decimals, times, intervals, binary})
						}
					}
				}
			}
		}
	}
	return all
}

func (m modes) fields() fields {
	return fields{
		"records.profile": m.profile, "records.encoding": m.encoding, "records.decimals": m.decimals, "records.temporals": m.temporals,
		"records.intervals": m.intervals, "records.binary": m.binary,
	}
}

func (m modes) settings(topic string) debezium.Settings {
	profile := debezium.CDC()
	if m.profile == "debezium" {
		profile = debezium.Debezium()
	}
	return debezium.Settings{
		Profile: profile, Server: "shop", Topic: topic, Encoding: debezium.Encoding(m.encoding), Decimals: debezium.Decimals(m.decimals),
		Temporals: debezium.Temporals(m.temporals), Intervals: debezium.Intervals(m.intervals), Binary: debezium.Binary(m.binary),
	}
}

// selecting reads a table as a snapshot does: with a session of the capture user, which goes to the table's container.
type selecting struct {
	session *oracle.Session
	table   schema.Table
	row     *snapshot.Row
}

// selecting describes a table by the dictionary. The session is closed before the pipeline, which leaves none behind.
func (s *scenario) selecting(t *rapid.T, table schema.Table) *selecting {
	session, err := oracle.Connect(t.Context(), oracle.Config{ConnectionString: s.db.DSN(capture)}, oracle.Bookkeeping)
	if err != nil {
		t.Fatal(err)
	}
	r := &selecting{session: session, table: table}
	if err := r.describe(t.Context(), s.db.PDB()); err != nil {
		r.close(t)
		t.Fatal(err)
	}
	return r
}

func (r *selecting) describe(ctx context.Context, pdb string) error {
	database, err := oracle.ReadDatabase(ctx, r.session)
	if err != nil {
		return err
	}
	captured, err := database.Captured([]string{pdb})
	if err != nil || len(captured) != 1 {
		return fmt.Errorf("containers %v: %w", captured, err)
	}
	got, err := oracle.Describe(ctx, r.session, database, captured[0], func(table schema.Table) bool { return table == r.table }, oracle.SmallestNotNull)
	if err != nil || len(got) != 1 {
		return fmt.Errorf("%d tables: %w", len(got), err)
	}
	if r.row, err = snapshot.NewRow(got[0].Version); err != nil {
		return err
	}
	return r.session.Exec(ctx, oracle.Statement{Name: "go to the container", Text: "ALTER SESSION SET CONTAINER = " + pdb})
}

func (r *selecting) close(t *rapid.T) {
	if err := r.session.Close(); err != nil {
		t.Error(err)
	}
}

// one reads a row.
func (r *selecting) one(t *rapid.T, where string) []value.Value {
	rows, err := r.session.Query(t.Context(), oracle.Statement{
		Name: "select the row", Text: fmt.Sprintf(`SELECT %s FROM "%s"."%s"`, r.row.List(), r.table.Owner, r.table.Name) + where,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !rows.Next() {
		t.Fatalf("no row: %v", rows.Err())
	}
	image, err := r.row.Read(rows)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// captureUser is the name of the capture user.
func (s *scenario) captureUser() string {
	s.t.Helper()
	u, err := url.Parse(s.db.DSN(capture))
	if err != nil {
		s.t.Fatal(err)
	}
	return u.User.Username()
}

// P6: a row that is inserted, changed and deleted has the same bytes in the stream and by SELECT, for random types and values, in every
// profile, encoding and mode. All of profile x encoding x modes is rendered of a row of each table from the values of both ways, of every row
// where those differ; what the running pipeline published is compared in the modes that it was started with.
func TestStreamedAndSelectedRowsHaveTheSameBytes(t *testing.T) {
	// Side by side, since a round waits most of its time.
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := begin(t)
			all := everyMode()
			begun, rounds, rows, refused, failing := time.Now(), 0, 0, 0, false
			rapid.Check(t, func(rt *rapid.T) {
				// Fewer rounds on a busy machine, but never none.
				if time.Since(begun) > 8*time.Second && rounds > 5 && !failing {
					return
				}
				rounds++
				failing = true // while it fails it is tried again with less
				m := rapid.SampledFrom(all).Draw(rt, "modes")
				drawn := drawTable(rt, m)
				rows += len(drawn.rows)
				refused += s.roundOfBytes(rt, m, drawn, rounds)
				failing = false
			})
			t.Logf("%d rows of %d tables, each through a pipeline, one of each table rendered in all %d modes; %d renderings refused both ways",
				rows, rounds, len(all), refused)
		})
	}
}

func (s *scenario) roundOfBytes(t *rapid.T, m modes, drawn drawnTable, round int) (refused int) {
	name := fmt.Sprintf("t%d", round)
	s.table(name, drawn.ddl())
	s.exec("GRANT SELECT ON $" + name + " TO " + s.captureUser())
	defer func() {
		s.tables = s.tables[:len(s.tables)-1]
		s.exec("DROP TABLE $" + name)
	}()
	s.file = filepath.Join(s.t.TempDir(), "position.json")
	p := s.start(m.fields())
	defer p.stop()
	r := s.selecting(t, schema.Table{PDB: s.db.PDB(), Owner: s.db.Owner(), Name: s.db.Table(name)})
	defer r.close(t)
	var want []change.Event
	for i, row := range drawn.rows {
		where := fmt.Sprintf(" WHERE id = %d", i)
		s.exec(fmt.Sprintf("INSERT INTO $%s VALUES (%d, %s, NULL)", name, i, strings.Join(row.values, ", ")))
		first := r.one(t, where)
		s.exec("UPDATE $" + name + " SET " + row.sets() + where)
		second := r.one(t, where)
		s.exec("DELETE FROM $" + name + where)
		want = append(want, change.Event{Op: change.Create, After: first}, change.Event{Op: change.Update, Before: first, After: second},
			change.Event{Op: change.Delete, Before: second})
	}
	var got []*change.Event
	for _, m := range p.settle() {
		if m.event.Kind != change.Tombstone {
			got = append(got, m.event)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d events, want %d", drawn.ddl(), len(got), len(want))
	}
	tables := map[modes]*debezium.Table{}
	for _, m := range everyMode() {
		var err error
		if tables[m], err = debezium.NewTable(m.settings(got[0].Topic), got[0].Version); err != nil {
			t.Fatal(err)
		}
	}
	for i, selected := range want {
		if got[i].Op != selected.Op {
			t.Fatalf("%s: event %d is %c, want %c", drawn.ddl(), i, got[i].Op, selected.Op)
		}
		refused += sameBytes(t, tables, m, got[i], selected, i < 3)
	}
	return refused
}

// sameBytes holds a streamed event against its row as it was selected, and gives how many modes cannot hold the row. The rest of the
// modes is rendered of the whole, or where the two ways have other values for what must be the same bytes.
func sameBytes(t *rapid.T, tables map[modes]*debezium.Table, started modes, streamed *change.Event, selected change.Event, whole bool) (refused int) {
	event := *streamed
	event.Before, event.After = selected.Before, selected.After
	alike := sameValues(streamed.Before, selected.Before) && sameValues(streamed.After, selected.After)
	for m, table := range tables {
		if alike && !whole && m != started {
			continue // rendering takes nothing but the values
		}
		key, value, err := rendering(table, streamed)
		selectedKey, selectedValue, selectedErr := rendering(table, &event)
		if fmt.Sprint(err) != fmt.Sprint(selectedErr) || key != selectedKey || value != selectedValue {
			t.Fatalf("%+v: %s", m, difference(streamed, &event, err, selectedErr))
		}
		if err != nil {
			refused++
		}
		if m != started {
			continue
		}
		if err != nil || key != string(streamed.Key) {
			t.Fatalf("%+v: key %s by the pipeline, %s by SELECT, %v", m, streamed.Key, key, err)
		}
		if got, want := imagesOf(t, m, string(streamed.Value)), imagesOf(t, m, selectedValue); got != want {
			t.Fatalf("%+v: by the pipeline %s\nby SELECT %s", m, got, want)
		}
		// A record of a snapshot is another operation over the same image.
		read := change.Event{Kind: change.Snapshot, Op: change.Read, Version: streamed.Version, After: selected.After}
		if read.After == nil {
			read.After = selected.Before
		}
		_, snapshotted, err := rendering(table, &read)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := imageOf(t, m, snapshotted, "after"), imageOf(t, m, string(streamed.Value), lastImage(streamed)); got != want {
			t.Fatalf("%+v: a snapshot record %s, the stream %s", m, got, want)
		}
	}
	return refused
}

func sameValues(a, b []value.Value) bool { return slices.EqualFunc(a, b, value.Value.Equal) }

// difference names the columns that are not the same both ways.
func difference(streamed, selected *change.Event, streamedErr, selectedErr error) string {
	out := fmt.Sprintf("streamed %v, selected %v", streamedErr, selectedErr)
	for i := range streamed.Version.Columns {
		for _, images := range [][2][]value.Value{{streamed.Before, selected.Before}, {streamed.After, selected.After}} {
			if images[0] != nil && !images[0][i].Equal(images[1][i]) {
				c := &streamed.Version.Columns[i]
				out += fmt.Sprintf("\n%s %s: streamed %+v, selected %+v", c.Name, c.Type.Name, images[0][i], images[1][i])
			}
		}
	}
	return out
}

func rendering(table *debezium.Table, ev *change.Event) (key, value string, err error) {
	k, err := table.AppendKey(nil, ev)
	if err != nil {
		return "", "", err
	}
	v, err := table.AppendValue(nil, ev)
	return string(k), string(v), err
}

// lastImage is the member that has the row as the event left it, or took it away.
func lastImage(ev *change.Event) string {
	if ev.After != nil {
		return "after"
	}
	return "before"
}

// imagesOf gives the bytes of both images, with the schema of the record where it has one.
func imagesOf(t *rapid.T, m modes, record string) string {
	schema := ""
	if m.encoding == "json_schema" {
		var outer struct{ Schema json.RawMessage }
		if err := json.Unmarshal([]byte(record), &outer); err != nil {
			t.Fatal(err)
		}
		schema = string(outer.Schema)
	}
	return imageOf(t, m, record, "before") + " -> " + imageOf(t, m, record, "after") + " " + schema
}

// imageOf gives the bytes of an image in a record.
func imageOf(t *rapid.T, m modes, record, member string) string {
	payload := json.RawMessage(record)
	var outer struct{ Payload json.RawMessage }
	if m.encoding == "json_schema" {
		if err := json.Unmarshal(payload, &outer); err != nil {
			t.Fatal(err)
		}
		payload = outer.Payload
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(payload, &members); err != nil {
		t.Fatalf("%v: %s", err, record)
	}
	return string(members[member])
}
