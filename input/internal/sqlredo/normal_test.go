package sqlredo

import (
	"strings"
	"testing"
)

// normal takes from a text what LogMiner writes in two ways and Parse therefore reads in both: the delimiter at the end, the
// alias of a table, blanks before a list and around || and behind a comma, = NULL in a WHERE clause, and where in it the
// ROWID stands. It knows quotes and these spellings but no grammar, so it cannot share a mistake with Parse.
func normal(text string) string {
	runs := split(strings.TrimSuffix(text, ";"))
	if len(runs) > 4 && !strings.HasPrefix(runs[0], "insert") {
		withoutAlias(runs)
	}
	inWhere := false
	for i := 0; i < len(runs); i += 2 {
		run := runs[i]
		for strings.Contains(run, " ||") || strings.Contains(run, "|| ") {
			run = strings.ReplaceAll(strings.ReplaceAll(run, " ||", "||"), "|| ", "||")
		}
		run = strings.NewReplacer(", ", ",", ") values (", ") values(").Replace(run)
		if i == 4 && run == " (" {
			run = "("
		}
		before, after, found := strings.Cut(run, " where ")
		switch {
		case found:
			inWhere = true
			run = before + " where " + strings.ReplaceAll(after, " = NULL", " IS NULL")
		case inWhere:
			run = strings.ReplaceAll(run, " = NULL", " IS NULL")
		}
		runs[i] = run
	}
	return strings.Join(rowIDLast(runs), "")
}

// split cuts a text into what stands outside of quotes, at even places, and what stands inside with its quotes, at odd ones.
func split(text string) []string {
	var runs []string
	for {
		at := strings.IndexAny(text, `'"`)
		if at < 0 {
			return append(runs, text)
		}
		end := at + 1
		for end < len(text) {
			if text[end] != text[at] {
				end++
				continue
			}
			if text[at] != '\'' || end+1 == len(text) || text[end+1] != '\'' {
				break
			}
			end += 2 // doubled
		}
		end = min(end+1, len(text))
		runs = append(runs, text[:at], text[at:end])
		text = text[end:]
	}
}

// withoutAlias takes the letter behind the table away, and from before the names.
func withoutAlias(runs []string) {
	run := runs[4]
	if len(run) < 2 || run[0] != ' ' || len(run) > 2 && run[2] != ' ' {
		return
	}
	qualifier := run[1:2] + "."
	runs[4] = run[2:]
	for i := 4; i < len(runs); i += 2 {
		if i+1 < len(runs) && runs[i+1][0] == '"' {
			runs[i] = strings.TrimSuffix(runs[i], qualifier)
		}
		runs[i] = strings.Replace(runs[i], " "+qualifier+"ROWID = ", " ROWID = ", 1)
	}
}

// rowIDLast moves the comparison with a ROWID behind the others.
func rowIDLast(runs []string) []string {
	for i := 0; i+3 < len(runs); i += 2 {
		head, isRowID := strings.CutSuffix(runs[i], "ROWID = ")
		rest, more := strings.CutPrefix(runs[i+2], " and ")
		if !isRowID || !more {
			continue
		}
		id := runs[i+1]
		out := append(append([]string(nil), runs[:i]...), head+rest)
		out = append(out, runs[i+3:]...)
		out[len(out)-1] += " and ROWID = "
		return append(out, id)
	}
	return runs
}

func TestNormalChangesSpellingsOnly(t *testing.T) {
	for text, want := range map[string]string{
		`delete from "A"."T";`: `delete from "A"."T"`,
		`update "A"."T" a set a."X" = ' a."Y" = NULL, ' where a."Y" = NULL and a.ROWID = 'AA' and a."Z" IS NULL`: `update "A"."T" set "X" = ' a."Y" = NULL, ' where "Y" IS NULL and "Z" IS NULL and ROWID = 'AA'`,
		`insert into "A"."T" ("X","Y") values (UNISTR(' || ')  ||UNISTR(''),NULL)`:                               `insert into "A"."T"("X","Y") values(UNISTR(' || ')||UNISTR(''),NULL)`,
		`update "A"."T" set "X" = NULL where "Y" = TO_DATE('1', '2')`:                                            `update "A"."T" set "X" = NULL where "Y" = TO_DATE('1','2')`,
		`delete from "A"."T" where "X" = 'it''s; ' and ROWID = 'AA'`:                                             `delete from "A"."T" where "X" = 'it''s; ' and ROWID = 'AA'`,
		`delete from "A"."T";;`: `delete from "A"."T";`,
	} {
		if got := normal(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
