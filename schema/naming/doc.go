// Package naming turns tables into names: which tables the patterns choose, which topic their records go to, what the
// internal topics are called and how the record schemas are named (seed 001 "Topics", contracts 8).
//
// Pattern, Selection, Template and Internal are pure and are checked at lint; Topics remembers the names it gave, since two
// tables must not meet in one topic by accident (CDC-6004). It creates no topic and reads no dictionary. It is called by the
// input, by doctor and by the lint rules. It owns no goroutine.
package naming
