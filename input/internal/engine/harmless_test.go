package engine

import "testing"

func TestDDLIsHarmlessOnlyWhereRowsBeforeItKeepTheirNames(t *testing.T) {
	for text, want := range map[string]bool{
		"CREATE TABLE t (id NUMBER)":                            true,
		"create unique index i on t (id)":                       true,
		"GRANT SELECT ON t TO u":                                true,
		"COMMENT ON TABLE t IS 'x'":                             true,
		"ALTER TABLE t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS": true,
		"ALTER INDEX i REBUILD":                                 true,
		"DROP INDEX i":                                          true,
		"ALTER TABLE t ADD (c NUMBER)":                          false,
		"ALTER TABLE t RENAME TO u":                             false,
		"DROP TABLE t PURGE":                                    false,
		"TRUNCATE TABLE t":                                      false,
		"FLASHBACK TABLE t TO BEFORE DROP":                      false,
		"ALTER TABLE t ADD (supplemental NUMBER, log NUMBER)":   false,
		"/* a comment */ ALTER TABLE t DROP COLUMN c":           false,
		"PURGE TABLE t":                                         false,
		"":                                                      false,
	} {
		if got := harmless(text); got != want {
			t.Errorf("%q is harmless: %v, want %v", text, got, want)
		}
	}
}
