package ddl

import "testing"

func TestDiscreetTakesPasswordsOutAndNothingElse(t *testing.T) {
	for text, want := range map[string]string{
		`ALTER TABLE t MODIFY (c ENCRYPT USING 'AES256' IDENTIFIED BY "s3cret" SALT)`:        `ALTER TABLE t MODIFY (c ENCRYPT USING 'AES256' IDENTIFIED BY *** SALT)`,
		"CREATE TABLE t (c NUMBER ENCRYPT identified /* x */ by\n hush, d NUMBER DEFAULT 1)": "CREATE TABLE t (c NUMBER ENCRYPT identified /* x */ by\n ***, d NUMBER DEFAULT 1)",
		`ALTER TABLE t ADD ("IDENTIFIED" NUMBER, by NUMBER)`:                                 `ALTER TABLE t ADD ("IDENTIFIED" NUMBER, by NUMBER)`,
		`ALTER TABLE t ADD (c VARCHAR2(40) DEFAULT 'identified by me')`:                      `ALTER TABLE t ADD (c VARCHAR2(40) DEFAULT 'identified by me')`,
		`ALTER TABLE t ADD (c NUMBER) -- no "secret"`:                                        `ALTER TABLE t ADD (c NUMBER) -- no "secret"`,
	} {
		if got := Discreet(text); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}
