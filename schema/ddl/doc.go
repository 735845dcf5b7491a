// Package ddl reads the text of DDL statements as LogMiner gives it, in SQL_REDO of rows with operation code 5, and says what they did:
// which class a statement is of, which tables it is about, and what of a table may be another one behind it (seed 000, reference logminer
// G). Where the text comes in pieces, the caller joins them first (R9, R111).
//
// It is a tokenizer and a reader of the clauses that count; it is no grammar of Oracle. The layout of a table always comes from the
// dictionary: a text says only that, and for whom, it has to be read. What the package does not understand is Unknown and never a guess;
// what cannot touch a table is told from its first words, whatever stands behind them. It knows no configuration, so not which tables
// are captured, and does not see what Oracle runs by itself (rows whose INFO begins with INTERNAL DDL).
//
// It is called by the engine and by the dictionary's reader, is pure and owns no goroutine.
package ddl
