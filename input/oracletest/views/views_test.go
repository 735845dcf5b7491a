package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryRowFitsItsColumns(t *testing.T) {
	s, _ := newSet(t)
	kinds := map[datum.TypeCode]datum.Kind{
		datum.TypeNumber: datum.Number, datum.TypeVarchar: datum.Text, datum.TypeDate: datum.Time, datum.TypeRaw: datum.Raw,
	}
	for _, release := range []int{19, 23} {
		s.config.Release = release
		for _, c := range []caller{root, {container: 3, user: "APP"}} {
			for _, name := range s.names() {
				view, ok := s.View("", name)
				if !ok {
					t.Fatalf("no view %s", name)
				}
				all := everyRow(t, view, c)
				for _, r := range all {
					if r[len(view.Columns())].Text != "end" {
						t.Errorf("%s: more cells than its %d columns", name, len(view.Columns()))
						break
					}
					for i, column := range view.Columns() {
						if !r[i].IsNull() && r[i].Kind != kinds[column.Type.Code] {
							t.Errorf("%s.%s holds kind %d", name, column.Name, r[i].Kind)
						}
						if size := column.Type.Size; size > 0 && len(r[i].Text)+len(r[i].Raw) > size {
							t.Errorf("%s.%s holds more than %d bytes: %q", name, column.Name, size, show(r[i]))
						}
					}
				}
			}
		}
	}
}

// everyRow reads with one cell more than there are columns, so that a row which is too long shows.
func everyRow(t *testing.T, view engine.View, c caller) [][]datum.Datum {
	t.Helper()
	rows, err := view.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]datum.Datum
	for {
		dst := make([]datum.Datum, len(view.Columns())+1)
		for i := range dst {
			dst[i] = datum.Datum{Kind: datum.RowID, Text: "end"}
		}
		ok, err := rows.Next(t.Context(), dst)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return all
		}
		all = append(all, dst)
	}
}

func TestViewsAreFoundByTheirNames(t *testing.T) {
	s, _ := newSet(t)
	for _, c := range []struct {
		owner, name string
		want        bool
	}{
		{"", "V$DATABASE", true},
		{"SYS", "V_$DATABASE", true},
		{"SYS", "GV_$SESSION", true},
		{"", "GV$SESSION", true},
		{"PUBLIC", "V$LOG", true},
		{"APP", "V$LOG", false},
		{"", "V$NONE", false},
		{"", "GV$CONTAINERS", true},
		{"", "GV$PDB_INCARNATION", false},
		{"", "CDB_TABLES", true},
		{"", "ALL_ALL_TABLES", true},
		{"", "CDB_ALL_TABLES", true},
		{"", "XXX_TABLES", false},
		{"", "TABLES", false},
		{"", "DBA_USERS", true},
		{"", "USER_USERS", true},
	} {
		if _, got := s.View(c.owner, c.name); got != c.want {
			t.Errorf("%s.%s: %v", c.owner, c.name, got)
		}
	}
}

// Reference logminer I and A.7: what a container shows.
func TestContainerScopes(t *testing.T) {
	s, _ := newSet(t)
	local := caller{container: 3, user: "APP"}
	for _, c := range []struct {
		name    string
		caller  caller
		view    string
		columns []string
		want    []string
	}{
		{"CDB at the root shows open containers", root, "CDB_TABLES", []string{"CON_ID", "OWNER", "TABLE_NAME", "DROPPED"}, []string{
			"3|APP|T|NO", "3|APP|BIN$x==$0|YES", "4|APP|T|NO", "4|APP|BIN$x==$0|YES",
		}},
		{"CDB in a PDB shows that PDB", local, "CDB_TABLES", []string{"CON_ID", "OWNER"}, []string{"3|APP", "3|APP"}},
		{"DBA at the root shows the root", root, "DBA_TABLES", []string{"OWNER"}, nil},
		{"DBA in a PDB", local, "DBA_TABLES", []string{"OWNER"}, []string{"APP", "APP"}},
		{"ALL in a PDB", local, "ALL_TABLES", []string{"OWNER"}, []string{"APP", "APP"}},
		{"ALL with object tables", local, "ALL_ALL_TABLES", []string{"OWNER", "TABLE_NAME", "TABLE_TYPE"}, []string{"APP|T|-", "APP|BIN$x==$0|-"}},
		{"CDB with object tables", root, "CDB_ALL_TABLES", []string{"CON_ID", "OWNER", "TABLE_NAME"}, []string{
			"3|APP|T", "3|APP|BIN$x==$0", "4|APP|T", "4|APP|BIN$x==$0",
		}},
		{"USER shows what one owns", local, "USER_TABLES", []string{"TABLE_NAME"}, []string{"T", "BIN$x==$0"}},
		{"USER shows nothing else", caller{container: 3, user: "C##CDC"}, "USER_TABLES", []string{"TABLE_NAME"}, nil},
		{"V$CONTAINERS", root, "V$CONTAINERS", []string{"CON_ID", "NAME"}, []string{"1|CDB$ROOT", "2|PDB$SEED", "3|FREEPDB1", "4|FREEPDB2", "5|SHUT"}},
		{"V$PDBS", root, "V$PDBS", []string{"CON_ID", "OPEN_MODE"}, []string{"2|READ ONLY", "3|READ WRITE", "4|READ WRITE", "5|MOUNTED"}},
		{"V$PDBS in a PDB", local, "V$PDBS", []string{"NAME"}, []string{"FREEPDB1"}},
		{"sessions of all containers", root, "GV$SESSION", []string{"INST_ID", "SID", "SERIAL#", "USERNAME", "CON_ID"}, []string{"1|42|7|C##CDC|1", "1|50|3|APP|3"}},
		{"sessions of a PDB", local, "V$SESSION", []string{"SID"}, []string{"50"}},
		{"transactions of another PDB", caller{container: 4}, "V$TRANSACTION", []string{"XIDUSN"}, nil},
		{"users", root, "CDB_USERS", []string{"CON_ID", "USERNAME", "COMMON", "ORACLE_MAINTAINED"}, []string{
			"1|SYSTEM|YES|Y", "1|C##CDC|YES|N", "3|SYSTEM|YES|Y", "3|C##CDC|YES|N", "3|APP|NO|N", "4|SYSTEM|YES|Y", "4|C##CDC|YES|N", "4|APP|NO|N",
		}},
		{"own user", local, "USER_USERS", []string{"USERNAME"}, []string{"APP"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, read(t, s, c.caller, c.view, c.columns...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The inventory of reference logminer H.1 and H.2.
func TestLogInventory(t *testing.T) {
	s, db := newSet(t)
	for view, c := range map[string]struct {
		columns []string
		want    []string
	}{
		"V$LOG": {[]string{"GROUP#", "THREAD#", "SEQUENCE#", "ARCHIVED", "STATUS", "FIRST_CHANGE#", "NEXT_CHANGE#", "NEXT_TIME"}, []string{
			"1|1|1|YES|INACTIVE|1000|1001|2026-02-28 12:00:00", "2|1|2|NO|CURRENT|1001|18446744073709551615|-", "3|1|0|YES|UNUSED|0|0|-",
		}},
		"V$LOGFILE": {[]string{"GROUP#", "STATUS", "TYPE", "MEMBER"}, []string{
			"1|-|ONLINE|/opt/oracle/oradata/FREE/redo01.log", "2|-|ONLINE|/opt/oracle/oradata/FREE/redo02.log", "3|-|ONLINE|/opt/oracle/oradata/FREE/redo03.log",
		}},
		"V$ARCHIVED_LOG": {[]string{"THREAD#", "SEQUENCE#", "NAME", "DEST_ID", "FIRST_CHANGE#", "NEXT_CHANGE#", "ARCHIVED", "STANDBY_DEST", "DELETED", "STATUS", "RESETLOGS_CHANGE#"}, []string{
			"1|1|/opt/oracle/oradata/FREE/archive/1_1_1772280000.dbf|1|1000|1001|YES|NO|NO|A|1000",
		}},
		"V$THREAD":              {[]string{"THREAD#", "STATUS", "ENABLED", "SEQUENCE#", "DISABLE_CHANGE#"}, []string{"1|OPEN|PUBLIC|2|0"}},
		"V$ARCHIVE_DEST_STATUS": {[]string{"DEST_ID", "STATUS", "TYPE"}, []string{"1|VALID|LOCAL", "2|INACTIVE|LOCAL"}},
		"V$DATABASE": {
			[]string{"DBID", "NAME", "CDB", "LOG_MODE", "OPEN_MODE", "DATABASE_ROLE", "RESETLOGS_CHANGE#", "SUPPLEMENTAL_LOG_DATA_MIN", "SUPPLEMENTAL_LOG_DATA_ALL"},
			[]string{"1|FREE|YES|ARCHIVELOG|READ WRITE|PRIMARY|1000|YES|NO"},
		},
		"V$TABLESPACE": {[]string{"TS#", "NAME", "CON_ID"}, []string{"4|USERS|1", "4|USERS|2", "4|USERS|3", "5|BULK|3", "4|USERS|4", "5|BULK|4", "4|USERS|5", "5|BULK|5"}},
		"V$DATAFILE": {[]string{"FILE#", "TS#", "UNRECOVERABLE_CHANGE#", "UNRECOVERABLE_TIME", "CON_ID"}, []string{
			"1|4|0|-|1", "2|4|0|-|2", "3|4|0|-|3", "103|5|77|2026-02-28 12:00:00|3",
			"4|4|0|-|4", "104|5|77|2026-02-28 12:00:00|4", "5|4|0|-|5", "105|5|77|2026-02-28 12:00:00|5",
		}},
		"GV$INSTANCE": {[]string{"INST_ID", "STATUS", "VERSION_FULL"}, []string{"1|OPEN|23.4.0.0.0"}},
	} {
		if diff := cmp.Diff(c.want, read(t, s, root, view, c.columns...)); diff != "" {
			t.Errorf("%s: %s", view, diff)
		}
	}
	db.stream.Purge(1001, true)
	if diff := cmp.Diff([]string{"-|YES|D"}, read(t, s, root, "V$ARCHIVED_LOG", "NAME", "DELETED", "STATUS")); diff != "" {
		t.Error("after RMAN: ", diff)
	}
}

func TestRemovedFileStaysInTheControlFile(t *testing.T) {
	s, db := newSet(t)
	db.stream.Purge(1001, false)
	want := []string{"/opt/oracle/oradata/FREE/archive/1_1_1772280000.dbf|NO|A"}
	if diff := cmp.Diff(want, read(t, s, root, "V$ARCHIVED_LOG", "NAME", "DELETED", "STATUS")); diff != "" {
		t.Error(diff)
	}
}

func TestCurrentSCNIsReadWhenTheRowIsFetched(t *testing.T) {
	s, db := newSet(t)
	view, _ := s.View("", "V$DATABASE")
	rows, err := view.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	before := db.stream.NextSCN()
	dst := make([]datum.Datum, len(view.Columns()))
	if ok, err := rows.Next(t.Context(), dst); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for i, c := range view.Columns() {
		if c.Name == "CURRENT_SCN" && show(dst[i]) != fmt.Sprint(before+1) {
			t.Errorf("CURRENT_SCN = %s after SCN %d", show(dst[i]), before)
		}
	}
}

func TestSupplementalLoggingOfTheDatabase(t *testing.T) {
	s, db := newSet(t)
	for want, logging := range map[string]Logging{
		"NO|NO|NO": {}, "YES|NO|NO": {Minimal: true}, "IMPLICIT|YES|NO": {PrimaryKey: true}, "YES|NO|YES": {Minimal: true, All: true},
	} {
		db.logging = logging
		got := read(t, s, root, "V$DATABASE", "SUPPLEMENTAL_LOG_DATA_MIN", "SUPPLEMENTAL_LOG_DATA_PK", "SUPPLEMENTAL_LOG_DATA_ALL")
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Error(diff)
		}
	}
}

// Reference logminer F.4: the join of transactions and sessions.
func TestTransactionsJoinSessions(t *testing.T) {
	s, _ := newSet(t)
	transaction := read(t, s, root, "GV$TRANSACTION", "SES_ADDR", "CON_ID", "XIDUSN", "XIDSLOT", "XIDSQN", "START_SCN", "START_SCNW", "START_SCNB", "START_TIME", "XID")
	if want := "5100000000000032|3|5|7|614|4294967305|1|9|02/28/26 12:00:00|0500070066020000"; transaction[0] != want {
		t.Errorf("%s, want %s", transaction[0], want)
	}
	session := read(t, s, root, "GV$SESSION", "SADDR", "TADDR", "PADDR")
	if session[1] != "5100000000000032|5400000000000032|5200000000000032" || session[0] != "510000000000002A|-|520000000000002A" {
		t.Errorf("sessions %v", session)
	}
	if process := read(t, s, root, "V$PROCESS", "ADDR"); process[1] != "5200000000000032" {
		t.Errorf("processes %v", process)
	}
}

// Correctness R87 and R89: what the look at open transactions must not take for granted.
func TestR89TransactionsThatDoNotSayWhenTheyBegan(t *testing.T) {
	for _, c := range []struct {
		warts redo.Warts
		want  []string
	}{
		{redo.Warts{}, []string{"4294967305|1|9|02/28/26 12:00:00|2026-02-28 12:00:00"}},
		{redo.Warts{R89StartSCNZero: true}, []string{"0|0|0|02/28/26 12:00:00|2026-02-28 12:00:00"}},
		{redo.Warts{R89StartSCNNull: true}, []string{"-|-|-|02/28/26 12:00:00|2026-02-28 12:00:00"}},
		{redo.Warts{R89StartSCNZero: true, R89NoStartDate: true}, []string{"0|0|0|-|-"}},
		{redo.Warts{R87PreparedAlone: true}, nil},
	} {
		s, db := newSet(t)
		if err := db.stream.SetWarts(c.warts); err != nil {
			t.Fatal(err)
		}
		got := read(t, s, root, "GV$TRANSACTION", "START_SCN", "START_SCNW", "START_SCNB", "START_TIME", "START_DATE")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c.warts, diff)
		}
	}
}

// Correctness R63 and R87: branches of distributed transactions in doubt.
func TestR87PreparedTransactions(t *testing.T) {
	for _, w := range []redo.Warts{{R87Prepared: true}, {R87PreparedAlone: true}} {
		s, db := newSet(t)
		if err := db.stream.SetWarts(w); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"3|5.7.614|prepared"}, read(t, s, root, "CDB_2PC_PENDING", "CON_ID", "LOCAL_TRAN_ID", "STATE")); diff != "" {
			t.Errorf("%+v: %s", w, diff)
		}
		for container, want := range map[int]int{1: 0, 3: 1, 4: 0} {
			if got := read(t, s, caller{container: container, user: "C##CDC"}, "DBA_2PC_PENDING", "LOCAL_TRAN_ID"); len(got) != want {
				t.Errorf("%+v: DBA_2PC_PENDING in container %d: %q", w, container, got)
			}
		}
		if got := read(t, s, root, "V$TRANSACTION", "XIDUSN"); (len(got) == 1) != w.R87Prepared {
			t.Errorf("%+v: %q", w, got)
		}
	}
}

// Reference logminer I: a LONG column is in the container only.
func TestDefaultsAreNotInCDBViews(t *testing.T) {
	s, _ := newSet(t)
	for _, name := range []string{"TAB_COLS", "TAB_COLUMNS"} {
		view, ok := s.View("", "CDB_"+name)
		if !ok || strings.Contains(columnNames(view), "DATA_DEFAULT") {
			t.Errorf("CDB_%s: %v %s", name, ok, columnNames(view))
		}
		if got := read(t, s, root, "CDB_"+name, "CON_ID"); len(got) == 0 || got[0] != "3" {
			t.Errorf("CDB_%s: %q", name, got)
		}
		if view, ok := s.View("", "DBA_"+name); !ok || !strings.Contains(columnNames(view), "DATA_DEFAULT") {
			t.Errorf("DBA_%s: %v", name, ok)
		}
	}
}

func TestColumnDescriptions(t *testing.T) {
	s, _ := newSet(t)
	want := []string{
		"ID|NUMBER|22|10|0|N|1|1|0|-|NO|NO", "N|NUMBER|22|-|-|Y|2|2|0|-|NO|NO", "F|FLOAT|22|126|-|Y|3|3|0|-|NO|NO",
		"V|VARCHAR2|50|-|-|Y|4|4|50|B|NO|NO", "VC|VARCHAR2|200|-|-|Y|5|5|50|C|NO|NO", "NV|NVARCHAR2|100|-|-|Y|6|6|50|C|NO|NO",
		"C|CHAR|3|-|-|Y|7|7|3|B|NO|NO", "NC|NCHAR|6|-|-|Y|8|8|3|C|NO|NO", "D|DATE|7|-|-|Y|9|9|0|-|NO|NO",
		"TS|TIMESTAMP(6)|11|-|6|Y|10|10|0|-|NO|NO", "TZ|TIMESTAMP(3) WITH TIME ZONE|13|-|3|Y|11|11|0|-|NO|NO",
		"TL|TIMESTAMP(0) WITH LOCAL TIME ZONE|7|-|0|Y|12|12|0|-|NO|NO", "R|RAW|16|-|-|Y|13|13|0|-|NO|NO",
		"BF|BINARY_FLOAT|4|-|-|Y|14|14|0|-|NO|NO", "LC|CLOB|4000|-|-|Y|15|15|0|-|NO|NO", "LN|NCLOB|4000|-|-|Y|16|16|0|-|NO|NO",
		"LB|BLOB|4000|-|-|Y|17|17|0|-|NO|NO", "IY|INTERVAL YEAR(4) TO MONTH|5|4|0|Y|18|18|0|-|NO|NO",
		"ID2|INTERVAL DAY(2) TO SECOND(6)|11|2|6|Y|19|19|0|-|NO|NO", "ID|NUMBER|22|-|-|Y|1|1|0|-|NO|NO",
	}
	got := read(t, s, caller{container: 3, user: "APP"}, "USER_TAB_COLS", "COLUMN_NAME", "DATA_TYPE", "DATA_LENGTH", "DATA_PRECISION", "DATA_SCALE",
		"NULLABLE", "COLUMN_ID", "SEGMENT_COLUMN_ID", "CHAR_LENGTH", "CHAR_USED", "HIDDEN_COLUMN", "VIRTUAL_COLUMN")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestKeysAndLogGroups(t *testing.T) {
	s, _ := newSet(t)
	local := caller{container: 3, user: "APP"}
	for view, c := range map[string]struct {
		columns []string
		want    []string
	}{
		"CDB_CONSTRAINTS": {
			[]string{"CON_ID", "CONSTRAINT_NAME", "CONSTRAINT_TYPE", "STATUS", "GENERATED", "R_OWNER", "R_CONSTRAINT_NAME", "DELETE_RULE", "INDEX_NAME", "SEARCH_CONDITION_VC"},
			[]string{
				"3|T_PK|P|ENABLED|USER NAME|-|-|-|T_PK|-", "3|T_UK|U|ENABLED|USER NAME|-|-|-|T_UK|-",
				"3|T_FK|R|DISABLED|USER NAME|APP|T_PK|CASCADE|-|-", "3|SYS_C1|C|ENABLED|GENERATED NAME|-|-|-|-|n > 0",
			},
		},
		"CDB_CONS_COLUMNS": {[]string{"CONSTRAINT_NAME", "COLUMN_NAME", "POSITION"}, []string{
			"T_PK|ID|1", "T_UK|V|1", "T_UK|N|2", "T_FK|N|1", "SYS_C1|N|-",
		}},
		"CDB_INDEXES": {[]string{"INDEX_NAME", "UNIQUENESS", "STATUS"}, []string{
			"T_PK|UNIQUE|VALID", "T_UK|UNIQUE|VALID", "T_UX|UNIQUE|VALID", "T_IX|NONUNIQUE|VALID",
		}},
		"USER_IND_COLUMNS": {[]string{"INDEX_NAME", "COLUMN_NAME", "COLUMN_POSITION"}, []string{
			"T_PK|ID|1", "T_UK|V|1", "T_UK|N|2", "T_UX|F|1", "T_IX|N|1", "T_IX|ID|2",
		}},
		"USER_VIEWS": {[]string{"VIEW_NAME", "TEXT_LENGTH", "TEXT", "READ_ONLY"}, []string{"TV|16|select id from t|Y"}},
		"USER_SEQUENCES": {[]string{"SEQUENCE_NAME", "MIN_VALUE", "MAX_VALUE", "INCREMENT_BY", "CYCLE_FLAG", "ORDER_FLAG", "CACHE_SIZE", "LAST_NUMBER"}, []string{
			"S|1|99|2|Y|N|20|41",
		}},
		"CDB_LOG_GROUPS": {[]string{"TABLE_NAME", "LOG_GROUP_TYPE", "ALWAYS"}, []string{
			"T|ALL COLUMN LOGGING|ALWAYS", "T|PRIMARY KEY LOGGING|ALWAYS", "T|UNIQUE KEY LOGGING|CONDITIONAL", "T|FOREIGN KEY LOGGING|CONDITIONAL",
		}},
		"CDB_OBJECTS": {[]string{"OBJECT_NAME", "OBJECT_TYPE", "OBJECT_ID", "DATA_OBJECT_ID", "LAST_DDL_TIME", "TIMESTAMP"}, []string{
			"T|TABLE|74569|74570|2026-02-28 12:00:00|2026-02-28:12:00:00", "BIN$x==$0|TABLE|70|71|2026-02-28 12:00:00|2026-02-28:12:00:00",
			"TV|VIEW|80|-|2026-02-28 12:00:00|2026-02-28:12:00:00",
			"S|SEQUENCE|82|-|2026-02-28 12:00:00|2026-02-28:12:00:00",
		}},
		"CDB_LOBS": {[]string{"COLUMN_NAME", "SEGMENT_NAME", "FORMAT"}, []string{
			"LC|SYS_LOB0000074569C00015$$|ENDIAN NEUTRAL", "LN|SYS_LOB0000074569C00016$$|ENDIAN NEUTRAL", "LB|SYS_LOB0000074569C00017$$|NOT APPLICABLE",
		}},
		"DBA_RECYCLEBIN":  {[]string{"OBJECT_NAME", "ORIGINAL_NAME", "DROPTIME", "DROPSCN"}, []string{"BIN$x==$0|OLD|2026-02-28:12:00:00|77"}},
		"DBA_2PC_PENDING": {[]string{"LOCAL_TRAN_ID"}, nil}, "CDB_LOB_PARTITIONS": {[]string{"LOB_NAME"}, nil},
		"CDB_IND_PARTITIONS": {[]string{"STATUS"}, nil}, "CDB_TAB_SUBPARTITIONS": {[]string{"SUBPARTITION_NAME"}, nil},
	} {
		if diff := cmp.Diff(c.want, read(t, s, local, view, c.columns...)); diff != "" {
			t.Errorf("%s: %s", view, diff)
		}
	}
}

// Correctness R117: transaction ids are per container with local undo only.
func TestLocalUndoIsEnabled(t *testing.T) {
	s, _ := newSet(t)
	if got := read(t, s, root, "DATABASE_PROPERTIES", "PROPERTY_NAME", "PROPERTY_VALUE"); !slices.Contains(got, "LOCAL_UNDO_ENABLED|TRUE") {
		t.Errorf("%q", got)
	}
}

func TestReleases(t *testing.T) {
	s, _ := newSet(t)
	s.config.Release = 19
	if got := read(t, s, root, "V$INSTANCE", "VERSION", "VERSION_FULL"); got[0] != "19.0.0.0.0|19.3.0.0.0" {
		t.Errorf("instance %v", got)
	}
	if got := read(t, s, root, "V$VERSION", "BANNER"); !strings.Contains(got[0], "19c") {
		t.Errorf("banner %v", got)
	}
	if got := read(t, s, root, "NLS_SESSION_PARAMETERS", "PARAMETER", "VALUE"); !slices.Contains(got, "NLS_DATE_FORMAT|value of NLS_DATE_FORMAT") {
		t.Errorf("session parameters %v", got)
	}
}
