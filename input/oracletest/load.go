package oracletest

import (
	"context"
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// internalSession numbers sessions that do not come through the wire, which counts its own from 1.
const internalSession = 1_000_000

// openInternal logs SYSTEM on at the root without the wire.
func (s *Server) openInternal(ctx context.Context) (wire.Session, error) {
	return s.engine.Open(ctx, wire.Logon{Service: Name, User: SystemUser, SessionID: internalSession, Serial: 1, Program: "oracle-standin"})
}

// loadBatch is how many generated rows a transaction has.
const loadBatch = 1000

// Load inserts generated rows into APP.GENERATED of a PDB (the first one without a name), which it creates if needed, in
// transactions of a thousand rows.
func (s *Server) Load(ctx context.Context, pdb string, rows int) error {
	return s.LoadKeeping(ctx, pdb, rows, 0)
}

// LoadKeeping is Load into a table that keeps its newest rows only, if keep is above 0: much redo, little data.
func (s *Server) LoadKeeping(ctx context.Context, pdb string, rows, keep int) (err error) {
	if pdb == "" && len(s.config.PDBs) > 0 {
		pdb = s.config.PDBs[0]
	}
	session, err := s.engine.Open(ctx, wire.Logon{Service: pdb, User: SystemUser, SessionID: internalSession, Serial: 1, Program: "oracle-standin"})
	if err != nil {
		return fmt.Errorf("load into %s: %w", pdb, err)
	}
	defer func() { session.Close(err == nil) }()
	create := "CREATE TABLE app.generated (id NUMBER(19) PRIMARY KEY, name VARCHAR2(40), amount NUMBER(12,2), note VARCHAR2(200))"
	var ora *wire.OraError
	if err := execute(ctx, session, create); err != nil && (!errors.As(err, &ora) || ora.Code != nameUsed) {
		return fmt.Errorf("load into %s: %w", pdb, err)
	}
	oldest, next, err := generated(ctx, session)
	if err != nil {
		return fmt.Errorf("load into %s: %w", pdb, err)
	}
	for end := next + int64(rows); next < end; next += loadBatch {
		if err := loadRows(ctx, session, next, min(next+loadBatch, end)); err != nil {
			return fmt.Errorf("load into %s: %w", pdb, err)
		}
		if keep == 0 {
			continue
		}
		for last := min(next+loadBatch, end) - int64(keep); oldest < last; {
			to := min(oldest+loadBatch, last)
			if err := unloadRows(ctx, session, oldest, to); err != nil {
				return fmt.Errorf("load into %s: %w", pdb, err)
			}
			oldest = to
		}
	}
	return nil
}

// nameUsed is ORA-00955.
const nameUsed = 955

// generated returns the lowest id and the first one that is free.
func generated(ctx context.Context, session wire.Session) (oldest, next int64, err error) {
	result, err := session.Execute(ctx, wire.Statement{SQL: "SELECT NVL(MIN(id), 1), NVL(MAX(id), 0) + 1 FROM app.generated"})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, result.Rows.Close()) }()
	row := make([]datum.Datum, 2)
	if _, err := result.Rows.Next(ctx, row); err != nil {
		return 0, 0, err
	}
	if oldest, err = row[0].Number.Int64(); err != nil {
		return 0, 0, err
	}
	next, err = row[1].Number.Int64()
	return oldest, next, err
}

func loadRows(ctx context.Context, session wire.Session, from, to int64) error {
	binds := make([][]datum.Datum, 0, to-from)
	for id := from; id < to; id++ {
		binds = append(binds, []datum.Datum{
			relation.Int(id), relation.Text(fmt.Sprintf("name %d", id)), relation.Int(id % 100_000), relation.Text("a note that makes the row longer than its key"),
		})
	}
	text := datum.Type{Code: datum.TypeVarchar, Size: 200}
	number := datum.Type{Code: datum.TypeNumber}
	_, err := session.Execute(ctx, wire.Statement{
		SQL: "INSERT INTO app.generated VALUES (:1, :2, :3, :4)", Binds: binds, BindTypes: []datum.Type{number, text, number, text}, AutoCommit: true,
	})
	return err
}

func unloadRows(ctx context.Context, session wire.Session, from, to int64) error {
	binds := make([][]datum.Datum, 0, max(0, to-from))
	for id := from; id < to; id++ {
		binds = append(binds, []datum.Datum{relation.Int(id)})
	}
	_, err := session.Execute(ctx, wire.Statement{
		SQL: "DELETE FROM app.generated WHERE id = :1", Binds: binds, BindTypes: []datum.Type{{Code: datum.TypeNumber}}, AutoCommit: true,
	})
	return err
}
