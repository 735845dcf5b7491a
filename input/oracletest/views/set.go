package views

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Config of a Set. Stream and Database are needed.
type Config struct {
	Stream   *redo.Stream
	Database Database
	// Release is 19 or 23 (the default).
	Release int
	DBID    uint32
	Name    string // of the database, default FREE
	// Zone is that of the server's operating system; nil is UTC.
	Zone    *time.Location
	Startup time.Time
	// SharedUndo says that local undo is off.
	SharedUndo bool
	// LogMode and Role are what V$DATABASE shows of the database, default ARCHIVELOG and PRIMARY.
	LogMode, Role string
}

// Set finds views by their names. It implements engine.Views.
type Set struct {
	config Config
	fixed  map[string]fixed
	dict   map[string]family
}

// row is one row of a view.
type row = []datum.Datum

// fixed is a V$ view or another view without variants.
type fixed struct {
	columns []wire.Column
	rows    func(caller engine.Caller) []row
	// local is in the place of rows if the rows belong to an instance.
	local func(caller engine.Caller, instance int) []row
	// global says that a GV$ form exists, with INST_ID in front.
	global bool
}

// of gives the rows as an instance shows them.
func (f *fixed) of(caller engine.Caller, instance int) []row {
	if f.local != nil {
		return f.local(caller, instance)
	}
	return f.rows(caller)
}

// family is a dictionary view with its USER_, ALL_, DBA_ and CDB_ forms. Unless it is unowned, the first column is
// OWNER, which USER_ leaves out.
type family struct {
	columns []wire.Column
	rows    func(container catalog.Container) []row
	unowned bool
	// administrative says that there is no ALL_ form.
	administrative bool
}

// New makes a Set.
func New(config Config) *Set {
	config.LogMode, config.Role = cmp.Or(config.LogMode, "ARCHIVELOG"), cmp.Or(config.Role, "PRIMARY")
	if config.Zone == nil {
		config.Zone = time.UTC
	}
	if config.Name == "" {
		config.Name = "FREE"
	}
	if config.Release == 0 {
		config.Release = 23
	}
	s := &Set{config: config, fixed: map[string]fixed{}, dict: map[string]family{}}
	s.addInstance()
	s.addSettings()
	s.addLogs()
	s.addArchive()
	s.addSessions()
	s.addContainers()
	s.addEmpty()
	s.addPending()
	s.addTables()
	s.addColumns()
	s.addKeys()
	s.addUsers()
	s.addPrivileges()
	s.addObjects()
	s.addSegments()
	return s
}

// View finds a view by an unqualified or SYS-qualified name, upper case.
func (s *Set) View(owner, name string) (engine.View, bool) {
	if owner != "" && owner != "SYS" && owner != "PUBLIC" {
		return nil, false
	}
	if owner == "SYS" {
		name = strings.Replace(name, "V_$", "V$", 1)
	}
	if f, ok := s.fixed[name]; ok {
		return s.fixedView(f), true
	}
	if local, ok := strings.CutPrefix(name, "G"); ok {
		if f, ok := s.fixed[local]; ok && f.global {
			return s.globalView(f), true
		}
	}
	scope, rest, ok := strings.Cut(name, "_")
	if f, found := s.dict[rest]; ok && found {
		return s.scopedView(scope, f)
	}
	return nil, false
}

func (s *Set) fixedView(f fixed) engine.View {
	return relation.New(f.columns, func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
		return f.of(caller, s.instanceOf(caller)), nil
	})
}

// globalView is the GV$ form: the rows of every open instance.
func (s *Set) globalView(f fixed) engine.View {
	columns := append([]wire.Column{relation.NumberColumn("INST_ID")}, f.columns...)
	return relation.New(columns, func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
		var all []row
		for _, instance := range s.instances() {
			for _, r := range f.of(caller, instance) {
				all = append(all, append(row{relation.Int(int64(instance))}, r...))
			}
		}
		return all, nil
	})
}

// scopedView shows a dictionary view: CDB_ of every open container that the caller's container sees, the others of the
// caller's container (reference logminer I).
func (s *Set) scopedView(scope string, f family) (engine.View, bool) {
	switch scope {
	case "CDB":
		// A LONG column is not there (reference logminer I).
		long := slices.IndexFunc(f.columns, func(c wire.Column) bool { return c.Name == "DATA_DEFAULT" })
		list := slices.Concat(f.columns, columns(num("CON_ID")))
		if long >= 0 {
			list = slices.Delete(list, long, long+1)
		}
		return relation.New(list, func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
			var all []row
			for _, c := range s.open(caller) {
				for _, r := range f.rows(c) {
					if long >= 0 {
						r = slices.Delete(r, long, long+1)
					}
					all = append(all, append(r, relation.Int(int64(c.ID))))
				}
			}
			return all, nil
		}), true
	case "DBA":
		return relation.New(f.columns, func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
			return f.rows(s.container(caller)), nil
		}), true
	case "ALL":
		if f.administrative {
			return nil, false
		}
		return relation.New(f.columns, func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
			return f.accessible(caller, f.rows(s.container(caller))), nil
		}), true
	case "USER":
		if f.unowned {
			return nil, false
		}
		return relation.New(f.columns[1:], func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
			var own []row
			for _, r := range f.rows(s.container(caller)) {
				if r[0].Text == caller.User() {
					own = append(own, r[1:])
				}
			}
			return own, nil
		}), true
	}
	return nil, false
}

// accessible leaves out the rows of objects to which the caller has no right, as ALL_ views do (reference logminer I).
func (f *family) accessible(caller engine.Caller, rows []row) []row {
	owner, object := f.subject()
	if owner < 0 || object < 0 {
		return rows
	}
	return slices.DeleteFunc(rows, func(r row) bool { return !caller.Accessible(r[owner].Text, r[object].Text) })
}

// subject gives the columns that name the object of a row: its table, if the object belongs to one.
func (f *family) subject() (owner, object int) {
	find := func(names ...string) int {
		for _, name := range names {
			if i := slices.IndexFunc(f.columns, func(c wire.Column) bool { return c.Name == name }); i >= 0 {
				return i
			}
		}
		return -1
	}
	return find("TABLE_OWNER", "OWNER", "SEQUENCE_OWNER"), find("TABLE_NAME", "OBJECT_NAME", "VIEW_NAME", "SEQUENCE_NAME")
}

// container is the caller's.
func (s *Set) container(caller engine.Caller) catalog.Container {
	for _, c := range s.config.Database.Containers() {
		if c.ID == caller.Container() {
			return c
		}
	}
	return catalog.Container{ID: caller.Container()}
}

// visible lists the containers that a caller sees: its own and, at the root, those of its CONTAINER_DATA.
func (s *Set) visible(caller engine.Caller) []catalog.Container {
	return slices.DeleteFunc(slices.Clone(s.config.Database.Containers()), func(c catalog.Container) bool { return !caller.Sees(c.ID) })
}

// open lists the visible containers that are open; CDB_ views omit the others without a word.
func (s *Set) open(caller engine.Caller) []catalog.Container {
	var open []catalog.Container
	for _, c := range s.visible(caller) {
		if strings.HasPrefix(c.OpenMode, "READ") && c.ID != catalog.PDBSeed {
			open = append(open, c)
		}
	}
	return open
}

// date shows a moment in the server's zone.
func (s *Set) date(t time.Time) datum.Datum {
	if t.IsZero() {
		return datum.Datum{}
	}
	return relation.Date(t.In(s.config.Zone))
}
