package relation

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// NumberColumn describes a NUMBER column.
func NumberColumn(name string) wire.Column {
	return wire.Column{Name: name, Type: datum.Type{Code: datum.TypeNumber}, Nullable: true}
}

// TextColumn describes a VARCHAR2 column of size bytes.
func TextColumn(name string, size int) wire.Column {
	return wire.Column{Name: name, Type: datum.Type{Code: datum.TypeVarchar, Size: size}, Nullable: true}
}

// DateColumn describes a DATE column.
func DateColumn(name string) wire.Column {
	return wire.Column{Name: name, Type: datum.Type{Code: datum.TypeDate}, Nullable: true}
}

// RawColumn describes a RAW column of size bytes.
func RawColumn(name string, size int) wire.Column {
	return wire.Column{Name: name, Type: datum.Type{Code: datum.TypeRaw, Size: size}, Nullable: true}
}

// Producer computes the rows of a view for a session, one cell per column.
type Producer func(ctx context.Context, caller engine.Caller) ([][]datum.Datum, error)

// New makes a view. The rows are produced when the first one is fetched, so that what they tell is not older than that.
func New(columns []wire.Column, produce Producer) engine.View {
	return view{columns: columns, produce: produce}
}

type view struct {
	columns []wire.Column
	produce Producer
}

func (v view) Columns() []wire.Column { return v.columns }

func (v view) Open(_ context.Context, caller engine.Caller) (wire.Rows, error) {
	return &rows{produce: v.produce, caller: caller}, nil
}

type rows struct {
	produce Producer
	caller  engine.Caller
	opened  bool
	rest    [][]datum.Datum
}

func (r *rows) Next(ctx context.Context, dst []datum.Datum) (bool, error) {
	if !r.opened {
		rest, err := r.produce(ctx, r.caller)
		if err != nil {
			return false, err
		}
		r.opened, r.rest = true, rest
	}
	if len(r.rest) == 0 {
		return false, nil
	}
	copy(dst, r.rest[0])
	r.rest = r.rest[1:]
	return true, nil
}

func (r *rows) Close() error {
	r.rest = nil
	return nil
}
