package engine

import (
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// commonTable is a member of WITH: every reference to it is compiled like a derived table.
type commonTable struct {
	def   sql.CommonTable
	scope *scope
	with  map[string]*commonTable // those before it
}

// joinTree is what FROM becomes: readers that run as nested loops, and conditions that belong to them.
type joinTree struct {
	levels []*level
	// conditions are WHERE and the ON of inner joins, split at AND, not placed yet.
	conditions []sql.Expr
}

// level is one reader of a nested loop, with the tests that its row and the rows of earlier levels decide.
type level struct {
	reader  reader
	sources uint64 // that it reads, by bit
	own     []test // that need nothing but its row
	tests   []test
}

// maxSources is how many members a FROM may have.
const maxSources = 64

// relation adds a member of FROM to the tree.
func (c *compiler) relation(tree *joinTree, r sql.Relation) error {
	switch r := r.(type) {
	case *sql.Table:
		return c.table(tree, r)
	case *sql.Derived:
		return c.derived(tree, r.Query, r.Alias, nil, c.scope.outer, c.with)
	case *sql.Join:
		if r.Kind == "INNER" || r.Kind == "CROSS" {
			first := len(c.scope.sources)
			if err := c.relation(tree, r.L); err != nil {
				return err
			}
			middle := len(c.scope.sources)
			if err := c.relation(tree, r.R); err != nil {
				return err
			}
			on, _, err := c.joinCondition(r, first, middle)
			tree.conditions = append(tree.conditions, on...)
			return err
		}
		return c.outerJoin(tree, r)
	}
	return wire.Errorf(3001, "unimplemented feature: this kind of FROM")
}

func (c *compiler) addSource(tree *joinTree, src *source, r reader) error {
	if len(c.scope.sources) == maxSources {
		return tooManySources()
	}
	c.scope.add(src)
	tree.levels = append(tree.levels, &level{reader: r, sources: 1 << src.number})
	return nil
}

func (c *compiler) table(tree *joinTree, t *sql.Table) error {
	if t.Owner == "" {
		if common, ok := c.with[t.Name]; ok {
			alias := t.Alias
			if alias == "" {
				alias = t.Name
			}
			return c.derived(tree, common.def.Query, alias, common.def.Columns, common.scope, common.with)
		}
	}
	src := &source{owner: t.Owner, name: t.Name, alias: t.Alias}
	if found, layout, ok := c.x.rights.findTable(t.Object); ok {
		if err := c.x.rights.permitRead(t, layout); err != nil {
			return err
		}
		if err := c.x.rights.open(); err != nil {
			return err
		}
		src.table, src.layout, src.owner = found, layout, layout.Owner
		src.columns = tableColumns(layout)
		if err := c.part(src, t); err != nil {
			return err
		}
	} else if v, ok := c.x.rights.findView(t.Object); ok {
		return c.storedView(tree, t, v)
	} else if err := c.otherTable(src, t); err != nil {
		return err
	}
	if src.table == nil && t.Partition != "" {
		return at(t.Pos, wire.Errorf(14109, "partition-extended object names may only be used with tables"))
	}
	if src.table == nil && t.Sample != nil {
		return at(t.Pos, wire.Errorf(3001, "unimplemented feature: SAMPLE of a view"))
	}
	if t.AsOf != nil {
		if src.table == nil {
			return at(t.Pos, wire.Errorf(8187, "snapshot expression not allowed here"))
		}
		n, err := c.expr(t.AsOf)
		if err != nil {
			return err
		}
		if !n.constant {
			return at(t.AsOf.Pos(), wire.Errorf(8187, "snapshot expression not allowed here"))
		}
		if src.asOf = n; !t.Moment {
			src.asOf = c.toNumber(n)
		} else if !isDatetime(n.typ) {
			return at(t.AsOf.Pos(), wire.Errorf(932, "inconsistent datatypes: expected TIMESTAMP got %s", typeName(n.typ)))
		}
	}
	switch {
	case src.table != nil:
		return c.addSource(tree, src, &tableReader{src: src})
	case src.view != nil:
		return c.addSource(tree, src, &viewReader{src: src})
	}
	return c.addSource(tree, src, &dualReader{src: src})
}

// permitRead checks that the session may read a table, or its past.
func (r *rights) permitRead(t *sql.Table, layout *catalog.Table) error {
	if err := r.permit(toRead, t.Object, layout.Owner, layout.Name); err != nil || t.AsOf == nil {
		return err
	}
	return r.permit(toFlashback, t.Object, layout.Owner, layout.Name)
}

// otherTable resolves what is no table of the store: DUAL and views.
func (c *compiler) otherTable(src *source, t *sql.Table) error {
	if t.Name == "DUAL" && (t.Owner == "" || t.Owner == "SYS") {
		src.owner = "SYS"
		src.columns = []wire.Column{{Name: "DUMMY", Type: textType(1), Nullable: true}}
		return nil
	}
	if views := c.x.session.engine.views(); views != nil {
		if v, ok := views.View(t.Owner, t.Name); ok {
			if err := c.x.rights.permitView(v, t.Object); err != nil {
				return err
			}
			src.view, src.columns = v, v.Columns()
			return nil
		}
	}
	return at(t.Pos, tableMissing(t.Object))
}

func tableMissing(o sql.Object) error {
	name := quote(o.Name)
	if o.Owner != "" {
		name = quote(o.Owner) + "." + name
	}
	return wire.Errorf(942, "table or view %s does not exist", name)
}

func (c *compiler) derived(tree *joinTree, q *sql.Query, alias string, names []string, outer *scope, with map[string]*commonTable) error {
	sub, err := compileQuery(c.x, outer, with, q)
	if err != nil {
		return err
	}
	src := &source{alias: alias, query: sub, columns: append([]wire.Column(nil), sub.columns...)}
	src.ambiguous = repeated(sub.columns)
	if names != nil {
		if src.ambiguous = nil; len(names) != len(src.columns) {
			return wire.Errorf(32038, "number of WITH clause column names does not match number of elements in select list")
		}
		for i, n := range names {
			src.columns[i].Name = n
		}
	}
	if sub.correlated {
		for s := c.scope; s != nil && s != outer; s = s.outer {
			s.reaches = true
		}
	}
	return c.addSource(tree, src, &queryReader{src: src})
}

// repeated are the names that several columns have.
func repeated(columns []wire.Column) map[string]bool {
	var twice map[string]bool
	seen := make(map[string]bool, len(columns))
	for _, col := range columns {
		if seen[col.Name] {
			twice = withName(twice, col.Name)
		}
		seen[col.Name] = true
	}
	return twice
}

// joinCondition returns what ON or USING asks for; the sources from first to middle are the left side, the others the right one.
func (c *compiler) joinCondition(j *sql.Join, first, middle int) ([]sql.Expr, []fullColumn, error) {
	if j.On != nil {
		if sql.Any(j.On, isOptional) {
			return nil, nil, at(j.On.Pos(), errOldStyle())
		}
		return conjuncts(j.On), nil, nil
	}
	using := j.Using
	if j.Natural {
		using = c.commonColumns(first, middle)
	}
	var list []sql.Expr
	var pairs []usingPair
	var merged []mergedColumn
	for _, name := range using {
		left, err := usingSource(c.scope.sources[first:middle], name, j.Pos)
		if err != nil {
			return nil, nil, err
		}
		right, err := usingSource(c.scope.sources[middle:], name, j.Pos)
		if err != nil {
			return nil, nil, err
		}
		pairs = append(pairs, usingPair{name: name, left: left, right: right})
		list = append(list, sql.Equal(left.tag(), right.tag(), name, j.Pos))
		// The column of the side whose rows all stay is the one that is never NULL for want of a partner. A FULL join has none: fullColumns.
		shown, other := left, right
		if j.Kind == "RIGHT" {
			shown, other = right, left
		}
		other.hidden = withName(other.hidden, name)
		left.using, right.using = withName(left.using, name), withName(right.using, name)
		merged = append(merged, mergedColumn{name: name, from: shown})
	}
	var cells []fullColumn
	if j.Kind == "FULL" && len(pairs) > 0 {
		both, made, err := c.fullColumns(pairs, j.Pos)
		if err != nil {
			return nil, nil, err
		}
		for i := range merged {
			merged[i].from = both
		}
		cells = made
	}
	if len(merged) > 0 {
		for _, m := range c.scope.merged {
			if !slices.Contains(using, m.name) {
				merged = append(merged, m)
			}
		}
		c.scope.merged = merged
	}
	return list, cells, nil
}

// usingPair are the two columns that USING makes one.
type usingPair struct {
	name        string
	left, right *source
}

// commonColumns are the columns that both sides of a NATURAL JOIN have.
func (c *compiler) commonColumns(first, middle int) []string {
	var names []string
	for _, src := range c.scope.sources[first:middle] {
		for _, i := range src.visible() {
			col := src.columns[i]
			if src.hidden[col.Name] || slices.Contains(names, col.Name) {
				continue
			}
			if slices.ContainsFunc(c.scope.sources[middle:], func(r *source) bool { return r.shows(col.Name) && !r.hidden[col.Name] }) {
				names = append(names, col.Name)
			}
		}
	}
	return names
}

// fullColumn is a column that USING has merged in a FULL join: a cell of its own, from the side that has a row.
type fullColumn struct{ left, right, into int }

// fullColumns adds what stands for the merged columns of a FULL join to the scope.
func (c *compiler) fullColumns(pairs []usingPair, pos int) (*source, []fullColumn, error) {
	both := &source{}
	var cells []fullColumn
	for _, p := range pairs {
		l, _ := p.left.reference(&sql.Name{Table: p.left.tag(), Column: p.name})
		r, _ := p.right.reference(&sql.Name{Table: p.right.tag(), Column: p.name})
		if scalar.Kind(l.typ) != scalar.Kind(r.typ) || isLOB(l.typ) {
			return nil, nil, at(pos, wire.Errorf(3001, "unimplemented feature: FULL JOIN with USING of columns of several types"))
		}
		t, _, err := c.unify([]*node{columnNode(l), columnNode(r)})
		if err != nil {
			return nil, nil, at(pos, err)
		}
		both.columns = append(both.columns, wire.Column{Name: p.name, Type: t, Nullable: true})
		both.using = withName(both.using, p.name)
		p.left.hidden, p.right.hidden = withName(p.left.hidden, p.name), withName(p.right.hidden, p.name)
		cells = append(cells, fullColumn{left: l.column, right: r.column})
	}
	if len(c.scope.sources) == maxSources {
		return nil, nil, tooManySources()
	}
	c.scope.add(both)
	for i := range cells {
		cells[i].into = both.offset + i
	}
	return both, cells, nil
}

func tooManySources() error {
	return wire.Errorf(3001, "unimplemented feature: more than %d tables in FROM", maxSources)
}

func withName(set map[string]bool, name string) map[string]bool {
	if set == nil {
		set = make(map[string]bool)
	}
	set[name] = true
	return set
}

// tag is a qualifier that no text can have: USING means a source by it, which may have no name or that of another one.
func (s *source) tag() string { return "\x00" + strconv.Itoa(s.number) }

func usingSource(sources []*source, name string, pos int) (*source, error) {
	var found *source
	for _, src := range sources {
		if src.find(name) < 0 || src.hidden[name] {
			continue
		}
		if found != nil {
			return nil, at(pos, wire.Errorf(918, "%s: column ambiguously specified", quote(name)))
		}
		found = src
	}
	if found == nil {
		return nil, at(pos, wire.Errorf(904, "%s: invalid identifier", quote(name)))
	}
	return found, nil
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e sql.Expr) []sql.Expr {
	if l, ok := e.(*sql.Logic); ok && l.And {
		return append(conjuncts(l.L), conjuncts(l.R)...)
	}
	if e == nil {
		return nil
	}
	return []sql.Expr{e}
}

// outerJoin makes one level of a LEFT, RIGHT or FULL join.
func (c *compiler) outerJoin(tree *joinTree, j *sql.Join) error {
	left, right := &joinTree{}, &joinTree{}
	first := len(c.scope.sources)
	if err := c.relation(left, j.L); err != nil {
		return err
	}
	middle := len(c.scope.sources)
	if err := c.relation(right, j.R); err != nil {
		return err
	}
	end := len(c.scope.sources)
	on, cells, err := c.joinCondition(j, first, middle)
	if err != nil {
		return err
	}
	r := &outerJoinReader{full: j.Kind == "FULL", merged: cells}
	for _, side := range [...]*joinTree{left, right} {
		// Only conditions inside a side may drop its rows.
		if _, _, err := c.place(side); err != nil {
			return err
		}
	}
	for _, e := range on {
		t, err := c.condition(e)
		if err != nil {
			return err
		}
		r.on = append(r.on, t)
	}
	r.left = side{loop: newLoop(left.levels), sources: c.scope.sources[first:middle]}
	r.right = side{loop: newLoop(right.levels), sources: c.scope.sources[middle:end]}
	if j.Kind == "RIGHT" {
		r.left, r.right = r.right, r.left
	}
	r.right.makeNullable()
	if r.full {
		r.left.makeNullable()
	}
	all := uint64(0)
	for _, src := range c.scope.sources[first:] {
		all |= 1 << src.number
	}
	tree.levels = append(tree.levels, &level{reader: r, sources: all})
	return nil
}

// place compiles the conditions of a tree and gives each to the first level where all it needs is there. once are those that need no row
// of the tree; last those that count rows (ROWNUM).
func (c *compiler) place(tree *joinTree) (once, last []test, err error) {
	var equalities []equality
	for _, e := range tree.conditions {
		c.scope.touched, c.rownum = 0, false
		t, err := c.condition(e)
		if err != nil {
			return nil, nil, err
		}
		needs := c.scope.touched
		switch {
		case c.rownum:
			last = append(last, t)
			continue
		case needs == 0:
			once = append(once, t)
			continue
		}
		if eq, ok := c.equality(e); ok {
			equalities = append(equalities, eq)
		}
		have := uint64(0)
		for _, l := range tree.levels {
			if have |= l.sources; needs&^have != 0 {
				continue
			}
			if needs&^l.sources == 0 {
				l.own = append(l.own, t)
			} else {
				l.tests = append(l.tests, t)
			}
			break
		}
	}
	c.accessPaths(tree, equalities)
	return once, last, nil
}
