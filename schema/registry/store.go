package registry

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Stored is a record as it lies in the topic; a nil Value removes the record of its key.
type Stored struct {
	Key, Value []byte
}

// Store is where schema records lie.
type Store interface {
	// Load gives the topic up to its end, oldest first. Records that a later one replaces may or may not be there.
	Load(ctx context.Context) ([]Stored, error)
	// Append writes a record, nil for a tombstone, and returns once it is durable.
	Append(ctx context.Context, key, value []byte) error
}

// Load reads a server's records into a new registry. container gives the number of a PDB, 0 for the empty name of a
// non-container database; records of PDBs that it does not know are left out. The error is a *stop.Error where a record
// is at fault.
func Load(ctx context.Context, store Store, server string, container func(pdb string) (int, bool)) (*Registry, error) {
	stored, err := store.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("schema records of %s: %w", server, err)
	}
	newest := map[schema.Table]Stored{}
	for _, s := range stored {
		k, err := decodeKey(s.Key)
		if err != nil {
			return nil, damaged(err, "a key of the schema topic")
		}
		if k.Server == server {
			newest[k.Table] = s
		}
	}
	r := New(server)
	for table, s := range newest {
		if s.Value == nil {
			continue
		}
		record, err := Decode(s.Key, s.Value)
		if err != nil {
			return nil, err
		}
		number, ok := container(table.PDB)
		if !ok {
			continue
		}
		for i := range record.versions {
			record.versions[i].version.Container = number
		}
		r.put(record)
	}
	return r, nil
}
