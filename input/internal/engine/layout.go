package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// describe reads the tables that match and lays over what the configuration says of their keys and columns, so that every reading of
// the dictionary sees them alike: a column that is added later is excluded from its first row.
func (m *miner) describe(ctx context.Context) (dictionary, error) {
	now, err := m.db.describe(ctx)
	if err != nil {
		return dictionary{}, err
	}
	for i := range now.tables {
		m.config.lay(now.tables[i].Version)
	}
	return now, nil
}

// KeyRule is how the profile chooses among unique indexes.
func (c *Config) KeyRule() oracle.KeyRule {
	if c.Records.Profile.NullableKeys {
		return oracle.FirstUniqueIndex
	}
	return oracle.SmallestNotNull
}

// lay gives a version the key and the excluded columns of the configuration. What of it cannot be, keyFaults says.
func (c *Config) lay(v *schema.Version) {
	if names := c.Keys.Of(v.Table); len(names) > 0 {
		key := schema.Key{Origin: schema.KeyConfig}
		for _, name := range names {
			if i, ok := c.Keys.Column(v, name); ok {
				key.Columns = append(key.Columns, i)
			}
		}
		v.Key = key
	}
	if v.Key.Origin == schema.KeyNone && c.KeyMissing == KeyByRowID {
		v.Key.Origin = schema.KeyRowID
	}
	for i := range v.Columns {
		column := &v.Columns[i]
		column.Excluded = c.Columns.Excluded(v.Table, column.Name, slices.Contains(v.Key.Columns, i))
	}
}

// keyFaults says why a table cannot have the key that the configuration gives it or leaves it.
func (c *Config) keyFaults(v *schema.Version) (faults []error) {
	fault := func(code stop.Code, column, what, do string) {
		faults = append(faults, stop.New(code, v.Table.String()+"."+column, "%s", what).Doing("%s", do))
	}
	for _, name := range c.Keys.Of(v.Table) {
		i, ok := c.Keys.Column(v, name)
		switch {
		case !ok || v.Columns[i].Hidden || v.Columns[i].Unused:
			fault(stop.Configuration, name, "key.columns names a column that the table does not have", "correct key.columns")
		case v.Logging != schema.LoggingAll:
			fault(stop.Configuration, name, "key.columns needs a table whose rows are logged whole: with less, an old row may lack its key",
				"give the table ALL COLUMNS supplemental logging, or take it out of key.columns")
			return faults
		}
	}
	for _, i := range v.Key.Columns {
		if v.Columns[i].Excluded {
			fault(stop.Undecodable, v.Columns[i].Name, "columns.exclude takes away a column of the record key",
				"take the column out of columns.exclude, or name another key for the table in key.columns")
		}
	}
	return faults
}
