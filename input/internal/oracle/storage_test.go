package oracle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// R47: pluggable databases have character sets and a DBTIMEZONE of their own.
func TestR47StorageIsReadOfEveryContainer(t *testing.T) {
	s := &script{}
	s.rows(
		"CDB_PROPERTIES",
		[]string{"1", "NLS_CHARACTERSET", "AL32UTF8"}, []string{"1", "NLS_NCHAR_CHARACTERSET", "AL16UTF16"}, []string{"1", "DBTIMEZONE", "+00:00"},
		[]string{"3", "DBTIMEZONE", "Europe/Berlin"}, []string{"3", "NLS_CHARACTERSET", "WE8MSWIN1252"}, []string{"3", "NLS_NCHAR_CHARACTERSET", "UTF8"},
	)
	got, err := oracle.ReadStorage(t.Context(), connect(t, config(server(t, s))))
	want := map[int]oracle.Storage{
		1: {CharacterSet: "AL32UTF8", National: "AL16UTF16", TimeZone: "+00:00"},
		3: {CharacterSet: "WE8MSWIN1252", National: "UTF8", TimeZone: "Europe/Berlin"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
