package oracle

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Description is a table as the dictionary shows it now.
type Description struct {
	// Version has no number and no begin: both are the engine's. It is sealed.
	Version *schema.Version
	// Partitioned tables get segments whose ids nobody knows yet; their rows are also recognised by name (R103).
	Partitioned bool
	// Partitions are the names of its partitions and subpartitions.
	Partitions []string
	// Object is the id of the table itself, which its columns belong to. LastDDL is its LAST_DDL_TIME, of one-second resolution, which
	// moves for grants too (R96).
	Object  uint64
	LastDDL string
	// Refused says why the table cannot be captured by this version; empty: it can.
	Refused []string
}

// maxIdentifier is the longest name that LogMiner handles with supplemental logging; rows of tables with longer ones
// come as UNSUPPORTED (reference logminer M).
const maxIdentifier = 30

// unusedName is what SET UNUSED renames a column to (reference logminer I).
//
//nolint:gochecknoglobals // a compiled constant
var unusedName = regexp.MustCompile(`^SYS_C\d+_.*\$$`)

// oracleSchemas are Oracle's own where ORACLE_MAINTAINED does not say so (reference logminer I).
func oracleSchema(owner string) bool {
	switch owner {
	case "SYS", "SYSTEM", "AUDSYS", "XDB", "OUTLN", "DBSNMP", "MDSYS", "CTXSYS", "ORDSYS", "ORDDATA", "WMSYS", "LBACSYS", "OJVMSYS",
		"GSMADMIN_INTERNAL", "DVSYS", "DVF", "APPQOSSYS", "DBSFWUSER", "GGSYS", "ANONYMOUS", "OLAPSYS", "VECSYS":
		return true
	}
	return false
}

// refuse collects why a table cannot be captured.
func (d *Description) refuse(t tableRow, columns []columnRow, release string) {
	add := func(format string, args ...any) { d.Refused = append(d.Refused, fmt.Sprintf(format, args...)) }
	if t.iot != "" {
		add("index-organized table")
	}
	if t.cluster != "" {
		add("table in cluster %s", t.cluster)
	}
	if t.external {
		add("external table, whose rows lie in files and are in no redo: exclude the table")
	}
	if t.hybrid {
		add("hybrid partitioned table, whose external partitions are in no redo: exclude the table")
	}
	for _, kind := range t.kinds {
		add("%s, whose rows LogMiner is not known to show whole: exclude the table", kind)
	}
	if t.reservable {
		add("a column with lock-free reservations, whose changes lie in a journal until they are applied: exclude the table")
	}
	if len(t.name) > maxIdentifier {
		add("a name of more than %d bytes", maxIdentifier)
	}
	for i := range columns {
		c := &columns[i]
		if c.Unused || c.Virtual {
			continue
		}
		if len(c.Name) > maxIdentifier {
			add("column %s has a name of more than %d bytes", c.Name, maxIdentifier)
		}
		if !c.Type.Captured() {
			add("column %s has type %s%s", c.Name, c.Type, unmined(c.Type, c.owner))
		}
		if c.identity && !minesIdentity(release) {
			add("column %s is an identity column, and LogMiner of release %s ignores tables that have one: give it a sequence as its default instead "+
				"(ALTER TABLE ... MODIFY %s DROP IDENTITY), or exclude the table", c.Name, release, quote(c.Name))
		}
	}
	if len(d.Version.ObjectIDs) == 0 {
		add("the dictionary shows no segment of it")
	}
}

// unmined says of a type that no version of this program can capture what LogMiner does with it and what helps; empty: a later version
// may capture it (reference logminer D.2, M).
func unmined(t schema.Type, owner string) string {
	switch {
	case t.Kind != schema.Unsupported:
		return ""
	case owner != "":
		return ", an object or collection type, whose table LogMiner ignores: keep its parts in columns or tables of their own, or exclude the table"
	}
	switch t.Name {
	case "BOOLEAN":
		return ", and LogMiner shows no row of its table: use NUMBER(1), or exclude the table"
	case "JSON":
		return ", and LogMiner shows no row of its table: use CLOB with IS JSON, or exclude the table"
	case "VECTOR":
		return ", and LogMiner shows no row of its table: keep the vector in a table of its own, and exclude that"
	case "BFILE":
		return ", whose table LogMiner ignores: keep the file's name as text, or exclude the table"
	}
	return ", which LogMiner is not known to show: exclude the table"
}

// minesIdentity: the documentation of 19c has tables with identity columns ignored; of later releases before 23 nothing is known
// (reference logminer M).
func minesIdentity(release string) bool {
	const first = 23
	major, _, _ := strings.Cut(release, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= first
}

// logging is the table's supplemental logging together with the database's (R108).
func logging(groups []string, db Database) schema.Logging {
	level := schema.LoggingMinimal
	if db.AllKeys {
		level = schema.LoggingKey
	}
	for _, g := range groups {
		switch g {
		case "ALL COLUMN LOGGING":
			return schema.LoggingAll
		case "PRIMARY KEY LOGGING":
			level = schema.LoggingKey
		}
	}
	if db.AllCol {
		return schema.LoggingAll
	}
	return level
}

// Statement is the DDL that gives the table full row images, for messages.
func (d Description) Statement() string {
	t := d.Version.Table
	return fmt.Sprintf("ALTER TABLE %s.%s ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS", quote(t.Owner), quote(t.Name))
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
