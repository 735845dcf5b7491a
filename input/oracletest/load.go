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
func (s *Server) Load(ctx context.Context, pdb string, rows int) (err error) {
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
	next, err := nextGenerated(ctx, session)
	if err != nil {
		return fmt.Errorf("load into %s: %w", pdb, err)
	}
	for end := next + int64(rows); next < end; next += loadBatch {
		if err := loadRows(ctx, session, next, min(next+loadBatch, end)); err != nil {
			return fmt.Errorf("load into %s: %w", pdb, err)
		}
	}
	return nil
}

// nameUsed is ORA-00955.
const nameUsed = 955

// nextGenerated returns the first id that is free.
func nextGenerated(ctx context.Context, session wire.Session) (next int64, err error) {
	result, err := session.Execute(ctx, wire.Statement{SQL: "SELECT NVL(MAX(id), 0) + 1 FROM app.generated"})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, result.Rows.Close()) }()
	row := make([]datum.Datum, 1)
	if _, err := result.Rows.Next(ctx, row); err != nil {
		return 0, err
	}
	return row[0].Number.Int64()
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
