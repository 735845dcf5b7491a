package oracle

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// insufficientPrivileges is what a session gets that may not enter a container.
const insufficientPrivileges = 1031

// Defaults reads the default expressions of the columns of tables that were described in one container. In a container database the
// session goes there and comes back; after an error it may still be there, and must not be used again.
func Defaults(ctx context.Context, s *Session, db Database, c Container, found []Description) (err error) {
	if len(found) == 0 {
		return nil
	}
	if db.CDB {
		if err := s.Exec(ctx, toContainer(c)); err != nil {
			if code, ok := Code(err); ok && code == insufficientPrivileges {
				return stop.Wrap(stop.Privilege, err, "SET CONTAINER", "defaults of columns are read inside the container %s", c.Name).
					Doing("as SYSDBA at the root: GRANT SET CONTAINER TO <capture user> CONTAINER = ALL; then restart. Defaults are read for records.encoding json_schema and records.null_as_default")
			}
			return fmt.Errorf("defaults of columns in container %s: %w", c.Name, err)
		}
		defer func() {
			if back := s.Exec(context.WithoutCancel(ctx), toRoot); err == nil {
				err = back
			}
		}()
	}
	for start := 0; start < len(found); {
		owner, end := found[start].Version.Table.Owner, start
		byName := map[string]int{}
		for end < len(found) && found[end].Version.Table.Owner == owner {
			byName[found[end].Version.Table.Name] = end
			end++
		}
		var table, column, expression Text
		err := s.Each(ctx, columnDefaults, []any{owner}, []any{&table, &column, &expression}, func() error {
			at, ok := byName[string(table)]
			if !ok {
				return nil
			}
			v := found[at].Version
			if i, ok := v.Column(string(column)); ok && expression != "" {
				text := string(expression)
				v.Columns[i].Default = &text
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("defaults of columns in container %d, schema %s: %w", c.ID, owner, err)
		}
		start = end
	}
	return nil
}
