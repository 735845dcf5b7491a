package oracletest

import (
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// evolving is a table whose columns come and go, with what it must hold: every row by its ID, the columns in the order of SELECT *.
type evolving struct {
	t       *rapid.T
	app     *actor
	server  *Server
	columns []string
	numbers map[string]bool
	rows    map[int]map[string]string
	names   int
	// layouts are those that rows were written with.
	layouts map[uint32]*catalog.Table
}

func (e *evolving) do(text string) {
	e.t.Helper()
	if _, err := e.app.run(text); err != nil {
		e.t.Fatalf("%s: %v", text, err)
	}
	for _, l := range e.server.engine.Tables(3) {
		if l.Name == "T9" {
			e.layouts[l.Version] = l
		}
	}
}

// other draws a column besides the key, empty if there is none.
func (e *evolving) other() string {
	if len(e.columns) < 2 {
		return ""
	}
	return rapid.SampledFrom(e.columns[1:]).Draw(e.t, "column")
}

func (e *evolving) value(column string) (literal, shown string) {
	switch n := rapid.IntRange(0, 9).Draw(e.t, "value"); {
	case n == 0:
		return "NULL", "-"
	case e.numbers[column]:
		return strconv.Itoa(n), strconv.Itoa(n)
	default:
		return fmt.Sprintf("'v%d'", n), fmt.Sprintf("v%d", n)
	}
}

func (e *evolving) add() {
	e.names++
	column := fmt.Sprintf("C%d", e.names)
	e.numbers[column] = rapid.Bool().Draw(e.t, "number")
	declared := column + " VARCHAR2(9)"
	if e.numbers[column] {
		declared = column + " NUMBER"
	}
	shown := "-"
	if rapid.Bool().Draw(e.t, "default") {
		var literal string
		if literal, shown = e.value(column); literal != "NULL" {
			declared += " DEFAULT " + literal
			if rapid.Bool().Draw(e.t, "not null") {
				declared += " NOT NULL"
			}
		}
	}
	e.do("ALTER TABLE t9 ADD (" + declared + ")")
	e.columns = append(e.columns, column)
	for _, row := range e.rows {
		row[column] = shown
	}
}

func (e *evolving) leave(how string) {
	column := e.other()
	if column == "" {
		return
	}
	e.do(fmt.Sprintf("ALTER TABLE t9 %s (%s)", how, column))
	e.columns = slices.DeleteFunc(e.columns, func(c string) bool { return c == column })
	for _, row := range e.rows {
		delete(row, column)
	}
}

func (e *evolving) rename() {
	column := e.other()
	if column == "" {
		return
	}
	e.names++
	to := fmt.Sprintf("C%d", e.names)
	e.do("ALTER TABLE t9 RENAME COLUMN " + column + " TO " + to)
	e.columns[slices.Index(e.columns, column)], e.numbers[to] = to, e.numbers[column]
	for _, row := range e.rows {
		row[to] = row[column]
		delete(row, column)
	}
}

// hide makes a column invisible and visible again: it is the last one then.
func (e *evolving) hide() {
	column := e.other()
	if column == "" {
		return
	}
	e.do("ALTER TABLE t9 MODIFY " + column + " INVISIBLE")
	e.do("ALTER TABLE t9 MODIFY " + column + " VISIBLE")
	e.columns = append(slices.DeleteFunc(e.columns, func(c string) bool { return c == column }), column)
}

func (e *evolving) insert() {
	id := rapid.IntRange(1, 9).Draw(e.t, "id")
	if e.rows[id] != nil {
		e.do(fmt.Sprintf("DELETE FROM t9 WHERE id = %d", id))
	}
	row, names, literals := map[string]string{"ID": strconv.Itoa(id)}, []string{"id"}, []string{strconv.Itoa(id)}
	for _, column := range e.columns[1:] {
		literal, shown := e.value(column)
		if literal == "NULL" {
			literal, shown = map[bool]string{true: "5", false: "'v5'"}[e.numbers[column]], map[bool]string{true: "5", false: "v5"}[e.numbers[column]]
		}
		names, literals = append(names, column), append(literals, literal)
		row[column] = shown
	}
	e.do("INSERT INTO t9 (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(literals, ", ") + ")")
	e.rows[id] = row
}

func (e *evolving) update() {
	column := e.other()
	if column == "" || len(e.rows) == 0 {
		return
	}
	id := rapid.SampledFrom(slices.Sorted(maps.Keys(e.rows))).Draw(e.t, "row")
	literal, shown := e.value(column)
	_, err := e.app.run(fmt.Sprintf("UPDATE t9 SET %s = %s WHERE id = %d", column, literal, id))
	if oraCode(err) == 1407 && literal == "NULL" { // a NOT NULL column
		return
	}
	if err != nil {
		e.t.Fatal(err)
	}
	e.rows[id][column] = shown
}

func (e *evolving) end() {
	how := "COMMIT"
	if rapid.IntRange(0, 3).Draw(e.t, "end") == 0 {
		how = "SAVEPOINT nothing"
	}
	e.do(how)
}

// steps are as likely as they are often here.
func (e *evolving) step() {
	switch rapid.IntRange(0, 12).Draw(e.t, "step") {
	case 0, 1:
		e.add()
	case 2:
		e.leave("DROP")
	case 3:
		e.leave("SET UNUSED")
	case 4:
		e.do("ALTER TABLE t9 DROP UNUSED COLUMNS")
	case 5:
		e.rename()
	case 6:
		e.hide()
	case 7, 8, 9:
		e.insert()
	case 10, 11:
		e.update()
	case 12:
		e.end()
	}
}

// content is what SELECT * shows.
func (e *evolving) content() []string {
	var list []string
	for _, id := range slices.Sorted(maps.Keys(e.rows)) {
		var cells []string
		for _, column := range e.columns {
			cells = append(cells, e.rows[id][column])
		}
		list = append(list, strings.Join(cells, "|"))
	}
	return list
}

var (
	quoted   = regexp.MustCompile(`"([^"]*)"`)
	internal = regexp.MustCompile(`HEXTORAW\('([0-9a-f]*)'\)`)
)

// byNumber gives a statement with names the form of one without: columns by their segment numbers, values as Oracle stores them.
func byNumber(layout *catalog.Table, text string) string {
	head, rest, _ := strings.Cut(text, `"T9"`)
	rest = internal.ReplaceAllString(rest, "<$1>")
	rest = quoted.ReplaceAllStringFunc(rest, func(name string) string {
		for i := range layout.Columns {
			if `"`+layout.Columns[i].Name+`"` == name {
				return fmt.Sprintf(`"COL %d"`, layout.Columns[i].SegmentID)
			}
		}
		return name
	})
	rest = regexp.MustCompile(`'(v?)(\d+)'`).ReplaceAllStringFunc(rest, func(literal string) string {
		value := strings.Trim(literal, "'")
		if n, err := strconv.Atoi(value); err == nil {
			return fmt.Sprintf("<c1%02x>", n+1)
		}
		return "<" + hex.EncodeToString([]byte(value)) + ">"
	})
	return head + `"T9"` + rest
}

// R41 to R43, R45, R109: through random DDL and DML the table holds what it must; with a dictionary from the redo every row has names;
// by the online catalogue a row has the same names or is generic, with the same columns by their numbers and the same bytes.
func TestRandomDDLAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newStage(t, Config{})
		defer s.close()
		app := s.app()
		app.do("CREATE TABLE t9 (id NUMBER)")
		app.do("ALTER TABLE t9 ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
		if err := s.server.SetWarts(s.server.Warts()); err != nil {
			rt.Fatal(err)
		}
		s.mining.do("BEGIN DBMS_LOGMNR_D.BUILD(OPTIONS => 2); END;")
		warts := s.server.Warts()
		warts.R43UnusedNamed = true // so that both forms list the same columns
		if err := s.server.SetWarts(warts); err != nil {
			rt.Fatal(err)
		}
		e := &evolving{
			t: rt, app: app, server: s.server, columns: []string{"ID"}, numbers: map[string]bool{"ID": true}, rows: map[int]map[string]string{},
			layouts: map[uint32]*catalog.Table{},
		}
		e.do("SAVEPOINT nothing")
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			e.step()
			if got, want := app.rows("SELECT * FROM t9 ORDER BY id"), e.content(); !slices.Equal(got, want) {
				rt.Fatalf("table %q, want %q", got, want)
			}
		}
		e.do("COMMIT")
		const columns = "rs_id || ssn, data_objv#, status, sql_redo"
		named := s.mined(redoDictionary, columns, `"T9"`)
		today := s.mined(captureOptions, columns, `"T9"`)
		changes := func(list []string) []string {
			return slices.DeleteFunc(list, func(line string) bool { return strings.Contains(line, "ALTER") || strings.Contains(line, "CREATE") })
		}
		named, today = changes(named), changes(today)
		if len(named) != len(today) {
			rt.Fatalf("%d rows by the dictionary of the redo, %d by today's", len(named), len(today))
		}
		for i := range named {
			a, b := strings.SplitN(named[i], "|", 4), strings.SplitN(today[i], "|", 4)
			version, err := strconv.ParseUint(a[1], 10, 32)
			if err != nil {
				rt.Fatal(err)
			}
			layout := e.layouts[uint32(version)]
			switch {
			case a[0] != b[0], a[1] != b[1]:
				rt.Fatalf("row %s, then %s", named[i], today[i])
			case a[2] != "0":
				rt.Fatalf("a row without names by the dictionary of the redo: %s", named[i])
			case b[2] == "0" && a[3] != b[3]:
				rt.Fatalf("named %s and %s", a[3], b[3])
			case b[2] == "2" && byNumber(layout, a[3]) != internal.ReplaceAllString(b[3], "<$1>"):
				rt.Fatalf("named %s\nis %s\nnot %s", a[3], byNumber(layout, a[3]), b[3])
			}
		}
	})
}
