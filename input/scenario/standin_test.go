package scenario_test

import (
	"context"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

const standInPDB = "FREEPDB1"

// standIn is a server of its own, in this process.
type standIn struct{ server *oracletest.Server }

func openStandIn(t *testing.T, c oracletest.Config) standIn {
	t.Helper()
	server, err := oracletest.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return standIn{server}
}

func (d standIn) Supports(feature) bool { return true }

func (d standIn) DSN(a account) string {
	switch a {
	case admin:
		return d.server.DSN(oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	case capture:
		return d.server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
	default:
		return d.server.DSN(oracletest.AppUser, oracletest.AppPassword, standInPDB)
	}
}

func (d standIn) PDB() string { return standInPDB }

func (d standIn) Owner() string { return strings.ToUpper(oracletest.AppUser) }

func (d standIn) Table(name string) string { return strings.ToUpper(name) }

func (d standIn) SwitchLog(ctx context.Context) error { return d.server.SwitchLogfile(ctx) }

func (d standIn) KillCapture(context.Context) (int, error) {
	killed := 0
	for _, s := range d.server.Wire().Sessions() {
		if strings.EqualFold(s.User, oracletest.CaptureUser) && d.server.Wire().Kill(s.ID, wire.Reset) {
			killed++
		}
	}
	return killed, nil
}
