package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// retention says which versions a restart from a position may need (R100): those of rows outside its region. Rows of open, buffered
// and unacknowledged transactions all lie there, since they hold the position.
type retention struct {
	// floors are those of the boundaries that resume may be, by SCN.
	floors []floorAt
	// versions are what floor needed when it was last asked for; nil: the registry has changed since.
	versions map[string]int
	floor    position.SCN
	// least is what the position needed that capture began with; ended are tables of which it needed none any more. A later one needs no
	// more than that.
	least map[string]int
	ended map[string]bool
	// retired is the highest number of a version of a table that is gone: another table of its name has higher ones, also where nothing is
	// stored of it any more.
	retired int
	// pruned is the number of the stored position that was looked at last.
	pruned uint64
}

// floorAt: no row outside the region of the boundary at an SCN lies below floor.
type floorAt struct{ scn, floor position.SCN }

// begin takes the position that capture begins with.
func (r *retention) begin(from *position.Position, versions *registry.Registry) {
	r.least, r.ended, r.retired = from.Versions, map[string]bool{}, from.Retired
	for _, t := range versions.Tables() {
		latest, _ := versions.Latest(t)
		gone := position.SCN(latest.Ended())
		r.retire(latest)
		if _, needed := from.Versions[t.String()]; !needed && gone > 0 && gone <= from.Resume.SCN {
			r.ended[t.String()] = true
		}
	}
}

// retire takes a version of a table that is gone.
func (r *retention) retire(v *schema.Version) {
	if v.GoneFrom > 0 {
		r.retired = max(r.retired, v.Number)
	}
}

// note takes the floor of a boundary. Of two at one SCN the first has the lower one, and stands.
func (r *retention) note(scn, floor position.SCN) {
	if n := len(r.floors); n == 0 || r.floors[n-1].scn < scn && r.floors[n-1].floor < floor {
		r.floors = append(r.floors, floorAt{scn, floor})
	}
}

// needed gives the lowest versions that rows outside the region of a position can have.
func (r *retention) needed(versions *registry.Registry, resume position.SCN) map[string]int {
	n := 0
	for n+1 < len(r.floors) && r.floors[n+1].scn <= resume {
		n++
	}
	r.floors = r.floors[n:] // resume does not move back
	floor := position.SCN(0)
	if len(r.floors) > 0 && r.floors[0].scn <= resume {
		floor = r.floors[0].floor
	}
	if r.versions == nil || floor != r.floor {
		r.versions, r.floor = versions.Needed(floor), floor
		for t, number := range r.versions {
			if r.versions[t] = max(number, r.least[t]); r.ended[t] && floor == 0 {
				delete(r.versions, t)
			}
		}
	}
	return r.versions
}

// schema hands over a version; the running position does not move with it.
func (e *emitter) schema(ctx context.Context, v *schema.Version) error {
	if err := e.flush(ctx); err != nil {
		return err
	}
	if v.GoneFrom > 0 {
		e.versions.End(v)
		e.kept.retire(v)
	} else if _, err := e.versions.Add(v); err != nil {
		return err
	}
	return e.record(ctx, v)
}

// record hands over the record of a version's table, from which oracle_schema writes the topic.
func (e *emitter) record(ctx context.Context, v *schema.Version) error {
	record, ok := e.versions.Record(v.Table)
	if !ok {
		return nil
	}
	return e.write(ctx, v, record.Key(), record.Value())
}

func (e *emitter) write(ctx context.Context, v *schema.Version, key, value []byte) error {
	e.kept.versions = nil
	b := e.positioned()
	b.Events = []change.Event{{
		Kind: change.Schema, Version: v, Topic: e.config.Internal.Schema, Key: key, Value: value, Position: b.Position,
	}}
	return e.send(ctx, b)
}

// prune hands over the records of tables that need fewer versions, or none, since a newer position is stored. What has been delivered
// beyond that may come again (R75).
func (e *emitter) prune(ctx context.Context) error {
	if e.config.Stored == nil {
		return nil
	}
	stored := e.config.Stored()
	if stored == nil || stored.Sequence == e.kept.pruned {
		return nil
	}
	e.kept.pruned = stored.Sequence
	for _, t := range e.versions.Tables() {
		latest, _ := e.versions.Latest(t)
		lowest, needed := stored.Versions[t.String()]
		if gone := position.SCN(latest.Ended()); !needed && gone > 0 && gone <= stored.Resume.SCN {
			if err := e.flush(ctx); err != nil {
				return err
			}
			key, _ := e.versions.Remove(t)
			if err := e.write(ctx, latest, key, nil); err != nil {
				return err
			}
			continue
		}
		if !needed || !e.versions.Prune(t, lowest) {
			continue
		}
		if err := e.flush(ctx); err != nil {
			return err
		}
		if err := e.record(ctx, latest); err != nil {
			return err
		}
	}
	return nil
}
