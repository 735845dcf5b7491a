package engine

import (
	"cmp"
	"slices"
	"sync"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// objects are the schema objects that hold no rows: views and sequences. They share their names with tables.
type objects struct {
	mu    sync.RWMutex
	byCon map[int]map[objectName]object
}

type objectName struct{ owner, name string }

// object is one of the two.
type object struct {
	view     *catalog.View
	sequence *sequence
}

func (o *objects) find(container int, owner, name string) (object, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	found, ok := o.byCon[container][objectName{owner, name}]
	return found, ok
}

func (o *objects) taken(container int, owner, name string) bool {
	_, ok := o.find(container, owner, name)
	return ok
}

func (o *objects) put(container int, owner, name string, one object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byCon == nil {
		o.byCon = make(map[int]map[objectName]object)
	}
	if o.byCon[container] == nil {
		o.byCon[container] = make(map[objectName]object)
	}
	o.byCon[container][objectName{owner, name}] = one
}

func (o *objects) remove(container int, owner, name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.byCon[container], objectName{owner, name})
}

// StoredViews lists the stored views of a container by owner and name.
func (e *Engine) StoredViews(container int) []*catalog.View {
	e.objects.mu.RLock()
	defer e.objects.mu.RUnlock()
	var list []*catalog.View
	for _, o := range e.objects.byCon[container] {
		if o.view != nil {
			list = append(list, o.view)
		}
	}
	slices.SortFunc(list, func(a, b *catalog.View) int {
		return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Sequences lists the sequences of a container by owner and name.
func (e *Engine) Sequences(container int) []catalog.Sequence {
	e.objects.mu.RLock()
	defer e.objects.mu.RUnlock()
	var list []catalog.Sequence
	for _, o := range e.objects.byCon[container] {
		if o.sequence != nil {
			list = append(list, o.sequence.info())
		}
	}
	slices.SortFunc(list, func(a, b catalog.Sequence) int {
		return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// objectDDL makes, changes and drops views and sequences.
func (s *session) objectDDL(x *execution, by store.Issuer, stmt sql.Statement) error {
	var err error
	switch stmt := stmt.(type) {
	case *sql.Sequence:
		if stmt.Alter {
			err = s.alterSequence(stmt)
		} else {
			err = s.createSequence(stmt)
		}
	case *sql.CreateView:
		err = s.createView(x, stmt)
	case *sql.DropSequence:
		err = s.dropObject(stmt.Name, func(o object) bool { return o.sequence != nil }, "DROP ANY SEQUENCE", wire.Errorf(2289, "sequence does not exist"))
	case *sql.DropView:
		err = s.dropObject(stmt.Name, func(o object) bool { return o.view != nil }, "DROP ANY VIEW", tableMissing(stmt.Name))
	}
	if err != nil {
		return err
	}
	return s.engine.store.Note(x.ctx, by, nil)
}

// newObject checks the name of an object that is to be made, and gives it its head.
func (s *session) newObject(o sql.Object, own, others string) (catalog.Object, error) {
	owner := o.Owner
	if owner == "" {
		owner = s.schema
	}
	if _, ok := s.engine.users.find(s.container, owner); !ok {
		return catalog.Object{}, at(o.Pos, wire.Errorf(1918, "user '%s' does not exist", owner))
	}
	if err := s.needIn(owner, own, others); err != nil {
		return catalog.Object{}, err
	}
	_, table := s.engine.store.Table(s.container, owner, o.Name)
	if table || s.engine.objects.taken(s.container, owner, o.Name) {
		return catalog.Object{}, at(o.Pos, errNameUsed())
	}
	return catalog.Object{
		Owner: owner, Name: o.Name, ObjectID: s.engine.store.TakeObjectID(s.container), Created: s.now(), LastDDL: s.now(),
	}, nil
}

func (s *session) createSequence(stmt *sql.Sequence) error {
	head, err := s.newObject(stmt.Name, "CREATE SEQUENCE", "CREATE ANY SEQUENCE")
	if err != nil {
		return err
	}
	const defaultCache = 20
	q := &sequence{shown: catalog.Sequence{Object: head, Increment: apd.New(1, 0), Cache: defaultCache}}
	if err := q.define(stmt); err != nil {
		return err
	}
	s.engine.objects.put(s.container, head.Owner, head.Name, object{sequence: q})
	return nil
}

func (s *session) alterSequence(stmt *sql.Sequence) error {
	owner := stmt.Name.Owner
	if owner == "" {
		owner = s.schema
	}
	found, ok := s.engine.objects.find(s.container, owner, stmt.Name.Name)
	if !ok || found.sequence == nil || owner != s.who && !s.has("ALTER ANY SEQUENCE") && !s.holdsAny(owner, stmt.Name.Name, []string{"ALTER"}) {
		return at(stmt.Name.Pos, wire.Errorf(2289, "sequence does not exist"))
	}
	return found.sequence.define(stmt)
}

func (s *session) dropObject(o sql.Object, kind func(object) bool, others string, missing error) error {
	owner := o.Owner
	if owner == "" {
		owner = s.schema
	}
	found, ok := s.engine.objects.find(s.container, owner, o.Name)
	if !ok || !kind(found) || owner != s.who && !s.has(others) {
		return at(o.Pos, missing)
	}
	s.engine.objects.remove(s.container, owner, o.Name)
	s.engine.users.rename(s.container, owner, o.Name, "")
	return nil
}

// createView stores a query after compiling it with the rights of its owner.
func (s *session) createView(x *execution, stmt *sql.CreateView) error {
	o := stmt.Name
	if stmt.Replace {
		if old, ok := s.findView(o); ok && (old.Owner == s.who || s.has("CREATE ANY VIEW")) {
			return s.replaceView(x, stmt, old.Object)
		}
	}
	head, err := s.newObject(o, "CREATE VIEW", "CREATE ANY VIEW")
	if err != nil {
		return err
	}
	return s.replaceView(x, stmt, head)
}

func (s *session) replaceView(x *execution, stmt *sql.CreateView, head catalog.Object) error {
	head.LastDDL = s.now()
	v := &catalog.View{Object: head, Text: stmt.Text, ReadOnly: stmt.ReadOnly}
	compiled, err := x.compileAs(s.ownerRights(head.Owner), stmt.Query)
	if err != nil {
		return err
	}
	if stmt.Columns != nil && len(stmt.Columns) != len(compiled.columns) {
		return wire.Errorf(1730, "invalid number of column names specified")
	}
	for i, col := range compiled.columns {
		v.Selected = append(v.Selected, col.Name)
		if stmt.Columns != nil {
			col.Name = stmt.Columns[i]
		} else if !named(stmt.Query, i) {
			return wire.Errorf(998, "must name this expression with a column alias")
		}
		if slices.ContainsFunc(v.Columns, func(c catalog.Column) bool { return c.Name == col.Name }) {
			return wire.Errorf(957, "duplicate column name")
		}
		v.Columns = append(v.Columns, catalog.Column{Name: col.Name, Type: col.Type, Nullable: col.Nullable, SegmentID: i + 1})
	}
	s.engine.objects.put(s.container, head.Owner, head.Name, object{view: v})
	return nil
}

// named reports whether the nth column of a query has a name: an alias, or that of the column it is.
func named(q *sql.Query, n int) bool {
	if q.Select == nil {
		return len(q.Sets) == 0 || named(q.Sets[0].Right, n)
	}
	if slices.ContainsFunc(q.Select.Items, func(it sql.Item) bool { return it.Star != nil }) || n >= len(q.Select.Items) {
		return true // the columns of a star have names, and where it ends is not known here
	}
	it := q.Select.Items[n]
	_, column := it.X.(*sql.Name)
	return column || it.Alias != ""
}

// compileAs compiles a query that stands alone, with other rights.
func (x *execution) compileAs(r *rights, q *sql.Query) (*query, error) {
	before := x.rights
	x.rights = r
	defer func() { x.rights = before }()
	return compileQuery(x, nil, nil, q)
}

// storedView adds a view to FROM: its query, read with the rights of its owner.
func (c *compiler) storedView(tree *joinTree, t *sql.Table, v *catalog.View) error {
	if err := c.x.rights.permit(toRead, t.Object, v.Owner, v.Name); err != nil {
		return err
	}
	if t.AsOf != nil {
		return at(t.Pos, wire.Errorf(3001, "unimplemented feature: AS OF of a view"))
	}
	p, err := c.x.session.engine.cache.parse(v.Text)
	if err != nil {
		return err
	}
	q, ok := p.Statement.(*sql.Query)
	if !ok {
		return at(t.Pos, wire.Errorf(4063, "view \"%s.%s\" has errors", v.Owner, v.Name))
	}
	if c.x.depth++; c.x.depth > maxViews {
		return at(t.Pos, wire.Errorf(3001, "unimplemented feature: views nested more than %d times", maxViews))
	}
	sub, err := c.x.compileAs(c.x.rights.ownerRights(v.Owner), q)
	c.x.depth--
	if err != nil {
		return at(t.Pos, wire.Errorf(4063, "view \"%s.%s\" has errors", v.Owner, v.Name))
	}
	if !slices.EqualFunc(sub.columns, v.Selected, func(c wire.Column, name string) bool { return c.Name == name }) {
		return at(t.Pos, wire.Errorf(4063, "view \"%s.%s\" has errors", v.Owner, v.Name))
	}
	src := &source{owner: v.Owner, name: v.Name, alias: t.Alias, query: sub, columns: append([]wire.Column(nil), sub.columns...)}
	for i := range src.columns {
		src.columns[i].Name = v.Columns[i].Name
	}
	return c.addSource(tree, src, &queryReader{src: src})
}

// maxViews bounds how deep views refer to views.
const maxViews = 32
