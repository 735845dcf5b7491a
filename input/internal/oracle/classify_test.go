package oracle_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// ora makes an error as the driver gives it: the number of the first line, and the whole stack as its text.
func ora(stack string) error {
	var code int
	if _, err := fmt.Sscanf(stack, "ORA-%d", &code); err != nil {
		panic(err)
	}
	return fmt.Errorf("statement: %w", &network.OracleError{ErrCode: code, ErrMsg: stack})
}

func TestClassesOfORACodes(t *testing.T) {
	for name, tc := range map[string]struct {
		err     error
		class   oracle.Class
		code    stop.Code
		ora     int
		retries int
	}{
		"killed session":                  {ora("ORA-00028: your session has been killed"), oracle.Reconnect, stop.Unavailable, 28, -1},
		"instance starting":               {ora("ORA-01033: ORACLE initialization or shutdown in progress"), oracle.Reconnect, stop.Unavailable, 1033, -1},
		"PGA limit":                       {ora("ORA-04036: PGA memory"), oracle.Reconnect, stop.Unavailable, 4036, -1},
		"closed PDB waits (R127)":         {ora("ORA-16331: container \"FREEPDB2\" is not open\nORA-06512: at \"SYS.DBMS_LOGMNR\", line 72"), oracle.Reconnect, stop.Unavailable, 16331, -1},
		"online log overwritten":          {ora("ORA-00310: archived log contains sequence 19; sequence 18 required\nORA-00334: archived log: '/x'"), oracle.ReMine, stop.StepFailed, 310, 20},
		"header mismatch":                 {ora("ORA-01368: redo log file header mismatch"), oracle.ReMine, stop.StepFailed, 1368, 20},
		"cancelled":                       {ora("ORA-01013: user requested cancel of current operation"), oracle.ReMine, stop.StepFailed, 1013, 20},
		"missing log file":                {ora("ORA-01291: missing log file\nORA-06512: at \"SYS.DBMS_LOGMNR\", line 72\nORA-06512: at line 1"), oracle.ReMine, stop.RedoGap, 1291, 20},
		"file cannot be opened":           {ora("ORA-01284: file /a.arc cannot be opened\nORA-00308: cannot open archived log"), oracle.ReMine, stop.RedoPurged, 1284, 3},
		"error reading a file":            {ora("ORA-01285: error reading file"), oracle.ReMine, stop.RedoPurged, 1285, 3},
		"wrapped in recursive SQL":        {ora("ORA-00604: error occurred at recursive SQL level 1\nORA-01284: file x cannot be opened\nORA-00308: cannot open"), oracle.ReMine, stop.RedoPurged, 1284, 3},
		"wrapped archived log is gone":    {ora("ORA-00604: error occurred at recursive SQL level 1\nORA-00308: cannot open archived log"), oracle.Stop, stop.RedoPurged, 308, 0},
		"no session to end":               {ora("ORA-01307: no LogMiner session is currently active\nORA-06512: at \"SYS.DBMS_LOGMNR\", line 91"), oracle.Ignore, stop.StepFailed, 1307, -1},
		"other incarnation (R125)":        {ora("ORA-01287: file x is from a different database incarnation"), oracle.Stop, stop.Identity, 1287, 0},
		"corruption in the log stream":    {ora("ORA-01343: LogMiner encountered corruption in the logstream"), oracle.Stop, stop.Corrupt, 1343, 0},
		"unexpected redo pattern":         {ora("ORA-26653: x"), oracle.Stop, stop.Corrupt, 26653, 0},
		"inside a PDB":                    {ora("ORA-65040: operation not allowed from within a pluggable database"), oracle.Stop, stop.Identity, 65040, 0},
		"no privilege on a view":          {ora("ORA-00942: table or view does not exist"), oracle.Stop, stop.Privilege, 942, 0},
		"no privilege on a package":       {ora("ORA-06550: line 1, column 7:\nPLS-00201: identifier 'DBMS_LOGMNR' must be declared\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"), oracle.Stop, stop.Privilege, 6550, 0},
		"other compile error":             {ora("ORA-06550: line 1, column 7:\nPLS-00103: Encountered the symbol"), oracle.Stop, stop.Unclassified, 6550, 0},
		"wrong password":                  {ora("ORA-01017: invalid username/password; logon denied"), oracle.Stop, stop.Privilege, 1017, 0},
		"account locked":                  {ora("ORA-28000: the account is locked"), oracle.Stop, stop.Privilege, 28000, 0},
		"snapshot too old":                {ora("ORA-01555: snapshot too old"), oracle.SnapshotRetry, stop.SnapshotOld, 1555, -1},
		"unknown code (R138)":             {ora("ORA-99999: never seen"), oracle.Stop, stop.Unclassified, 99999, 0},
		"unknown code inside a stack":     {ora("ORA-00604: error\nORA-20999: own trigger"), oracle.Stop, stop.Unclassified, 20999, 0},
		"bad connection":                  {driver.ErrBadConn, oracle.Reconnect, stop.Unavailable, 0, -1},
		"connection done":                 {sql.ErrConnDone, oracle.Reconnect, stop.Unavailable, 0, -1},
		"end of file":                     {io.EOF, oracle.Reconnect, stop.Unavailable, 0, -1},
		"closed socket":                   {&net.OpError{Op: "read", Net: "tcp", Err: net.ErrClosed}, oracle.Reconnect, stop.Unavailable, 0, -1},
		"time-out":                        {context.DeadlineExceeded, oracle.Reconnect, stop.Unavailable, 0, -1},
		"unusable session":                {oracle.ErrUnusable, oracle.Reconnect, stop.Unavailable, 0, -1},
		"instances missing (R32)":         {oracle.ErrIncomplete, oracle.ReMine, stop.Unavailable, 0, 20},
		"session used wrongly":            {oracle.ErrRowsOpen, oracle.Stop, stop.Unclassified, 0, 0},
		"typed stop":                      {stop.New(stop.RedoGap, "x", "y"), oracle.Stop, stop.RedoGap, 0, 0},
		"typed and retried":               {stop.New(stop.Unavailable, "x", "y"), oracle.Reconnect, stop.Unavailable, 0, -1},
		"anything else":                   {errors.New("?"), oracle.Stop, stop.Unclassified, 0, 0},
		"masked or joined errors as well": {errors.Join(errors.New("a"), ora("ORA-01291: missing log file")), oracle.ReMine, stop.RedoGap, 1291, 20},
	} {
		t.Run(name, func(t *testing.T) {
			class, typed := oracle.Classify(tc.err)
			if class != tc.class || typed.Code != tc.code || typed.ORA != tc.ora {
				t.Errorf("%s CDC-%d ORA-%d, want %s CDC-%d ORA-%d", class, typed.Code, typed.ORA, tc.class, tc.code, tc.ora)
			}
			if n := oracle.Retries(tc.err); n != tc.retries {
				t.Errorf("%d retries, want %d", n, tc.retries)
			}
			if tc.ora != 0 && !strings.Contains(typed.Error(), fmt.Sprintf("ORA-%05d", tc.ora)) {
				t.Errorf("the number is not in %q", typed.Error())
			}
		})
	}
	if class, typed := oracle.Classify(nil); class != oracle.Ignore || typed != nil {
		t.Error("nil is an error")
	}
}
