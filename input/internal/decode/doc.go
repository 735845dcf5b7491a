// Package decode turns the SQL_REDO of a row into values, by the table version that is valid for the row: images aligned
// with schema.Version.Columns, where value.Absent marks what the statement does not name.
//
// It is exact or it fails: a literal that does not fit its column's type, a name the version lacks, a column of a type that
// is not captured yet are an *Error, and none of them ever holds a value. It decides no policy: what an absent column means
// (R46), when an error stops capture (R22) and which SCN, transaction and row it belongs to is the caller's. Rows with generic
// names (`COL n`, R41), which are older than a DDL on their table, are GenericDecoder's: it reads Oracle's own bytes by the numbers of
// the columns. Decoder refuses them as Generic.
//
// It is called by the engine's decode workers and by replay. It is pure and owns no goroutine; a Decoder belongs to one
// goroutine, a Version may be shared.
package decode
