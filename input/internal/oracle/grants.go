package oracle

import (
	"context"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// readViews are the views that capture reads at the root. SELECT ANY DICTIONARY covers them, and so does a grant on each.
//
//nolint:gochecknoglobals // a constant list
var readViews = []string{
	"V$DATABASE", "V$INSTANCE", "GV$INSTANCE", "V$PDBS", "V$THREAD", "V$SESSION", "GV$TRANSACTION", "CDB_2PC_PENDING", "DATABASE_PROPERTIES",
	"V$LOG", "V$LOGFILE", "V$ARCHIVED_LOG", "V$ARCHIVE_DEST_STATUS", "V$DATAFILE", "V$TABLESPACE", "CDB_SEGMENTS", "CDB_LOBS",
	"CDB_USERS", "CDB_TABLES", "CDB_TAB_COLS", "CDB_ENCRYPTED_COLUMNS", "CDB_CONSTRAINTS", "CDB_CONS_COLUMNS", "CDB_INDEXES", "CDB_IND_COLUMNS", "CDB_LOG_GROUPS", "CDB_OBJECTS",
	"CDB_PROPERTIES", "CDB_OBJECT_TABLES", "CDB_FLASHBACK_ARCHIVE_TABLES",
}

var (
	// callLogMiner calls the package without beginning anything: with EXECUTE the answer is ORA-01307, no session.
	callLogMiner = Statement{"call DBMS_LOGMNR", `BEGIN DBMS_LOGMNR.END_LOGMNR; END;`}
	// Before a START the view answers ORA-01306 to whoever may read it.
	lookAtContents = Statement{"look at V$LOGMNR_CONTENTS", `SELECT 1 FROM v$logmnr_contents WHERE 1 = 0`}
	// SESSION_PRIVS needs no grant and shows what came by roles too.
	sessionPrivileges = Statement{"read SESSION_PRIVS", `SELECT privilege FROM session_privs`}
)

// CheckGrants names everything at once that the capture user may not do, as CDC-5002. Without it a missing grant would show one by
// one, and that on LogMiner only after a first start was made durable. The session is not mining.
func CheckGrants(ctx context.Context, s *Session) error {
	var views, missing []string
	for _, view := range readViews {
		denied, err := denies(ctx, s, Statement{"look at " + view, "SELECT 1 FROM " + view + " WHERE 1 = 0"})
		if err != nil {
			return err
		}
		if denied {
			views = append(views, view)
		}
	}
	mining, err := s.logmining(ctx)
	if err != nil {
		return err
	}
	if !mining {
		missing = append(missing, "LOGMINING")
	}
	contents, err := denies(ctx, s, lookAtContents)
	if _, answered := Code(err); err != nil && !answered {
		return err
	}
	if contents && mining {
		// Without LOGMINING nobody may.
		views = append(views, "V$LOGMNR_CONTENTS")
	}
	execute, err := denies(ctx, s, callLogMiner)
	if number, _ := Code(err); err != nil && number != noLogMinerSession {
		return err
	}
	return lacking(missing, views, execute)
}

// noLogMinerSession is what END_LOGMNR answers where nothing was started.
const noLogMinerSession = 1307

// lacking makes one message of what is missing, with the statements that grant it; nil when nothing is.
func lacking(missing, views []string, execute bool) error {
	var do []string
	system := missing
	for _, view := range views {
		missing = append(missing, "SELECT on "+view)
	}
	if len(views) > 0 {
		system = append(system[:len(system):len(system)], "SELECT ANY DICTIONARY")
	}
	if len(system) > 0 {
		do = append(do, "GRANT "+strings.Join(system, ", ")+" TO <capture user>")
	}
	if execute {
		missing = append(missing, "EXECUTE on SYS.DBMS_LOGMNR")
		do = append(do, "GRANT EXECUTE ON SYS.DBMS_LOGMNR TO <capture user>")
	}
	if len(missing) == 0 {
		return nil
	}
	return stop.New(stop.Privilege, strings.Join(missing, ", "), "the capture user lacks grants").
		Doing("as SYSDBA at the root, with CONTAINER = ALL: %s; then restart (resources/sql/setup-cdb.sql, step 3)", strings.Join(do, "; "))
}

// denies reports whether a statement is refused for want of a grant; any other error is returned.
func denies(ctx context.Context, s *Session, st Statement) (bool, error) {
	var err error
	if strings.HasPrefix(st.Text, "SELECT") {
		var one Text
		err = s.Each(ctx, st, nil, []any{&one}, func() error { return nil })
	} else {
		err = s.Exec(ctx, st)
	}
	if err == nil {
		return false, nil
	}
	if _, typed := Classify(err); typed != nil && typed.Code == stop.Privilege {
		return true, nil
	}
	return false, err
}

func (s *Session) logmining(ctx context.Context) (bool, error) {
	var privilege Text
	found := false
	err := s.Each(ctx, sessionPrivileges, nil, []any{&privilege}, func() error {
		found = found || privilege == "LOGMINING"
		return nil
	})
	return found, err
}
