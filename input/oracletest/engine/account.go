package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// account runs what concerns users, roles and privileges.
func (s *session) account(ctx context.Context, by store.Issuer, stmt sql.Statement) error {
	users := &s.engine.users
	var err error
	switch stmt := stmt.(type) {
	case *sql.CreateUser:
		// Passwords in DDL text are masked (reference logminer G.1); the stand-in leaves such DDL out of the redo instead.
		if err := s.need("CREATE USER"); err != nil {
			return err
		}
		return users.create(s.container, stmt)
	case *sql.AlterUser:
		return s.alterUser(stmt)
	case *sql.DropUser:
		return s.dropUser(stmt)
	case *sql.CreateRole:
		if err = s.need("CREATE ROLE"); err == nil {
			err = users.createRole(s.container, stmt.Name)
		}
	case *sql.DropRole:
		if err = s.need("DROP ANY ROLE"); err == nil {
			err = users.dropRole(s.container, stmt.Name)
		}
	case *sql.Grant:
		if err = s.grant(stmt); err == nil && stmt.On != nil {
			if t, _, ok := s.findTable(*stmt.On); ok && t != nil {
				return s.engine.store.Touch(ctx, by, t)
			}
		}
	default:
		return wire.Errorf(900, "invalid SQL statement")
	}
	if err != nil {
		return err
	}
	return s.engine.store.Note(ctx, by, nil)
}

// alterUser lets everybody change their own password.
func (s *session) alterUser(stmt *sql.AlterUser) error {
	own := stmt.Name == s.user.Name && stmt.Locked == nil && !stmt.Expired && stmt.ContainerData == nil
	if !own {
		if err := s.need("ALTER USER"); err != nil {
			return err
		}
	}
	return s.engine.users.alter(s.container, stmt, func(name string) bool {
		for _, c := range s.engine.containers {
			if c.Name == name {
				return true
			}
		}
		return false
	})
}

func (s *session) dropUser(stmt *sql.DropUser) error {
	if err := s.need("DROP USER"); err != nil {
		return err
	}
	for _, t := range s.engine.store.Layouts(s.container) {
		switch {
		case t.Owner != stmt.Name:
		case stmt.Cascade:
			return wire.Errorf(3001, "unimplemented feature: DROP USER CASCADE of a user with tables")
		default:
			return wire.Errorf(1922, "CASCADE must be specified to drop '%s'", stmt.Name)
		}
	}
	for _, one := range s.engine.Sessions() {
		if one.User == stmt.Name && (one.Container == s.container || s.container == catalog.Root) {
			return wire.Errorf(1940, "cannot drop a user that is currently connected")
		}
	}
	return s.engine.users.drop(s.container, stmt.Name)
}
