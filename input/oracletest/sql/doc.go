// Package sql turns the text of one statement into a syntax tree, and says with Oracle's own codes where a text
// leaves the grammar that the stand-in knows. It knows no table, no session and no value beyond literals; names are
// resolved by the engine.
//
// The grammar is written by hand. participle was weighed and left out: the answer to a wrong text must be the
// code of the production that failed with its position (ORA-00936, ORA-00907, ORA-00923 ...), Oracle's words are
// keywords only where a production expects them, and a parenthesis may open a condition, an expression, a row or a
// subquery; with participle every one of these needs custom parsers around its tokens, which is this package.
//
// It is called by the engine. It owns no goroutine.
package sql
