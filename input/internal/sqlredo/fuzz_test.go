package sqlredo

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawQuoted draws a string as LogMiner would quote it; the pieces are what misleads readers.
func drawQuoted(t *rapid.T, label string) Quoted {
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
		"'", "''", `"`, ",", ", ", ")", "(", ";", " and ", " where ", " set ", "=", "||", `\`, "\n", "--", "/*", "NULL", "ROWID",
		`","`, `", "A" = '`, "ä", "大", "x", " ", "0", ".",
	}), 0, 6).Draw(t, label)
	value := strings.Join(pieces, "")
	return Quoted{Raw: strings.ReplaceAll(value, "'", "''"), Doubled: strings.Contains(value, "'")}
}

func drawName(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"A", "b", ".", " ", "'", ",", "(", ")", " and ", "set", "where", "ROWID", "NULL", "#", "$", "表",
	}), 1, 4).Draw(t, label), "")
}

func drawCall(t *rapid.T) Call {
	c := Call{Name: FunctionName(rapid.IntRange(int(ToDate), int(EmptyBLOB)).Draw(t, "function"))}
	if c.Name == EmptyCLOB || c.Name == EmptyBLOB {
		return c
	}
	c.Text = drawQuoted(t, "argument")
	if c.Name <= ToTimestampTZ {
		c.Format = drawQuoted(t, "format")
	}
	return c
}

func drawLiteral(t *rapid.T) Literal {
	l := Literal{
		Form: Form(rapid.IntRange(int(Null), int(UnsupportedType)).Draw(t, "form")),
		JSON: rapid.IntRange(0, 9).Draw(t, "json") == 0,
	}
	switch l.Form {
	case Text:
		l.Text = drawQuoted(t, "text")
	case Number:
		l.Text.Raw = rapid.StringMatching(`[-+]?([0-9]{1,4}\.?[0-9]{0,3}|\.[0-9]{1,3})(E[-+]?[0-9]{1,3})?`).Draw(t, "number")
	case Function:
		l.Call = drawCall(t)
		for range rapid.IntRange(0, 2).Draw(t, "pieces") {
			if concatenates(l.Call) {
				l.More = append(l.More, Call{Name: l.Name, Text: drawQuoted(t, "piece")})
			}
		}
	}
	return l
}

func drawAssignments(t *rapid.T, least int, label string) []Assignment {
	var out []Assignment
	for range rapid.IntRange(least, 5).Draw(t, label) {
		out = append(out, Assignment{Name: drawName(t, "column"), Value: drawLiteral(t)})
	}
	return out
}

func drawStatement(t *rapid.T) *Statement {
	s := &Statement{
		Kind:  Kind(rapid.IntRange(int(Insert), int(Delete)).Draw(t, "kind")),
		Owner: drawName(t, "owner"), Table: drawName(t, "table"),
	}
	if s.Kind != Delete {
		s.Columns = drawAssignments(t, 1, "columns")
	}
	if s.Kind == Insert {
		return s
	}
	s.Where = drawAssignments(t, 0, "where")
	s.RowID = rapid.StringMatching(`([A-Za-z0-9+/]{18})?`).Draw(t, "rowid")
	return s
}

// A statement that was written from any columns and values is read back to the same.
func TestParseInvertsWriting(t *testing.T) {
	var got Statement
	rapid.Check(t, func(t *rapid.T) {
		want := drawStatement(t)
		text := write(want)
		if rapid.Bool().Draw(t, "delimiter") {
			text += ";"
		}
		if err := got.Parse(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if d := cmp.Diff(*want, got, same); d != "" {
			t.Fatalf("%s: %s", text, d)
		}
	})
}

// A cut statement is refused, or what it still holds is whole: only an unquoted number, a concatenation, or a text that was cut
// between the two halves of a doubled quote can look whole at the very end when it is not. (R9 keeps chunks together; this
// is the second line of defence.)
func TestCutStatementLooksWholeOnlyAtItsEnd(t *testing.T) {
	var got Statement
	rapid.Check(t, func(t *rapid.T) {
		want := drawStatement(t)
		text := write(want)
		cut := rapid.IntRange(0, len(text)-1).Draw(t, "cut")
		if got.Parse(text[:cut]) != nil {
			return
		}
		if want.Kind == Insert {
			t.Fatalf("%s was read although it is cut", text[:cut])
		}
		wholePart(t, want.Columns, got.Columns)
		wholePart(t, want.Where, got.Where)
	})
}

func looksWhole(want, got Literal) bool {
	return got.Form == Number || got.Form == Function ||
		got.Form == Text && want.Form == Text && strings.HasPrefix(want.Text.Raw, got.Text.Raw+"''")
}

func wholePart(t *rapid.T, want, got []Assignment) {
	if len(got) > len(want) {
		t.Fatalf("%d columns of %d", len(got), len(want))
	}
	for i := range got {
		if i == len(got)-1 && looksWhole(want[i].Value, got[i].Value) {
			continue
		}
		if d := cmp.Diff(want[i], got[i], same); d != "" {
			t.Fatal(d)
		}
	}
}

// FuzzParse: what is accepted, printed again, is the text but for the spellings that LogMiner itself varies.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`insert into "APP"."T"("ID","N") values ('1',UNISTR('\0412') || UNISTR('x'));`,
		`update "APP"."T" a set a."A" = 'it''s', a."B" = NULL where a."A" IS NULL and ROWID = 'AAASJqAANAAAAnkAAI'`,
		`delete from "APP"."T" where "D" = TO_DATE('2020-02-02 00:00:00', 'YYYY-MM-DD HH24:MI:SS') and "R" = HEXTORAW('00');`,
		`insert into "A"."T"("A","B","C") values (/* JSON */ EMPTY_BLOB(),Unsupported Type,-1.5E10)`,
		`update "A"."T" set "A" = 'she's gone' where "B" = '1'`,
		`delete from "A"."T" a where a.ROWID = 'AAASJqAANAAAAnkAAI' and a."B" = NULL and "C"=''`,
		`insert into "A"."T" ("A","B") values(TO_TIMESTAMP_TZ('1','2'),/* JSON */ NULL);`,
		`update "A"."T" set "A" = NULL, "B" = HEXTORAW('')||HEXTORAW('0A') where "A" = /* JSON */ NULL`,
		`delete from "A"."T" where "D" = TO_DATE('2020-02-02', '') and "E" = +.5e-3`,
	} {
		f.Add(s)
	}
	var s, again Statement
	f.Fuzz(func(t *testing.T, text string) {
		if s.Parse(text) != nil {
			return
		}
		inside(t, text, s.Owner, s.Table, s.RowID)
		for _, list := range [][]Assignment{s.Columns, s.Where} {
			for _, a := range list {
				inside(t, text, a.Name, a.Value.Text.Raw, a.Value.Format.Raw)
				for _, c := range a.Value.More {
					inside(t, text, c.Text.Raw, c.Format.Raw)
				}
			}
		}
		canonical := write(&s)
		if got, want := normal(canonical), normal(text); got != want {
			t.Fatalf("read as something else\n text %s\n read %s", want, got)
		}
		if err := again.Parse(canonical); err != nil {
			t.Fatalf("%q was read, but not written back as %q: %v", text, canonical, err)
		}
		if d := cmp.Diff(s, again, same); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	})
}

// inside checks that the strings share the memory of the text.
func inside(t *testing.T, text string, parts ...string) {
	t.Helper()
	begin := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	for _, p := range parts {
		at := uintptr(unsafe.Pointer(unsafe.StringData(p)))
		if p != "" && (at < begin || at+uintptr(len(p)) > begin+uintptr(len(text))) {
			t.Fatalf("%q is not a part of %q", p, text)
		}
	}
}
