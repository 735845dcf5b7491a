// Package replay runs recorded rows of V$LOGMNR_CONTENTS through decode, transactions and rendering, and writes the messages
// that capture would emit: no database, no broker. It is behind the command replay and runs the cases of real databases.
//
// Input is a sequence of JSON objects, one a line, told apart by their member kind:
//
//	{"kind":"table","pdb":"FREEPDB1","con_id":3,"owner":"APP","name":"T","columns":[{"name":"ID","type":"NUMBER(10) NOT NULL"},
//	 {"name":"H$","type":"RAW(16)","hidden":true}],"primary_key":["ID"]}
//	{"kind":"row","SCN":"2543100","XID":"05000000...","OPERATION_CODE":1,"SQL_REDO":"insert into ...", ...}
//	{"kind":"step"}
//
// A table is captured from its line on. A row has the columns of the view under their names; numbers may be text. XID is the
// RAW in hexadecimal with little-endian fields, or XIDUSN, XIDSLT and XIDSQN stand instead. Without RS_ID addresses are made
// up, and so are SCNs where no row has one; without SEG_OWNER and TABLE_NAME the statement tells the table, without SRC_CON_ID the
// tables tell the container. An object without kind is a row. The objects may also be the elements of an array, or the items of a
// document of SQLcl. A step line says that a mining step was verified there; the end of the input is one too. Tables without con_id are those
// of any container.
//
// Objects of kind sql_redo, rows and ddl are cases: each has its tables with it and is replayed alone.
//
// Tables may also come as an export of the dictionary (resources/docs/replay.md has its queries), and the configuration is that of a
// pipeline's oracle_cdc input, read by the input's own code; one that it refuses is refused here.
//
// Replay captures what the product captures: a table with a column of another type is refused with CDC-5003 as at a real start,
// and a typed stop ends a recording as it would end capture. The package owns no goroutine.
package replay
