package logminer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// caller is a session with the settings of reference logminer A.6.
type caller struct {
	container int
	nls       map[string]string
	attached  map[string]any
	hidden    int // container that CONTAINER_DATA leaves out
	engine.Authority
}

func (c *caller) Sees(container int) bool { return container != c.hidden }

func newCaller(container int) *caller {
	return &caller{container: container, attached: map[string]any{}, nls: map[string]string{
		"NLS_DATE_FORMAT":         "YYYY-MM-DD HH24:MI:SS",
		"NLS_TIMESTAMP_FORMAT":    "YYYY-MM-DD HH24:MI:SS.FF9",
		"NLS_TIMESTAMP_TZ_FORMAT": "YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM",
		"NLS_NUMERIC_CHARACTERS":  ".,",
		"TIME_ZONE":               "UTC",
	}}
}

func (c *caller) SessionID() int               { return 42 }
func (c *caller) Serial() int                  { return 7 }
func (c *caller) User() string                 { return "C##CDC" }
func (c *caller) Container() int               { return c.container }
func (c *caller) NLS(name string) string       { return c.nls[name] }
func (c *caller) Attach(key string, state any) { c.attached[key] = state }
func (c *caller) Attached(key string) (any, bool) {
	state, ok := c.attached[key]
	return state, ok
}

// dictionary knows the tables that a test puts in.
type dictionary struct {
	containers []catalog.Container
	tables     map[string]*catalog.Table
	stream     *redo.Stream
}

func (d *dictionary) Containers() []catalog.Container { return d.containers }

func (d *dictionary) Table(container int, id uint32) (*catalog.Table, bool) {
	t, ok := d.tables[fmt.Sprint(container, id)]
	return t, ok
}

func (d *dictionary) BeginBuild(ctx context.Context, by redo.Origin) (*redo.Build, error) {
	b := &redo.Build{SCN: d.stream.CurrentSCN(), Tables: map[int]map[uint32]*catalog.Table{}}
	for _, t := range d.tables {
		if b.Tables[t.Container] == nil {
			b.Tables[t.Container] = map[uint32]*catalog.Table{}
		}
		b.Tables[t.Container][t.ObjectID] = t
	}
	return b, d.stream.Append(ctx, redo.BuildRecord(b, false, by))
}

func (d *dictionary) put(t *catalog.Table) { d.tables[fmt.Sprint(t.Container, t.ObjectID)] = t }

// scene is a stream with a Miner over it and one mining session.
type scene struct {
	t      *testing.T
	stream *redo.Stream
	dict   *dictionary
	miner  *Miner
	caller *caller
}

func newScene(t *testing.T, config redo.Config) *scene {
	t.Helper()
	return newSceneAt(t, config, func() time.Time { return time.Date(2026, 2, 28, 13, 45, 59, 123456789, time.UTC) })
}

func newSceneAt(t *testing.T, config redo.Config, now func() time.Time) *scene {
	t.Helper()
	config.Now = now
	stream, err := redo.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	dict := &dictionary{
		containers: []catalog.Container{
			{ID: catalog.Root, Name: "CDB$ROOT", OpenMode: "READ WRITE", DBID: 11},
			{ID: 3, Name: "FREEPDB1", OpenMode: "READ WRITE", DBID: 13},
			{ID: 4, Name: "FREEPDB2", OpenMode: "READ WRITE", DBID: 14},
		},
		tables: map[string]*catalog.Table{}, stream: stream,
	}
	miner := New(Config{Stream: stream, Dictionary: dict, Release: 23, DBID: 1, DBName: "FREE"})
	return &scene{t: t, stream: stream, dict: dict, miner: miner, caller: newCaller(catalog.Root)}
}

func (s *scene) append(recs ...*redo.Record) {
	s.t.Helper()
	if err := s.stream.Append(s.t.Context(), recs...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) switchLog() {
	s.t.Helper()
	if err := s.stream.SwitchLogfile(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// call runs a procedure with named arguments name, value, …; a value is text or an int.
func (s *scene) call(procedure string, args ...any) error {
	s.t.Helper()
	var list []engine.Argument
	for i := 0; i < len(args); i += 2 {
		name, _ := args[i].(string)
		list = append(list, engine.Argument{Name: name, Value: cell(args[i+1])})
	}
	known, err := s.miner.Call(s.t.Context(), s.caller, "DBMS_LOGMNR."+procedure, list)
	if !known {
		s.t.Fatalf("procedure %s is not known", procedure)
	}
	return err
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// mine adds all logs and reads the columns as text, one row a line, separated by |.
func (s *scene) mine(options int, columns ...string) []string {
	s.t.Helper()
	s.addAll()
	s.must(s.call("START_LOGMNR", "StartScn", 0, "EndScn", 0, "Options", options))
	rows, err := s.read(columns...)
	s.must(err)
	return rows
}

func (s *scene) addAll() {
	s.t.Helper()
	option := optionNew
	var names []string
	archived := map[uint32]bool{}
	for _, a := range s.stream.Archived() {
		if !a.Deleted {
			names = append(names, a.Name)
			archived[a.Sequence] = true
		}
	}
	for _, o := range s.stream.Online() {
		if o.Status != redo.StatusUnused && !archived[o.Sequence] {
			names = append(names, o.Member)
		}
	}
	for _, name := range names {
		s.must(s.call("ADD_LOGFILE", "LogFileName", name, "Options", option))
		option = optionAddFile
	}
}

func (s *scene) read(columns ...string) ([]string, error) {
	return s.readView("V$LOGMNR_CONTENTS", columns...)
}

func (s *scene) readView(name string, columns ...string) ([]string, error) {
	view, ok := s.miner.View("", name)
	if !ok {
		return nil, errors.New("no view " + name)
	}
	var at []int
	for _, c := range columns {
		for i, column := range view.Columns() {
			if column.Name == c {
				at = append(at, i)
			}
		}
	}
	if len(at) != len(columns) {
		return nil, fmt.Errorf("columns %v are not all there", columns)
	}
	if p, ok := view.(engine.Projector); ok {
		view = p.Project(at)
	}
	rows, err := view.Open(s.t.Context(), s.caller)
	if err != nil {
		return nil, err
	}
	defer func() { s.must(rows.Close()) }()
	var lines []string
	dst := make([]datum.Datum, len(view.Columns()))
	for {
		ok, err := rows.Next(context.Background(), dst)
		if !ok || err != nil {
			return lines, err
		}
		var line []string
		for _, i := range at {
			line = append(line, show(dst[i]))
		}
		lines = append(lines, strings.Join(line, "|"))
	}
}

func show(d datum.Datum) string {
	switch d.Kind {
	case datum.Number:
		return d.Number.Text('f')
	case datum.Raw:
		return fmt.Sprintf("%X", d.Raw)
	case datum.Time:
		t := d.Time
		return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d.%d", t.Year, t.Month, t.Day, t.Hour, t.Minute, t.Second, t.Nano)
	case datum.Null:
		return "-"
	default:
		return d.Text
	}
}

func cell(v any) datum.Datum {
	switch v := v.(type) {
	case int:
		return relation.Int(int64(v))
	case redo.SCN:
		return relation.Uint(uint64(v))
	case string:
		return relation.Text(v)
	}
	return datum.Datum{}
}

// decimal is a NUMBER value.
func decimal(t testing.TB, text string) datum.Datum {
	t.Helper()
	d, _, err := apd.NewFromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return datum.Datum{Kind: datum.Number, Number: d}
}

func code(err error) int {
	var ora *wire.OraError
	if errors.As(err, &ora) {
		return ora.Code
	}
	return 0
}

// tableT is APP.T(ID, NAME) of reference logminer O.
func tableT() *catalog.Table {
	return &catalog.Table{
		Container: 3, Owner: "APP", Name: "T", ObjectID: 74569, DataObjectID: 74569, Version: 1,
		Columns: []catalog.Column{
			{Name: "ID", Type: datum.Type{Code: datum.TypeNumber}, SegmentID: 1},
			{Name: "NAME", Type: datum.Type{Code: datum.TypeVarchar, Size: 50}, SegmentID: 2},
		},
	}
}

// change makes a record of T. before and after hold ID and NAME as cells; nil is not logged.
func change(table *catalog.Table, xid redo.XID, op redo.Op, rowID string, before, after []any) *redo.Record {
	r := &redo.Record{
		Table: table, Container: table.Container, XID: xid, Op: op, RowID: rowID,
		Origin: redo.Origin{User: "APP", SessionID: 100, Serial: 5, Machine: "host", Program: "test"},
	}
	r.Before, r.BeforeSet = side(before)
	r.After, r.AfterSet = side(after)
	return r
}

func side(values []any) ([]datum.Datum, []bool) {
	if values == nil {
		return nil, nil
	}
	cells, set := make([]datum.Datum, len(values)), make([]bool, len(values))
	for i, v := range values {
		cells[i], set[i] = cell(v), v != notSet
	}
	return cells, set
}

// notSet marks a column that an image does not hold.
var notSet any = struct{}{}

func marker(xid redo.XID, op redo.Op) *redo.Record {
	return &redo.Record{
		Container: 3, XID: xid, Op: op,
		Origin: redo.Origin{User: "APP", SessionID: 100, Serial: 5, Machine: "host", Program: "test"},
	}
}
