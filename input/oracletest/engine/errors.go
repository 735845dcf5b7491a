package engine

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// clientError gives every failure the form that reaches a client.
func clientError(err error) error {
	var ora *wire.OraError
	var syntax *sql.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ora):
		return ora
	case errors.As(err, &syntax):
		return &wire.OraError{Code: syntax.Code, Message: syntax.Message, Position: syntax.Pos}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return wire.Errorf(1013, "user requested cancel of current operation")
	}
	return wire.Errorf(603, "ORACLE server session terminated by fatal error: %s", err)
}
