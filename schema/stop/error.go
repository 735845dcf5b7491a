package stop

import (
	"errors"
	"fmt"
	"strings"
)

// Error is a fault that ends capture, or the component that found it, until an operator has acted. It never holds a secret
// or a row value.
type Error struct {
	Code Code
	// ORA is the Oracle error number behind it, 0 if none.
	ORA int
	// What says what happened, Object to whom: a table, log, transaction, topic, setting.
	What, Object string
	// Do says what the operator does next; empty: the table's action.
	Do string
	// Err is the cause.
	Err error
}

// New makes an Error with the table's action.
func New(code Code, object, format string, args ...any) *Error {
	return &Error{Code: code, What: fmt.Sprintf(format, args...), Object: object}
}

// Wrap makes an Error around a cause.
func Wrap(code Code, err error, object, format string, args ...any) *Error {
	return &Error{Code: code, What: fmt.Sprintf(format, args...), Object: object, Err: err}
}

// Doing sets what the operator does next.
func (e *Error) Doing(format string, args ...any) *Error {
	e.Do = fmt.Sprintf(format, args...)
	return e
}

// Action says what the operator does next.
func (e *Error) Action() string {
	if e.Do != "" {
		return e.Do
	}
	entry, _ := Lookup(e.Code)
	return entry.Action
}

// Runbook names the page about the code.
func (e *Error) Runbook() string { return fmt.Sprintf("CDC-%d", int(e.Code)) }

// Error gives "[CDC-nnnn] what happened: object. Do: operator action. Runbook: name" (contracts 6).
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[CDC-%d] %s", int(e.Code), e.What)
	if e.Object != "" {
		b.WriteString(": " + e.Object)
	}
	if e.Err != nil {
		// One line whatever the cause's text is: the driver's errors have several.
		b.WriteString(" (" + strings.Join(strings.Fields(e.Err.Error()), " ") + ")")
	}
	fmt.Fprintf(&b, ". Do: %s. Runbook: %s", e.Action(), e.Runbook())
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// As finds the typed error in a chain.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Is reports whether a chain holds an Error of the code.
func Is(err error, code Code) bool {
	e, ok := As(err)
	return ok && e.Code == code
}
