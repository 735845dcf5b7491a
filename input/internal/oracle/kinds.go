package oracle

import (
	"context"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// release is the first two numbers of VERSION_FULL.
type release struct{ major, minor int }

// releaseOf reads a release; one that cannot be read is older than all.
func releaseOf(text string) release {
	major, rest, _ := strings.Cut(text, ".")
	minor, _, _ := strings.Cut(rest, ".")
	var r release
	r.major, _ = strconv.Atoi(major)
	r.minor, _ = strconv.Atoi(minor)
	return r
}

// reserves: tables can have columns with lock-free reservations.
func (r release) reserves() bool { return r.major >= 23 }

// chains: there are blockchain and immutable tables, and views of them.
func (r release) chains() bool { return r.major > 19 || r.major == 19 && r.minor >= 11 }

const objectTable = "object table"

// kinds adds what a container's tables are to those that were found, and the object tables that match.
func kinds(ctx context.Context, s *Session, db Database, c Container, candidate func(owner, name string) bool, found []tableRow) ([]tableRow, error) {
	at := map[schema.Table]int{}
	for i := range found {
		at[schema.Table{Owner: found[i].owner, Name: found[i].name}] = i
	}
	st, views := kindsOfTables(releaseOf(db.Release))
	args := make([]any, views)
	for i := range args {
		args[i] = c.ID
	}
	var owner, name, kind Text
	err := s.Each(ctx, st, args, []any{&owner, &name, &kind}, func() error {
		i, ok := at[schema.Table{Owner: string(owner), Name: string(name)}]
		if !ok && (kind != objectTable || !candidate(string(owner), string(name))) {
			return nil
		}
		if !ok {
			found = append(found, tableRow{owner: string(owner), name: string(name)})
			i = len(found) - 1
		}
		found[i].kinds = append(found[i].kinds, string(kind))
		return nil
	})
	return found, err
}
