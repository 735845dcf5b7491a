package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// known says which tables were captured at a position: of another one that is captured behind it, what committed before is in no stream. Nil
// knows nothing, and takes none for new.
type known struct {
	stored *registry.Registry
	names  map[string]bool
	// listed are those that the position names besides the topic; nil: the topic has no others.
	listed []position.Table
}

// knownBy gives what a position and the schema topic know. The topic is asked first; a position without one names the tables itself.
func (m *miner) knownBy(from *position.Position, stored *registry.Registry, now *tables) *known {
	k := &known{names: map[string]bool{}}
	switch {
	case len(stored.Tables()) > 0:
		k.stored, k.listed = stored, from.Tables
		for name, number := range from.Versions {
			k.names[name] = number > 0 // the topic lost it
		}
	case len(from.Tables) > 0:
		for _, t := range from.Tables {
			k.names[t.Name] = true
		}
	default:
		if from.Settings != now.digest() {
			m.config.Log.Warn("The captured tables or other settings changed, and neither the position nor a schema topic says which tables were captured: " +
				"one that is new in include is captured from here on, and what committed before is not delivered unless it is asked for with the signal execute-snapshot")
		}
		return nil
	}
	return k
}

// joins reports a table that was not captured.
func (k *known) joins(t schema.Table) bool {
	if k == nil || k.names[t.String()] {
		return false
	}
	if k.stored == nil {
		return true
	}
	_, recorded := k.stored.Record(t)
	return !recorded
}

// returns reports a table that the topic has versions of and that was not captured all the same: include was narrower meanwhile.
func (k *known) returns(t schema.Table) bool {
	return k != nil && k.stored != nil && len(k.listed) > 0 &&
		!slices.ContainsFunc(k.listed, func(l position.Table) bool { return l.Name == t.String() })
}

// left reports whether the topic has a table that is there and is not captured: then positions name those that are, lest one that is captured
// again counts as one that always was.
func (m *miner) left(stored *registry.Registry) bool {
	return slices.ContainsFunc(stored.Tables(), func(t schema.Table) bool {
		latest, _ := stored.Latest(t)
		return latest.GoneFrom == 0 && !m.config.Selection.Captured(t)
	})
}

// listing names the tables and their objects, in order.
func (t *tables) listing() []position.Table {
	versions := t.versions()
	out := make([]position.Table, len(versions))
	for i, v := range versions {
		out[i] = position.Table{Name: v.Table.String(), Object: v.Object}
	}
	return out
}

// listing gives the captured tables for positions; none where the schema topic knows them, and no others.
func (m *miner) listing(t *tables) []position.Table {
	if m.recorded {
		return nil
	}
	if m.listed != t {
		m.list, m.listed = t.listing(), t
	}
	return m.list
}
