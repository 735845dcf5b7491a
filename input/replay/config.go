package replay

import (
	"errors"
	"log/slog"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// Config says how rows are published. The zero Config is complete.
type Config struct {
	// Prefix is topic_prefix; empty: "replay".
	Prefix string
	// Template is topics.template; empty: its default.
	Template string
	// Database is the database's name, for tables without a PDB.
	Database string
	// ConnectorVersion is source.version.
	ConnectorVersion string
	// WithoutTombstones switches records.tombstones off.
	WithoutTombstones bool
	// Memory is the budget for open transactions in bytes; 0: 256 MiB.
	Memory int64
	// Complete: rows are held to supplemental logging of all columns, as supplemental_logging: all does.
	Complete bool
	// Log is told the counts at the end; nil: nobody.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Prefix == "" {
		c.Prefix = "replay"
	}
	if c.Memory == 0 {
		c.Memory = 256 << 20
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Validate reports everything that is wrong with the settings.
func (c Config) Validate() error {
	_, err := naming.ParseTemplate(c.Template)
	if c.Memory < 0 {
		err = errors.Join(err, errors.New("memory is negative"))
	}
	return err
}
