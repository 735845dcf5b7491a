package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

var noon = time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)

type caller struct {
	container int
	user      string
	all       bool  // may read every table
	hidden    []int // containers that CONTAINER_DATA leaves out
}

func (c caller) SessionID() int              { return 42 }
func (c caller) Serial() int                 { return 7 }
func (c caller) User() string                { return c.user }
func (c caller) Container() int              { return c.container }
func (c caller) NLS(name string) string      { return "value of " + name }
func (c caller) Attach(string, any)          {}
func (c caller) Attached(string) (any, bool) { return nil, false }
func (c caller) Sees(container int) bool {
	return c.container == container || c.container == catalog.Root && !slices.Contains(c.hidden, container)
}
func (c caller) Accessible(owner, _ string) bool { return owner == c.user || c.all }
func (c caller) SystemPrivileges() []string      { return []string{"CREATE SESSION", "LOGMINING"} }
func (c caller) Roles() []string                 { return []string{"EXECUTE_CATALOG_ROLE"} }

type database struct {
	stream     *redo.Stream
	containers []catalog.Container
	logging    Logging
}

func (d *database) Containers() []catalog.Container { return d.containers }
func (d *database) CurrentSCN() redo.SCN            { return d.stream.NextSCN() }
func (d *database) Logging() Logging                { return d.logging }
func (d *database) Users(container int) []catalog.User {
	users := []catalog.User{{Name: "SYSTEM", Common: true, OracleMaintained: true}, {Name: "C##CDC", Common: true, AllContainers: true}}
	if container > catalog.PDBSeed {
		users = append(users, catalog.User{Name: "APP"})
	}
	return users
}

func (d *database) Roles(int) []catalog.Role {
	return []catalog.Role{{Name: "CLERK"}, {Name: "DBA", Common: true, OracleMaintained: true}}
}

func (d *database) Grants(container int) []catalog.Grant {
	list := []catalog.Grant{
		{Grantee: "C##CDC", Privilege: catalog.Privilege{Name: "LOGMINING"}, Common: true},
		{Grantee: "C##CDC", Privilege: catalog.Privilege{Name: "SET CONTAINER"}, Common: true, Local: true, Option: true},
		{Grantee: "C##CDC", Privilege: catalog.Privilege{Name: "EXECUTE", Owner: "SYS", Object: "DBMS_LOGMNR"}, Grantor: "SYS", Common: true},
		{Grantee: "SYSTEM", Privilege: catalog.Privilege{Name: "DBA", Role: true}, Common: true},
		{Grantee: "CLERK", Privilege: catalog.Privilege{Name: "CREATE TABLE"}, Local: true},
	}
	if container > catalog.PDBSeed {
		list = append(list,
			catalog.Grant{Grantee: "CLERK", Privilege: catalog.Privilege{Name: "SELECT", Owner: "APP", Object: "T"}, Grantor: "APP", Local: true, Option: true},
			catalog.Grant{Grantee: "APP", Privilege: catalog.Privilege{Name: "CLERK", Role: true}, Local: true})
	}
	return list
}

func (d *database) Tables(container int) []*catalog.Table {
	if container <= catalog.PDBSeed {
		return nil
	}
	return []*catalog.Table{{
		Container: container, Owner: "APP", Name: "T", ObjectID: 74569, DataObjectID: 74570, Version: 1,
		Columns: []catalog.Column{
			{Name: "ID", Type: datum.Type{Code: datum.TypeNumber, Precision: 10, HasPrecision: true, HasScale: true}, SegmentID: 1},
			{Name: "N", Type: datum.Type{Code: datum.TypeNumber}, Nullable: true, SegmentID: 2},
			{Name: "F", Type: datum.Type{Code: datum.TypeNumber, Float: true, Precision: 126, HasPrecision: true}, Nullable: true, SegmentID: 3},
			{Name: "V", Type: datum.Type{Code: datum.TypeVarchar, Size: 50}, Nullable: true, SegmentID: 4, Default: "'x'"},
			{Name: "VC", Type: datum.Type{Code: datum.TypeVarchar, Size: 50, CharUsed: true}, Nullable: true, SegmentID: 5},
			{Name: "NV", Type: datum.Type{Code: datum.TypeVarchar, Size: 50, National: true}, Nullable: true, SegmentID: 6},
			{Name: "C", Type: datum.Type{Code: datum.TypeChar, Size: 3}, Nullable: true, SegmentID: 7},
			{Name: "NC", Type: datum.Type{Code: datum.TypeChar, Size: 3, National: true}, Nullable: true, SegmentID: 8},
			{Name: "D", Type: datum.Type{Code: datum.TypeDate}, Nullable: true, SegmentID: 9},
			{Name: "TS", Type: datum.Type{Code: datum.TypeTimestamp, Size: 6}, Nullable: true, SegmentID: 10},
			{Name: "TZ", Type: datum.Type{Code: datum.TypeTimestampTZ, Size: 3}, Nullable: true, SegmentID: 11},
			{Name: "TL", Type: datum.Type{Code: datum.TypeTimestampLTZ, Size: 0}, Nullable: true, SegmentID: 12},
			{Name: "R", Type: datum.Type{Code: datum.TypeRaw, Size: 16}, Nullable: true, SegmentID: 13},
			{Name: "BF", Type: datum.Type{Code: datum.TypeBinaryFloat}, Nullable: true, SegmentID: 14},
			{Name: "LC", Type: datum.Type{Code: datum.TypeClob}, Nullable: true, SegmentID: 15},
			{Name: "LN", Type: datum.Type{Code: datum.TypeClob, National: true}, Nullable: true, SegmentID: 16},
			{Name: "LB", Type: datum.Type{Code: datum.TypeBlob}, Nullable: true, SegmentID: 17},
			{Name: "IY", Type: datum.Type{Code: datum.TypeIntervalYM, HasPrecision: true, Precision: 4}, Nullable: true, SegmentID: 18},
			{Name: "ID2", Type: datum.Type{Code: datum.TypeIntervalDS, HasPrecision: true, Precision: 2, Size: 6}, Nullable: true, SegmentID: 19},
		},
		PrimaryKey: &catalog.Constraint{Name: "T_PK", Columns: []int{0}},
		Unique:     []catalog.Constraint{{Name: "T_UK", Columns: []int{3, 1}}, {Name: "T_UX", Columns: []int{2}, IndexOnly: true}},
		ForeignKeys: []catalog.ForeignKey{{
			Constraint: catalog.Constraint{Name: "T_FK", Columns: []int{1}, Disabled: true}, Parent: 74569, Key: "T_PK", OnDelete: "CASCADE",
		}},
		Checks:    []catalog.Check{{Constraint: catalog.Constraint{Name: "SYS_C1", Columns: []int{1}, Generated: true}, Text: "n > 0"}},
		Indexes:   []catalog.Index{{Owner: "APP", Name: "T_IX", Columns: []int{1, 0}}},
		LogGroups: catalog.LogGroups{All: true, PrimaryKey: true, UniqueIndex: true, ForeignKey: true},
		Created:   noon, LastDDL: noon,
	}}
}

func (d *database) Recycled(container int) []*catalog.Table {
	if container <= catalog.PDBSeed {
		return nil
	}
	return []*catalog.Table{{Owner: "APP", Name: "BIN$x==$0", ObjectID: 70, DataObjectID: 71, Original: "OLD", Dropped: true, DropSCN: 77, Created: noon, LastDDL: noon}}
}

func (d *database) Segments(container int) []catalog.Segment {
	if container <= catalog.PDBSeed {
		return nil
	}
	return []catalog.Segment{{Owner: "APP", Table: "T", DataObjectID: 74569, Extents: []catalog.Extent{{File: 12, Block: 128, Blocks: 8}, {File: 13, Block: 136, Blocks: 8}}}}
}

func (d *database) Tablespaces(container int) []catalog.Tablespace {
	list := []catalog.Tablespace{{Number: 4, Name: "USERS"}}
	if container > catalog.PDBSeed {
		list = append(list, catalog.Tablespace{Number: 5, Name: "BULK", Unrecoverable: 77, At: noon})
	}
	return list
}

func (d *database) StoredViews(container int) []*catalog.View {
	if container <= catalog.PDBSeed {
		return nil
	}
	return []*catalog.View{{
		Object: catalog.Object{Owner: "APP", Name: "TV", ObjectID: 80, Created: noon, LastDDL: noon}, Text: "select id from t", ReadOnly: true,
		Columns: []catalog.Column{{Name: "ID", Type: datum.Type{Code: datum.TypeNumber}, Nullable: true, SegmentID: 1}},
	}}
}

func (d *database) Sequences(container int) []catalog.Sequence {
	if container <= catalog.PDBSeed {
		return nil
	}
	return []catalog.Sequence{{
		Object: catalog.Object{Owner: "APP", Name: "S", ObjectID: 82, Created: noon, LastDDL: noon},
		Min:    apd.New(1, 0), Max: apd.New(99, 0), Increment: apd.New(2, 0), Last: apd.New(41, 0), Cache: 20, Cycle: true,
	}}
}

func (d *database) Transactions() []Transaction {
	return []Transaction{{
		Container: 3, XID: redo.XID{USN: 5, Slot: 7, Sqn: 614}, StartSCN: 1<<32 + 9, StartTime: noon, SessionID: 50, Serial: 3, User: "APP",
	}}
}

func (d *database) Sessions() []Session {
	return []Session{
		{ID: 42, Serial: 7, Container: 1, User: "C##CDC", Machine: "m", Program: "p", LogonTime: noon},
		{ID: 50, Serial: 3, Container: 3, User: "APP", Machine: "m", Program: "p", LogonTime: noon},
	}
}

func newSet(t *testing.T) (*Set, *database) {
	t.Helper()
	stream, err := redo.Open(redo.Config{FirstSCN: 1000, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.SwitchLogfile(t.Context()); err != nil {
		t.Fatal(err)
	}
	db := &database{stream: stream, logging: Logging{Minimal: true}, containers: []catalog.Container{
		{ID: catalog.Root, Name: "CDB$ROOT", OpenMode: "READ WRITE", DBID: 11},
		{ID: catalog.PDBSeed, Name: "PDB$SEED", OpenMode: "READ ONLY", DBID: 12},
		{ID: 3, Name: "FREEPDB1", OpenMode: "READ WRITE", DBID: 13},
		{ID: 4, Name: "FREEPDB2", OpenMode: "READ WRITE", DBID: 14},
		{ID: 5, Name: "SHUT", OpenMode: "MOUNTED", DBID: 15},
	}}
	return New(Config{Stream: stream, Database: db, Release: 23, DBID: 1, Startup: noon}), db
}

var root = caller{container: catalog.Root, user: "C##CDC"}

// read returns the columns of a view as text, one row a line, separated by |.
func read(t *testing.T, s *Set, c caller, name string, columns ...string) []string {
	t.Helper()
	view, ok := s.View("", name)
	if !ok {
		t.Fatalf("no view %s", name)
	}
	rows, err := view.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	var lines []string
	dst := make([]datum.Datum, len(view.Columns()))
	for {
		ok, err := rows.Next(t.Context(), dst)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return lines
		}
		var line []string
		for _, want := range columns {
			at := -1
			for i, column := range view.Columns() {
				if column.Name == want {
					at = i
				}
			}
			if at < 0 {
				t.Fatalf("%s has no column %s", name, want)
			}
			line = append(line, show(dst[at]))
		}
		lines = append(lines, strings.Join(line, "|"))
	}
}

func show(d datum.Datum) string {
	switch d.Kind {
	case datum.Null:
		return "-"
	case datum.Number:
		return d.Number.Text('f')
	case datum.Raw:
		return fmt.Sprintf("%X", d.Raw)
	case datum.Time:
		return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", d.Time.Year, d.Time.Month, d.Time.Day, d.Time.Hour, d.Time.Minute, d.Time.Second)
	default:
		return d.Text
	}
}

// names lists every view in every form.
func (s *Set) names() []string {
	var names []string
	for name, f := range s.fixed {
		names = append(names, name)
		if f.global {
			names = append(names, "G"+name)
		}
	}
	for name, f := range s.dict {
		names = append(names, "CDB_"+name, "DBA_"+name)
		if !f.administrative {
			names = append(names, "ALL_"+name)
		}
		if !f.unowned {
			names = append(names, "USER_"+name)
		}
	}
	slices.Sort(names)
	return names
}
