package ddl

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func cut(text string) (out []string) {
	for t := range Tokens(text) {
		piece := [...]string{"_", "c", "h", "w", "n", "l", "d", "s"}[t.Kind] + ":" + t.Text
		if t.Open {
			piece += "…"
		}
		out = append(out, piece)
	}
	return out
}

func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		"":                            nil,
		"Ab_1$# x":                    {"w:Ab_1$#", "_: ", "w:x"},
		"\r\n\t \u00a0\u3000\x00;":    {"_:\r\n\t \u00a0\u3000\x00", "s:;"},
		"a/* ; ' \" -- */b":           {"w:a", "c:/* ; ' \" -- */", "w:b"},
		"/*+ full(t) */--+ x":         {"h:/*+ full(t) */", "h:--+ x"},
		"/**/a/*/":                    {"c:/**/", "w:a", "c:/*/…"},
		"-- a ' \nb--":                {"c:-- a ' \n", "w:b", "c:--"},
		"- -/ *":                      {"s:-", "_: ", "s:-", "s:/", "_: ", "s:*"},
		"'it''s' '' ''''":             {"l:'it''s'", "_: ", "l:''", "_: ", "l:''''"},
		"'a''":                        {"l:'a''…"},
		`"a""b" "`:                    {`n:"a"`, `n:"b"`, "_: ", `n:"…`},
		"q'[it's]' Q'{}}' nq'!a'!'":   {"l:q'[it's]'", "_: ", "l:Q'{}}'", "_: ", "l:nq'!a'!'"},
		"q'<a>' q'(b)' q'é'é'":        {"l:q'<a>'", "_: ", "l:q'(b)'", "_: ", "l:q'é'é'"},
		"q'[x'":                       {"l:q'[x'…"},
		"q' ' xq'a' N'b' u'c'":        {"w:q", "l:' '", "_: ", "w:xq", "l:'a'", "_: ", "l:N'b'", "_: ", "l:u'c'"},
		"q'":                          {"w:q", "l:'…"},
		"12 0.5 1e-5 1.5F 64K":        {"d:12", "_: ", "d:0.5", "_: ", "d:1e-5", "_: ", "d:1.5F", "_: ", "d:64K"},
		"0NOT 1e 1else 2.x":           {"d:0", "w:NOT", "_: ", "d:1e", "_: ", "d:1", "w:else", "_: ", "d:2.", "w:x"},
		"größe 表#1 \xe4\xf6":          {"w:größe", "_: ", "w:表#1", "_: ", "w:\xe4\xf6"},
		"a.b(:c,d)@e||f":              {"w:a", "s:.", "w:b", "s:(", "s::", "w:c", "s:,", "w:d", "s:)", "s:@", "w:e", "s:|", "s:|", "w:f"},
		"CHECK (a IN ('--', '/*'))\n": {"w:CHECK", "_: ", "s:(", "w:a", "_: ", "w:IN", "_: ", "s:(", "l:'--'", "s:,", "_: ", "l:'/*'", "s:)", "s:)", "_:\n"},
	} {
		if diff := cmp.Diff(want, cut(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestNamesWithoutQuotesAreUpperCase(t *testing.T) {
	for word, want := range map[string]string{"a$#1": "A$#1", "größe": "GRÖßE", "имя": "ИМЯ", "a\xe4\xffz": "A\xe4\xffZ"} {
		if got := upper(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestShownHasNoTextsAndOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"alter table t /* secret */\n  add (c varchar2(9) default 'se''cret', d number default q'[x]') ;": "alter table t add (c varchar2(9) default '?', d number default '?')",
		"  -- a\n drop\x00\ttable \"t\nu\"": "drop table \"t u\"",
		"a\xffb":                            "a?b",
		strings.Repeat("x", 400):            strings.Repeat("x", 300) + "…",
		strings.Repeat("ä", 400):            strings.Repeat("ä", 150) + "…",
		"x" + strings.Repeat("ä", 400):      "x" + strings.Repeat("ä", 149) + "…",
	} {
		if got := Shown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

var seeds = []string{
	"ALTER TABLE \"APP\".\"T\" ADD (\"X\" NUMBER DEFAULT 1 NOT NULL, CONSTRAINT k PRIMARY KEY (\"X\", y) DISABLE)\n;\x00",
	"alter table t add c number drop (a, b) checkpoint 5 modify (d invisible) enable row movement",
	"alter table t add supplemental log group g (a no log, b) always, supplemental log data (all, unique) columns",
	"alter table t split partition p at (5) into (partition a tablespace x, partition b) update indexes",
	"alter table t exchange partition for (to_date('1')) with table s.u", "alter table t merge partitions a to d into partition e including rows where x > 1",
	"create table t (a number generated always as (b*2) virtual, lob clob) lob (lob) store as securefile (cache) as select /*+ x */ * from u -- ;\n",
	"create global temporary table t (a number)", "drop table t cascade constraints AS \"BIN$x==$0\"", "rename a to \"b\"", "truncate table t drop storage",
	"flashback table a, s.b to before drop rename to c", "create unique index i on s.t (a, lower(b))", "alter database add supplemental log data (primary key) columns",
	"comment on table t is q'{drop table t}'", "alter table größe rename column \"ä\" to 表", "alter table t modify partition by range (a) (partition p values less than (5))",
	"/* ' */ alter /*+ h */ table t -- \"\n set unused column c", "(((((((((((((((", "'", "\"", "q'", "nq'[", "1e", "\xff\xfe", "alter table t add a number,b number", "create or replace package body p as begin x('a",
}

// Tokens are the text; reading one ends, is not moved by comments, blanks and case, and says nothing of what it does not understand.
func FuzzClassify(f *testing.F) {
	for _, text := range seeds {
		f.Add(text, "APP")
	}
	f.Fuzz(func(t *testing.T, text, owner string) {
		var joined, other strings.Builder
		for tok := range Tokens(text) {
			if tok.Text == "" {
				t.Fatal("an empty token")
			}
			joined.WriteString(tok.Text)
			switch tok.Kind {
			case Space:
				other.WriteString("\n/* drop table */\t--\n")
			case Comment, Hint:
				if !tok.Open {
					other.WriteString(" ")
				} else {
					other.WriteString(tok.Text)
				}
			case Word:
				other.WriteString(swapCase(tok.Text))
			default:
				other.WriteString(tok.Text)
			}
		}
		if joined.String() != text {
			t.Fatalf("tokens give %q for %q", joined.String(), text)
		}
		s, same := Classify(text, owner), Classify(other.String(), owner)
		if a, b := fmt.Sprintf("%+v", s), fmt.Sprintf("%+v", same); a != b {
			t.Errorf("%q: %s\n%q: %s", text, a, other.String(), b)
		}
		if s.Class == "" || s.Class == Unknown && (s.Effects != 0 || len(s.Names()) > 0) {
			t.Errorf("%q: %+v", text, s)
		}
		if s.Class != Unknown && s.Class != Ignore && s.Class != SupplementalLog && s.Table.Name == "" {
			t.Errorf("%q: %s of no table", text, s.Class)
		}
		if shown := Shown(text); !utf8.ValidString(shown) || len(shown) > maxShown+len("…") || strings.ContainsAny(shown, "\n\r\x00") {
			t.Errorf("%q is shown as %q", text, shown)
		}
	})
}

// swapCase changes the case of ASCII letters alone.
func swapCase(word string) string {
	out := []byte(word)
	for i, c := range out {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			out[i] = c ^ ' '
		}
	}
	return string(out)
}
