package sqlredo

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// same compares statements by what they say: not by offsets and scratch space.
var same = cmp.Options{
	cmpopts.IgnoreUnexported(Statement{}),
	cmpopts.IgnoreFields(Literal{}, "Offset"),
	cmpopts.EquateEmpty(),
}

func text(raw string) Literal { return Literal{Form: Text, Call: Call{Text: Quoted{Raw: raw}}} }

func doubled(raw string) Literal {
	return Literal{Form: Text, Call: Call{Text: Quoted{Raw: raw, Doubled: true}}}
}

func call(name FunctionName, arg, format string) Literal {
	return Literal{Form: Function, Call: Call{Name: name, Text: Quoted{Raw: arg}, Format: Quoted{Raw: format}}}
}

func number(raw string) Literal { return Literal{Form: Number, Call: Call{Text: Quoted{Raw: raw}}} }

const ymd = "YYYY-MM-DD HH24:MI:SS"

func TestParseReadsWhatLogMinerWrites(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Statement
	}{
		"insert with the delimiter": {
			`insert into "APP"."T"("ID","NAME") values ('1',NULL);`,
			Statement{Kind: Insert, Owner: "APP", Table: "T", Columns: []Assignment{{"ID", text("1")}, {"NAME", Literal{Form: Null}}}},
		},
		"insert without the delimiter and with a blank before the list": {
			`insert into "APP"."T" ("ID") values('1')`,
			Statement{Kind: Insert, Owner: "APP", Table: "T", Columns: []Assignment{{"ID", text("1")}}},
		},
		"values that look like SQL": {
			`insert into "APP"."W"("A","B") values ('a) values (''b'',1);','c, NULL, "d" = ''e'';');`,
			Statement{
				Kind: Insert, Owner: "APP", Table: "W",
				Columns: []Assignment{{"A", doubled(`a) values (''b'',1);`)}, {"B", doubled(`c, NULL, "d" = ''e'';`)}},
			},
		},
		"update with SET list and WHERE clause": {
			`update "APP"."T" set "A" = '1', "D" = TO_DATE('2021-03-17 10:18:55', 'YYYY-MM-DD HH24:MI:SS') where "A" = '0' and "B" IS NULL and "C" = NULL and ROWID = 'AAASJqAANAAAAnkAAI';`,
			Statement{
				Kind: Update, Owner: "APP", Table: "T", RowID: "AAASJqAANAAAAnkAAI",
				Columns: []Assignment{{"A", text("1")}, {"D", call(ToDate, "2021-03-17 10:18:55", ymd)}},
				Where:   []Assignment{{"A", text("0")}, {"B", Literal{Form: Null}}, {"C", Literal{Form: Null}}},
			},
		},
		"update without WHERE clause": {
			`update "APP"."T" set "A" = '1'`,
			Statement{Kind: Update, Owner: "APP", Table: "T", Columns: []Assignment{{"A", text("1")}}},
		},
		"delete without WHERE clause": {`delete from "APP"."T";`, Statement{Kind: Delete, Owner: "APP", Table: "T"}},
		"delete by ROWID alone": {
			`delete from "APP"."T" where ROWID = 'AAAM2dAAAAAABTLAAA'`,
			Statement{Kind: Delete, Owner: "APP", Table: "T", RowID: "AAAM2dAAAAAABTLAAA"},
		},
		"update with an alias": {
			`update "APP"."T" a set a."A" = NULL where a."A" = Unsupported Type and a.ROWID = 'AAAM2dAAAAAABTLAAA';`,
			Statement{
				Kind: Update, Owner: "APP", Table: "T", RowID: "AAAM2dAAAAAABTLAAA",
				Columns: []Assignment{{"A", Literal{Form: Null}}}, Where: []Assignment{{"A", Literal{Form: UnsupportedType}}},
			},
		},
		"delete with an alias and nothing else": {`delete from "APP"."T" a;`, Statement{Kind: Delete, Owner: "APP", Table: "T"}},
		"names with quotes, dots, blanks and keywords": {
			`update "a.b"."t' where " set " and (" = '1' where "x.y" = '2' and "IS" IS NULL;`,
			Statement{
				Kind: Update, Owner: "a.b", Table: "t' where ",
				Columns: []Assignment{{" and (", text("1")}}, Where: []Assignment{{"x.y", text("2")}, {"IS", Literal{Form: Null}}},
			},
		},
		"concatenation with and without blanks": {
			`update "A"."T" set "N" = UNISTR('\0412||')||UNISTR('(') where "N" = UNISTR('a')  ||  UNISTR('''');`,
			Statement{
				Kind: Update, Owner: "A", Table: "T",
				Columns: []Assignment{{"N", Literal{
					Form: Function, Call: Call{Name: Unistr, Text: Quoted{Raw: `\0412||`}},
					More: []Call{{Name: Unistr, Text: Quoted{Raw: "("}}},
				}}},
				Where: []Assignment{{"N", Literal{
					Form: Function, Call: Call{Name: Unistr, Text: Quoted{Raw: "a"}},
					More: []Call{{Name: Unistr, Text: Quoted{Raw: "''", Doubled: true}}},
				}}},
			},
		},
		"every function": {
			`insert into "A"."T"("A","B","C","D","E","F","G","H") values (TO_TIMESTAMP('1.'),TO_TIMESTAMP_TZ('2'),TO_YMINTERVAL('3'),TO_DSINTERVAL('4'),HEXTORAW('5'),UNISTR(''),EMPTY_CLOB(),EMPTY_BLOB())`,
			Statement{Kind: Insert, Owner: "A", Table: "T", Columns: []Assignment{
				{"A", call(ToTimestamp, "1.", "")},
				{"B", call(ToTimestampTZ, "2", "")},
				{"C", call(ToYMInterval, "3", "")},
				{"D", call(ToDSInterval, "4", "")},
				{"E", call(HexToRaw, "5", "")},
				{"F", call(Unistr, "", "")},
				{"G", call(EmptyCLOB, "", "")},
				{"H", call(EmptyBLOB, "", "")},
			}},
		},
		"unquoted numbers": {
			`insert into "A"."T"("A","B","C","D") values (1,-.5,+12.,1.5E-130)`,
			Statement{Kind: Insert, Owner: "A", Table: "T", Columns: []Assignment{
				{"A", number("1")},
				{"B", number("-.5")},
				{"C", number("+12.")},
				{"D", number("1.5E-130")},
			}},
		},
		"JSON comment": {
			`update "A"."J" set "X" = /* JSON */ HEXTORAW('ff4a') where "ID" = '1'`,
			Statement{
				Kind: Update, Owner: "A", Table: "J", Where: []Assignment{{"ID", text("1")}},
				Columns: []Assignment{{"X", Literal{Form: Function, JSON: true, Call: Call{Name: HexToRaw, Text: Quoted{Raw: "ff4a"}}}}},
			},
		},
		"line breaks and a backslash at the end of a value": {
			"insert into \"A\".\"T\"(\"A\",\"B\") values ('a\nb','C:\\temp\\');",
			Statement{Kind: Insert, Owner: "A", Table: "T", Columns: []Assignment{{"A", text("a\nb")}, {"B", text(`C:\temp\`)}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got Statement
			if err := got.Parse(c.text); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got, same); d != "" {
				t.Fatal(d)
			}
		})
	}
}

func TestParseRefusesWhatItDoesNotKnow(t *testing.T) {
	for name, c := range map[string]struct{ text, reason string }{
		"nothing":                      {"", badKeyword},
		"another statement":            {`merge into "A"."T"`, badKeyword},
		"upper case keyword":           {`INSERT INTO "A"."T"("A") values ('1')`, badKeyword},
		"a row LogMiner cannot show":   {"Unsupported", noStatement},
		"temporary table":              {"/* No SQL_REDO for temporary tables */", noStatement},
		"no owner":                     {`delete from "T"`, badTable},
		"empty name":                   {`delete from "A".""`, badTable},
		"unquoted column":              {`insert into "A"."T"(A) values ('1')`, badName},
		"column list without end":      {`insert into "A"."T"("A"`, badList},
		"no values":                    {`insert into "A"."T"("A")`, badValues},
		"too few values":               {`insert into "A"."T"("A","B") values ('1')`, badCount},
		"too many values":              {`insert into "A"."T"("A") values ('1','2')`, badCount},
		"missing bracket":              {`insert into "A"."T"("A") values ('1'`, badEnd},
		"text behind the end":          {`delete from "A"."T"; `, badEnd},
		"two statements":               {`delete from "A"."T";delete from "A"."T";`, badEnd},
		"no SET list":                  {`update "A"."T" where "A" = '1'`, badSet},
		"no equal sign":                {`update "A"."T" set "A" '1'`, badEqual},
		"another comparison":           {`delete from "A"."T" where "A" <> '1'`, badEqual},
		"or":                           {`delete from "A"."T" where "A" = '1' or "B" = '2'`, badEnd},
		"undeclared alias":             {`delete from "A"."T" where a."A" = '1'`, badAlias},
		"another alias":                {`delete from "A"."T" a where b."A" = '1'`, badAlias},
		"ROWID twice":                  {`delete from "A"."T" where ROWID = 'A' and ROWID = 'B'`, badRowID},
		"ROWID IS NULL":                {`delete from "A"."T" where ROWID IS NULL`, badRowID},
		"bare word":                    {`insert into "A"."T"("A") values (abc)`, badValue},
		"unknown function":             {`insert into "A"."T"("A") values (TO_CHAR('1'))`, badFunction},
		"XML constructor":              {`update "A"."T" a set a."X" = XMLType(:1)`, badFunction},
		"bind as argument":             {`insert into "A"."T"("A") values (HEXTORAW(:1))`, badArguments},
		"argument missing":             {`insert into "A"."T"("A") values (HEXTORAW())`, badArguments},
		"empty format":                 {`insert into "A"."T"("A") values (TO_DATE('1',''))`, badArguments},
		"argument too many":            {`insert into "A"."T"("A") values (EMPTY_CLOB('1'))`, badArguments},
		"concatenated text":            {`insert into "A"."T"("A") values (UNISTR('a') || 'b')`, badFunction},
		"concatenated dates":           {`insert into "A"."T"("A") values (TO_DATE('a','b') || TO_DATE('c','d'))`, badPiece},
		"two points":                   {`insert into "A"."T"("A") values (1.2.3)`, badEnd},
		"sign alone":                   {`insert into "A"."T"("A") values (-)`, badNumber},
		"exponent without digits":      {`insert into "A"."T"("A") values (1E)`, badNumber},
		"statement ends in a value":    {`insert into "A"."T"("A") values ('abc`, badQuote},
		"statement ends in a doubling": {`insert into "A"."T"("A") values ('abc''`, badQuote},
		"undoubled quote in VALUES":    {`insert into "A"."T"("A","B") values ('d''une, d'un and s'est','x')`, badEnd},
		"undoubled quote in SET":       {`update "A"."T" set "A" = 'she's gone' where "B" = '1'`, badEnd},
		"undoubled quote in WHERE":     {`delete from "A"."T" where "A" = 'it's' and "B" = '1'`, badEnd},
		"undoubled quote in UNISTR":    {`insert into "A"."T"("A") values (UNISTR('d'un'))`, badArguments},
		"quotes doubled outside only":  {`insert into "A"."T"("A","B") values ('Test',''Insert1'')`, badEnd},
		"undoubled quote and comma":    {`insert into "A"."T"("A","B") values ('x','y','z')`, badCount},
	} {
		t.Run(name, func(t *testing.T) {
			var s Statement
			err := s.Parse(c.text)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%v, want an *Error", err)
			}
			if e.Reason != c.reason {
				t.Fatalf("%q, want %q", e.Reason, c.reason)
			}
			if e.Offset < 0 || e.Offset > len(c.text) {
				t.Fatalf("offset %d is outside of the text", e.Offset)
			}
		})
	}
}

func TestErrorNeverShowsTheText(t *testing.T) {
	const secret = "4111111111111111"
	var s Statement
	for _, text := range []string{
		`insert into "A"."T"("A") values ('` + secret,
		`insert into "A"."T"("A") values (` + secret + `x)`,
		`insert into "A"."T"("A") values ('` + secret + `' x)`,
	} {
		err := s.Parse(text)
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%v", err)
		}
	}
}

// One Statement serves row after row; what a longer row left behind must not show.
func TestStatementIsResetBetweenTexts(t *testing.T) {
	var s Statement
	if err := s.Parse(`update "A"."T" a set a."A" = UNISTR('a') || UNISTR('b') where a."A" = UNISTR('c') || UNISTR('d') and ROWID = 'AAA'`); err != nil {
		t.Fatal(err)
	}
	if err := s.Parse(`delete from "B"."U" where "X" = UNISTR('e')`); err != nil {
		t.Fatal(err)
	}
	want := Statement{Kind: Delete, Owner: "B", Table: "U", Where: []Assignment{{"X", call(Unistr, "e", "")}}}
	if d := cmp.Diff(want, s, same); d != "" {
		t.Fatal(d)
	}
}
