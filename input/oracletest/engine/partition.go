package engine

import (
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// partitioning makes the partitions of a new table.
func (s *session) partitioning(x *execution, layout *catalog.Table, def *sql.Partitioning) (*catalog.Partitioning, error) {
	p := &catalog.Partitioning{Kind: def.Kind, Automatic: def.Automatic}
	for _, name := range def.Columns {
		i := columnIndex(layout, name.Name)
		switch {
		case i < 0:
			return nil, at(name.Pos, wire.Errorf(904, "%s: invalid identifier", quote(name.Name)))
		case isLOB(layout.Columns[i].Type), isZoned(layout.Columns[i].Type):
			return nil, at(name.Pos, wire.Errorf(14135, "a LOB column cannot serve as a partitioning column"))
		case layout.Columns[i].Virtual != "":
			return nil, at(name.Pos, wire.Errorf(3001, "unimplemented feature: partitioning by a virtual column"))
		}
		p.Columns = append(p.Columns, i)
	}
	if p.Kind == catalog.ByList && len(p.Columns) > 1 {
		return nil, at(def.Pos, wire.Errorf(3001, "unimplemented feature: LIST partitioning by several columns"))
	}
	if def.Interval != nil {
		if err := s.interval(x, layout, p, def); err != nil {
			return nil, at(def.Pos, err)
		}
	}
	for range def.Count {
		p.Partitions = append(p.Partitions, catalog.Partition{})
	}
	for i := range def.Partitions {
		one, err := s.partition(x, layout, p, &def.Partitions[i])
		if err != nil {
			return nil, err
		}
		if err := addPartition(p, one); err != nil {
			return nil, at(def.Partitions[i].Pos, err)
		}
	}
	if p.Interval != nil && p.Partitions[len(p.Partitions)-1].Below[0].Max {
		return nil, at(def.Pos, wire.Errorf(14761, "MAXVALUE partition cannot be specified for Interval partitioned objects"))
	}
	return p, nil
}

func isZoned(t datum.Type) bool {
	return t.Code == datum.TypeTimestampTZ || t.Code == datum.TypeTimestampLTZ
}

// interval takes the width of the partitions that an insert makes: a number, or an interval of months or seconds.
func (s *session) interval(x *execution, layout *catalog.Table, p *catalog.Partitioning, def *sql.Partitioning) error {
	if len(p.Columns) != 1 {
		return wire.Errorf(14750, "Range partitioned table with INTERVAL clause has more than one column")
	}
	c := &compiler{x: x, scope: &scope{}}
	n, err := c.expr(def.Interval)
	if err != nil {
		return err
	}
	d, err := n.eval(&frame{x: x})
	if err != nil {
		return err
	}
	wrong := wire.Errorf(14752, "Interval expression is not a constant of the correct type")
	if d.IsNull() || d.Number == nil || d.Number.Sign() <= 0 {
		return wrong
	}
	p.Interval = &catalog.Interval{Text: def.IntervalText, Width: d.Number}
	switch kind := scalar.Kind(layout.Columns[p.Columns[0]].Type); {
	case kind == datum.Number && d.Kind == datum.Number, kind == datum.Time && d.Kind == datum.IntervalDS:
	case kind == datum.Time && d.Kind == datum.IntervalYM:
		months, err := d.Number.Int64()
		if err != nil {
			return wrong
		}
		p.Interval.Months = int(months)
	default:
		return wrong
	}
	return nil
}

// partition makes one of its definition, without ids.
func (s *session) partition(x *execution, layout *catalog.Table, p *catalog.Partitioning, def *sql.PartitionDef) (catalog.Partition, error) {
	one := catalog.Partition{Name: def.Name, HighValue: strings.Join(def.Texts, ", ")}
	switch p.Kind {
	case catalog.ByHash:
		if def.Values != nil {
			return one, at(def.Pos, wire.Errorf(14004, "missing PARTITION keyword"))
		}
	case catalog.ByRange:
		if !def.Less || len(def.Values) != len(p.Columns) {
			return one, at(def.Pos, wire.Errorf(14008, "missing THAN keyword"))
		}
		bounds, err := s.bounds(x, layout, p, def.Values)
		one.Below = bounds
		return one, err
	default:
		if def.Less || def.Values == nil {
			return one, at(def.Pos, wire.Errorf(14004, "missing PARTITION keyword"))
		}
		for _, e := range def.Values {
			if e == nil {
				one.Default = true
				continue
			}
			value, err := s.partitionValue(x, layout, p.Columns[0], e)
			if err != nil {
				return one, err
			}
			one.Values = append(one.Values, value)
		}
	}
	return one, nil
}

func (s *session) bounds(x *execution, layout *catalog.Table, p *catalog.Partitioning, list []sql.Expr) ([]catalog.Bound, error) {
	bounds := make([]catalog.Bound, len(list))
	for i, e := range list {
		if bounds[i].Max = e == nil; e == nil {
			continue
		}
		var err error
		if bounds[i].Value, err = s.partitionValue(x, layout, p.Columns[i], e); err != nil {
			return nil, err
		}
		if bounds[i].Value.IsNull() {
			return nil, at(e.Pos(), wire.Errorf(14019, "partition bound element must be one of: string, datetime or interval literal, number, or MAXVALUE"))
		}
	}
	return bounds, nil
}

func (s *session) partitionValue(x *execution, layout *catalog.Table, column int, e sql.Expr) (datum.Datum, error) {
	c := &compiler{x: x, scope: &scope{}}
	n, err := c.expr(e)
	if err != nil {
		return datum.Datum{}, err
	}
	d, err := n.eval(&frame{x: x})
	if err != nil {
		return d, err
	}
	col := &layout.Columns[column]
	return x.settings.Fit(d, n.typ, &scalar.Target{Owner: layout.Owner, Table: layout.Name, Column: col.Name, Type: col.Type})
}

// addPartition puts a partition behind the others.
func addPartition(p *catalog.Partitioning, one catalog.Partition) error {
	for i := range p.Partitions {
		other := &p.Partitions[i]
		switch {
		case one.Name != "" && other.Name == one.Name:
			return wire.Errorf(14013, "duplicate partition name")
		case p.Kind == catalog.ByRange && compareBounds(other.Below, one.Below) >= 0:
			return wire.Errorf(14074, "partition bound must collate higher than that of the last partition")
		case p.Kind == catalog.ByList && other.Default:
			return wire.Errorf(14323, "cannot add partition when DEFAULT partition exists")
		}
		for _, v := range one.Values {
			if slices.ContainsFunc(other.Values, func(w datum.Datum) bool { return scalar.Equal(&v, &w) }) {
				return wire.Errorf(14312, "Value already exists in partition %q", other.Name)
			}
		}
	}
	p.Partitions = append(p.Partitions, one)
	return nil
}

func compareBounds(a, b []catalog.Bound) int {
	for i := range a {
		switch {
		case a[i].Max && b[i].Max:
			continue
		case a[i].Max:
			return 1
		case b[i].Max:
			return -1
		}
		if c := scalar.Compare(&a[i].Value, &b[i].Value); c != 0 {
			return c
		}
	}
	return 0
}

// alterPartitions runs the partition maintenance of ALTER TABLE.
func (s *session) alterPartitions(x *execution, by store.Issuer, t *store.Table, change *sql.PartitionChange) error {
	var with *store.Table
	if change.Op == "EXCHANGE" {
		var err error
		if with, _, err = s.baseTable(change.With, toAlter); err != nil {
			return err
		}
	}
	return s.engine.store.AlterPartitions(x.ctx, by, t, func(now catalog.Table) (store.Reshape, error) {
		r := store.Reshape{Layout: now, With: with, Validate: change.Validate}
		p := now.Partitioning
		places := make([]int, len(change.Names))
		for i, name := range change.Names {
			places[i] = slices.IndexFunc(p.Partitions, func(one catalog.Partition) bool { return one.Name == name })
			if renamed := change.Op == "RENAME" && i == 1; renamed && places[i] >= 0 {
				return r, at(change.Pos, wire.Errorf(14081, "new partition name must differ from the old partition name"))
			} else if !renamed && places[i] < 0 {
				return r, at(change.Pos, wire.Errorf(2149, "Specified partition does not exist"))
			}
		}
		ids := func() []uint32 {
			var list []uint32
			for _, i := range places {
				list = append(list, p.Partitions[i].ObjectID)
			}
			return list
		}
		switch change.Op {
		case "ADD":
			return r, s.addPartitions(x, &now, change)
		case "DROP":
			err := dropPartitions(&r, ids())
			return r, err
		case "TRUNCATE":
			r.Empty = ids()
		case "MOVE":
			r.Move = ids()
		case "RENAME":
			p.Partitions[places[0]].Name = change.Names[1]
		case "EXCHANGE":
			r.Swap = ids()[0]
		case "SPLIT":
			return r, s.splitPartition(x, &now, places[0], change)
		case "MERGE":
			return r, mergePartitions(p, places, change)
		}
		return r, nil
	})
}

func (s *session) addPartitions(x *execution, now *catalog.Table, change *sql.PartitionChange) error {
	p := now.Partitioning
	switch {
	case p.Interval != nil:
		return at(change.Pos, wire.Errorf(14760, "ADD PARTITION is not permitted on Interval partitioned objects"))
	case p.Kind == catalog.ByHash:
		return at(change.Pos, wire.Errorf(3001, "unimplemented feature: ADD PARTITION of a HASH partitioned table"))
	}
	for i := range change.Add {
		one, err := s.partition(x, now, p, &change.Add[i])
		if err != nil {
			return err
		}
		if err := addPartition(p, one); err != nil {
			return at(change.Add[i].Pos, err)
		}
	}
	return nil
}

func dropPartitions(r *store.Reshape, ids []uint32) error {
	p := r.Layout.Partitioning
	if p.Kind == catalog.ByHash {
		return wire.Errorf(14255, "table is not partitioned by Range, List, Composite Range or Composite List method")
	}
	p.Partitions = slices.DeleteFunc(p.Partitions, func(one catalog.Partition) bool { return slices.Contains(ids, one.ObjectID) })
	if len(p.Partitions) == 0 {
		return wire.Errorf(14083, "cannot drop the only partition of a partitioned table")
	}
	if p.Interval != nil && !slices.ContainsFunc(p.Partitions, func(one catalog.Partition) bool { return !one.Own }) {
		return wire.Errorf(14758, "Last partition in the range section cannot be dropped")
	}
	r.Empty = ids
	return nil
}

// splitPartition makes two of one; both are new segments (reference logminer G.2).
func (s *session) splitPartition(x *execution, now *catalog.Table, place int, change *sql.PartitionChange) error {
	p := now.Partitioning
	if p.Kind != catalog.ByRange {
		return at(change.Pos, wire.Errorf(3001, "unimplemented feature: SPLIT PARTITION of a %s partitioned table", p.Kind))
	}
	if len(change.At) != len(p.Columns) {
		return at(change.Pos, wire.Errorf(14019, "partition bound element must be one of: string, datetime or interval literal, number, or MAXVALUE"))
	}
	bounds, err := s.bounds(x, now, p, change.At)
	if err != nil {
		return err
	}
	old := p.Partitions[place]
	if compareBounds(bounds, old.Below) >= 0 || place > 0 && compareBounds(bounds, p.Partitions[place-1].Below) <= 0 {
		return at(change.Pos, wire.Errorf(14080, "partition cannot be split along the specified high bound"))
	}
	low := catalog.Partition{Name: change.Add[0].Name, Below: bounds, HighValue: strings.Join(change.AtTexts, ", ")}
	high := catalog.Partition{Name: change.Add[1].Name, Below: old.Below, HighValue: old.HighValue}
	p.Partitions = slices.Replace(p.Partitions, place, place+1, low, high)
	return distinctNames(p, change)
}

// mergePartitions makes one of neighbours, or of lists; it is a new segment, even under an old name (reference logminer G.2).
func mergePartitions(p *catalog.Partitioning, places []int, change *sql.PartitionChange) error {
	slices.Sort(places)
	if len(places) < 2 || places[0] == places[1] {
		return at(change.Pos, wire.Errorf(14012, "resulting partition name conflicts with that of an existing partition"))
	}
	merged := catalog.Partition{Name: change.Add[0].Name}
	switch p.Kind {
	case catalog.ByRange:
		for i := 1; i < len(places); i++ {
			if places[i] != places[i-1]+1 {
				return at(change.Pos, wire.Errorf(14274, "partitions being merged are not adjacent"))
			}
		}
		last := p.Partitions[places[len(places)-1]]
		merged.Below, merged.HighValue = last.Below, last.HighValue
	case catalog.ByList:
		var texts []string
		for _, i := range places {
			one := p.Partitions[i]
			merged.Values, merged.Default = append(merged.Values, one.Values...), merged.Default || one.Default
			texts = append(texts, one.HighValue)
		}
		if merged.HighValue = strings.Join(texts, ", "); merged.Default {
			merged.HighValue = "DEFAULT"
		}
	default:
		return at(change.Pos, wire.Errorf(14255, "table is not partitioned by Range, List, Composite Range or Composite List method"))
	}
	for _, i := range slices.Backward(places[1:]) {
		p.Partitions = slices.Delete(p.Partitions, i, i+1)
	}
	p.Partitions[places[0]] = merged
	return distinctNames(p, change)
}

func distinctNames(p *catalog.Partitioning, change *sql.PartitionChange) error {
	seen := make(map[string]bool)
	for i := range p.Partitions {
		if name := p.Partitions[i].Name; name != "" && seen[name] {
			return at(change.Pos, wire.Errorf(14012, "resulting partition name conflicts with that of an existing partition"))
		}
		seen[p.Partitions[i].Name] = true
	}
	return nil
}
