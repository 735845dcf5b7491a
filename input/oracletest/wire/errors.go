package wire

import (
	"context"
	"errors"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// Errors the wire itself answers.
const (
	oraSessionKilled    = 28
	oraInternal         = 600
	oraMaxCursors       = 1000
	oraInvalidCursor    = 1001
	oraFetchSequence    = 1002
	oraCancelled        = 1013
	oraLogonDenied      = 1017
	oraNoData           = 1403
	oraNoSpace          = 1652
	oraRegion           = 1882
	oraNotImplemented   = 3001
	oraInvalidArgument  = 21560
	oraInvalidLocator   = 22275
	oraLobNotOpen       = 22289
	oraLobOpen          = 22293
	oraLobNotLocked     = 22920
	oraBatchErrors      = 24381
	oraArraySize        = 6513
	oraNumericValue     = 6502
	oraUnknownService   = 12514
	oraVersionsMismatch = 12618
)

const textNoData = "no data found"

var (
	// errBreak: the client asked to cancel; the marker exchange is still to be done.
	errBreak = errors.New("cancelled by the client")
	// errKilled: the session was killed from outside.
	errKilled = errors.New("session killed")
	// errEnd: the conversation is over as it should be.
	errEnd = errors.New("end of session")
	// errFault: a fault ended the connection.
	errFault = errors.New("connection ended by a fault")
	// errRefused: the client was told why, and the conversation cannot go on.
	errRefused = errors.New("conversation refused")
)

// final reports whether an error ends the connection. The others are answered.
func final(err error) bool {
	var malformed *ttc.MalformedError
	return errors.Is(err, errEnd) || errors.Is(err, errFault) || errors.Is(err, errRefused) ||
		errors.As(err, &malformed)
}

// oraError is what a client is told of an error of the backend. One that is not an ORA error is a defect of
// the stand-in.
func oraError(err error) *OraError {
	var ora *OraError
	if errors.As(err, &ora) {
		return ora
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return cancelled()
	}
	return Errorf(oraInternal, "internal error code, arguments: [stand-in], [%v]", err)
}

func cancelled() *OraError {
	return Errorf(oraCancelled, "user requested cancel of current operation")
}

func notImplemented(what string) *OraError {
	return Errorf(oraNotImplemented, "unimplemented feature: %s", what)
}

// text is the message of a summary: the whole stack with its newline.
func (e *OraError) text() string {
	return strings.TrimRight(e.Error(), "\n") + "\n"
}
