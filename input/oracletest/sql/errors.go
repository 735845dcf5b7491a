package sql

import "fmt"

// Error is a text that the grammar does not accept.
type Error struct {
	Code    int // ORA number
	Message string
	Pos     int // byte offset in the text
}

func (e *Error) Error() string { return fmt.Sprintf("ORA-%05d: %s", e.Code, e.Message) }

func errorAt(pos, code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Pos: pos}
}

// Texts of the codes that several productions raise.
const (
	msgInvalidStatement  = "invalid SQL statement"
	msgNotProperlyEnded  = "SQL command not properly ended"
	msgMissingExpression = "missing expression"
	msgMissingRight      = "missing right parenthesis"
	msgMissingLeft       = "missing left parenthesis"
	msgMissingKeyword    = "missing keyword"
	msgInvalidIdentifier = "invalid identifier"
	msgMissingFrom       = "FROM keyword not found where expected"
)

func unimplemented(pos int, what string) *Error {
	return errorAt(pos, 3001, "unimplemented feature: %s", what)
}
