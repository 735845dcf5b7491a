package engine

import (
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// The scenario of R1 on the product's own source: a commit below the bound becomes visible 50 ms after the bound was read, and is
// delivered in this step all the same, because START follows 100 ms after the reading. Without the hold-back it is not.
func TestR1CommitThatIsWrittenAfterTheBoundWasReadIsInTheStep(t *testing.T) {
	for name, c := range map[string]struct {
		holdBack time.Duration
		want     int
	}{"with the hold-back": {100 * time.Millisecond, 1}, "without it": {0, 0}} {
		t.Run(name, func(t *testing.T) {
			server, err := oracletest.Start(t.Context(), oracletest.Config{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := server.Close(); err != nil {
					t.Error(err)
				}
			})
			script := func(text string) {
				t.Helper()
				if err := server.RunScript(t.Context(), "ALTER SESSION SET CONTAINER = FREEPDB1;\n"+text); err != nil {
					t.Fatal(err)
				}
			}
			script("CREATE TABLE app.t (id NUMBER PRIMARY KEY);\nALTER TABLE app.t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;")
			config := testConfig(t)
			config.Oracle.ConnectionString = server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
			config.PDBs, config.HoldBack = []string{"FREEPDB1"}, c.holdBack
			if config.Selection, err = naming.NewSelection([]string{`FREEPDB1\.APP\.T`}, nil, false); err != nil {
				t.Fatal(err)
			}
			db := newOracleDatabase(config)
			defer func() {
				if err := db.close(); err != nil {
					t.Error(err)
				}
			}()
			m := newMiner(config, db)
			if err := m.connect(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			captured, err := m.readTables(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			scn, err := db.scn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			from, err := db.start(t.Context(), scn)
			if err != nil {
				t.Fatal(err)
			}
			mine := func() (inserts int) {
				t.Helper()
				reading, err := db.reading(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				found, err := db.mine(t.Context(), from, reading, captured, func(rows []logminer.Row) error {
					for i := range rows {
						if rows[i].Operation == logminer.Insert {
							inserts++
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				from = found.after
				return inserts
			}
			mine() // the sessions are open, and the views have been asked once
			lag := 50 * time.Millisecond
			if c.holdBack == 0 {
				lag = time.Hour // as good as any time: nothing waits for it
			}
			if err := server.SetWarts(redo.Warts{R1WriteLag: lag}); err != nil {
				t.Fatal(err)
			}
			script("INSERT INTO app.t VALUES (1);")
			if got := mine(); got != c.want {
				t.Errorf("%d rows in the step whose bound was read behind the commit, want %d", got, c.want)
			}
		})
	}
}
