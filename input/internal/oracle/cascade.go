package oracle

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Cascades reads which tables of a container a TRUNCATE … CASCADE of another one empties too: those with a foreign key to it ON DELETE
// CASCADE. It adds to children, by parent. The second statement is needed only where there are such keys at all.
func Cascades(ctx context.Context, s *Session, c Container, children map[schema.Table][]schema.Table) error {
	type constraint struct{ owner, name string }
	referring := map[constraint][]schema.Table{}
	var owner, table, byOwner, name Text
	err := s.Each(ctx, cascadingKeys, []any{c.ID}, []any{&owner, &table, &byOwner, &name}, func() error {
		to := constraint{string(byOwner), string(name)}
		referring[to] = append(referring[to], schema.Table{PDB: c.Name, Owner: string(owner), Name: string(table)})
		return nil
	})
	if err != nil || len(referring) == 0 {
		return inContainer(c, err)
	}
	err = s.Each(ctx, referredKeys, []any{c.ID}, []any{&owner, &table, &name}, func() error {
		if found := referring[constraint{string(owner), string(name)}]; len(found) > 0 {
			parent := schema.Table{PDB: c.Name, Owner: string(owner), Name: string(table)}
			children[parent] = append(children[parent], found...)
		}
		return nil
	})
	return inContainer(c, err)
}

func inContainer(c Container, err error) error {
	if err != nil {
		return fmt.Errorf("foreign keys of container %d: %w", c.ID, err)
	}
	return nil
}
