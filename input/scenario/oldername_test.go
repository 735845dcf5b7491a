package scenario_test

import (
	"fmt"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// R44, R94: DDL that names, hides and shows columns leaves DATA_OBJV# as it is. A row of the last of those layouts, which is mined when
// another DDL has taken the names, is decoded all the same; behind a restart that has to read everything again, so is a row of each.
func TestR44LayoutsThatTheNumberDoesNotTellApart(t *testing.T) {
	sideBySide(t)
	for name, warts := range map[string]redo.Warts{
		"rows of other columns lose their names": {}, "any other number takes them": {R41AnyVersion: true}, "names are today's": {R97NewNames: true},
	} {
		for _, restart := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restart %t", name, restart), func(t *testing.T) {
				l := beginLagging(t, "id NUMBER(9) PRIMARY KEY, a VARCHAR2(10), b VARCHAR2(10)", nil, misleads(warts))
				l.table("u", "id NUMBER(9) PRIMARY KEY")
				l.p.stop()
				l.again()
				l.p.settleKafka(l.b) // behind it the first layout is certain
				open := l.connect(app).begin()
				open.exec("INSERT INTO $u VALUES (1)")
				for i, layout := range []string{"", "ALTER TABLE $t RENAME COLUMN a TO x", "ALTER TABLE $t MODIFY x INVISIBLE", "ALTER TABLE $t MODIFY x VISIBLE"} {
					if layout != "" {
						l.exec(layout)
					}
					l.commit(fmt.Sprintf("INSERT INTO $t (id, %s, b) VALUES (%d, 'a%[2]d', 'b')", map[bool]string{true: "a", false: "x"}[i == 0], i+1))
					l.p.settleKafka(l.b)
				}
				want := []string{
					`c null {"ID":1,"A":"a1","B":"b"} v1`, `c null {"ID":2,"X":"a2","B":"b"} v2`, `c null {"ID":3,"B":"b"} v3`, `c null {"ID":4,"X":"a4","B":"b"} v4`,
				}
				resume := l.server.PauseLogWriter()
				if restart {
					l.p.stop()
				}
				l.commit("INSERT INTO $t (id, x, b) VALUES (5, 'a5', 'b')")
				l.exec("ALTER TABLE $t ADD (n NUMBER(9))")
				l.commit("INSERT INTO $t (id, x, b, n) VALUES (6, 'a6', 'b', 6)")
				resume()
				if restart {
					l.again()
				}
				open.commit()
				l.p.settleKafka(l.b)
				l.want("t", append(want, `c null {"ID":5,"X":"a5","B":"b"} v4`, `c null {"ID":6,"X":"a6","B":"b","N":6} v5`)...)
			})
		}
	}
}
