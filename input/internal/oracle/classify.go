package oracle

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"

	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Classify says what an error of this package, or one that wraps it, asks for, and the typed error that it becomes: at
// once for Stop, for the other classes when its retries have run out. A *stop.Error in the chain is kept. An ended
// context is the caller's own doing and must be looked at before.
func Classify(err error) (Class, *stop.Error) {
	if err == nil {
		return Ignore, nil
	}
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Class, fault.Becomes
	}
	if typed, ok := stop.As(err); ok {
		switch typed.Code {
		case stop.Unavailable:
			return Reconnect, typed
		case stop.StepFailed:
			return ReMine, typed
		default:
			return Stop, typed
		}
	}
	if number, ok := Code(err); ok {
		r, _ := ruleOf(err, number)
		return r.class, become(r, number, err)
	}
	switch {
	case errors.Is(err, ErrRowsOpen), errors.Is(err, ErrBusy), errors.Is(err, ErrSettings):
		return Stop, stop.Wrap(stop.Unclassified, err, "", "the database session was used wrongly or did not take its settings")
	case errors.Is(err, ErrIncomplete):
		return ReMine, stop.Wrap(stop.Unavailable, err, "", "not every open instance answers")
	case connectionLost(err):
		return Reconnect, stop.Wrap(stop.Unavailable, err, "", "no connection to the database")
	}
	return Stop, stop.Wrap(stop.Unclassified, err, "", "an error that nobody classified")
}

// Retries is how often in a row the same error may be answered by its class: 0 for Stop, -1 for classes that are bounded
// by time.
func Retries(err error) int {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Limit
	}
	class, _ := Classify(err)
	switch class {
	case ReMine:
		if number, ok := Code(err); ok {
			if r, _ := ruleOf(err, number); r.retries > 0 {
				return r.retries
			}
		}
		return reMineRetries
	case Reconnect, SnapshotRetry, Ignore:
		return -1
	case Stop:
	}
	return 0
}

// Code is the ORA number that decides about an error: the first in its stack that is not a wrapper around others.
func Code(err error) (int, bool) {
	var ora *network.OracleError
	if !errors.As(err, &ora) {
		return 0, false
	}
	first := ora.ErrCode
	for _, n := range stack(ora) {
		if !wraps(n) {
			return n, true
		}
	}
	return first, true
}

func become(r rule, number int, err error) *stop.Error {
	what := "the database answered ORA-" + pad(number)
	if _, known := oraRule(number); !known && r.code == stop.Unclassified {
		what += ", which nobody classified"
	}
	typed := stop.Wrap(r.code, err, "", "%s", what)
	typed.ORA, typed.Do = number, r.do
	return typed
}

// ruleOf looks a number up; a PL/SQL block that names a package without EXECUTE on it fails to compile with PLS-00201.
func ruleOf(err error, number int) (rule, bool) {
	if number == plsqlCompile && strings.Contains(err.Error(), "PLS-00201") {
		return rule{code: stop.Privilege, do: doGrants}, true
	}
	return oraRule(number)
}

const plsqlCompile = 6550

// wraps reports codes that only say that something inside them failed.
func wraps(number int) bool { return number == 604 || number == 6510 || number == 6512 }

//nolint:gochecknoglobals // a compiled constant
var oraNumber = regexp.MustCompile(`ORA-(\d{5})`)

// stack lists the ORA numbers of an error in the order of its lines.
func stack(ora *network.OracleError) []int {
	numbers := []int{ora.ErrCode}
	for _, m := range oraNumber.FindAllStringSubmatch(ora.ErrMsg, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// connectionLost knows the errors of a lost, refused, timed out or locally closed connection (reference tns-server 14.3).
func connectionLost(err error) bool {
	var netError net.Error
	return errors.Is(err, ErrLost) || errors.Is(err, ErrUnusable) || errors.Is(err, ErrOtherSession) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.As(err, &netError)
}

// refused turns a log-on that Oracle refused for good into its typed error.
func refused(err error, address string) error {
	class, typed := Classify(err)
	if class == Stop && typed.Code != stop.Unclassified {
		typed.Object = address
		return typed
	}
	return err
}

func pad(number int) string {
	s := strconv.Itoa(number)
	return strings.Repeat("0", max(0, 5-len(s))) + s
}
