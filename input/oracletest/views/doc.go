// Package views has the fixed views (V$, GV$) and the dictionary views (USER_, ALL_, DBA_, CDB_) of the stand-in, with the
// columns that a capture client reads (reference logminer F.4, H and I). LogMiner's own views are in package
// logminer. It stores nothing: every row is computed when it is fetched.
//
// Who may read a view is checked by the engine. What a view shows depends on its caller: the containers of CONTAINER_DATA, and
// in ALL_ views the objects to which there is any right.
//
// It is called by the engine through its Views. It owns no goroutine.
package views
