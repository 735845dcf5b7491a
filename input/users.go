package input

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/redpanda-data/benthos/v4/public/service"
)

const ocFieldExcludeUsers = "exclude_users"

// userForm is a name as SQL takes it: with a quote on each side, or neither quotes nor blanks.
const userForm = `^("[^"]+"|[^"\s]+)$`

func usersField() *service.ConfigField {
	return service.NewStringListField(ocFieldExcludeUsers).
		Description("Database users whose transactions never enter, such as one that applies changes from elsewhere, or a nightly clean-up. A name counts in upper case, as SQL has it, unless it stands between double quotes (`'\"Batch\"'`); it counts in every PDB. Whose a transaction is, is decided where it begins: one that was open when a user was added is delivered, and one of which the beginning was left out stays out when the user is taken away. Their DDL is followed like anybody's, but their TRUNCATE makes no record; their rows of the signal table are no signals; snapshots read the rows that tables have, whoever wrote them. What is left out is counted (`oracle_cdc_excluded_rows_total`).").
		Default([]any{}).Example([]any{"C##APPLY", `"Batch"`}).Advanced().
		LintRule(`root = if this.type() == "string" && !this.re_match("^(\"[^\"]+\"|[^\"\\s]+)$") { ["` + ocFieldExcludeUsers + `: " + this + " is no name of a user: write NAME, or a quoted one as '\"Name\"'"] }`)
}

// users gives database users as the dictionary has their names.
func (p *parser) users() []string {
	var out []string
	for _, name := range p.list(ocFieldExcludeUsers) {
		if !regexp.MustCompile(userForm).MatchString(name) {
			if p.err == nil {
				p.err = fmt.Errorf("%s: %q is no name of a user", ocFieldExcludeUsers, name)
			}
			return nil
		}
		if bare, quoted := strings.CutPrefix(name, `"`); quoted {
			out = append(out, strings.TrimSuffix(bare, `"`))
		} else {
			out = append(out, strings.ToUpper(name))
		}
	}
	return out
}
