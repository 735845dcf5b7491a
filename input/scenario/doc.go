// Package scenario proves the whole oracle_cdc input by scenarios: what an application does to a database, and what must come
// out of a pipeline for it. There is one suite for two databases: the stand-in (input/oracletest), where every scenario has a
// server of its own, and a real Oracle Free, which make test-oracle asks for. Scenarios that only the stand-in can run say
// so, and the list of them is printed with the reasons.
//
// The package has tests only; nothing imports it. It owns no goroutine: a scenario ends its pipelines, its sessions and its
// server, and TestMain looks for what they left behind.
package scenario
