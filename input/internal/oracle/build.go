package oracle

import "context"

var (
	// mayBuild does nothing: naming the procedure compiles for whoever may execute it.
	mayBuild = Statement{"look at DBMS_LOGMNR_D", `BEGIN IF 1 = 0 THEN DBMS_LOGMNR_D.BUILD(OPTIONS => 2); END IF; END;`}
	// STORE_IN_REDO_LOGS (2): the copy goes into the redo and nowhere else (reference logminer G.4).
	buildDictionary = Statement{"DBMS_LOGMNR_D.BUILD", `BEGIN DBMS_LOGMNR_D.BUILD(OPTIONS => 2); END;`}
)

// MayBuild reports whether the user of a session has EXECUTE on DBMS_LOGMNR_D.
func MayBuild(ctx context.Context, s *Session) (bool, error) {
	denied, err := denies(ctx, s, mayBuild)
	return !denied && err == nil, err
}

// BuildDictionary writes a copy of the dictionary into the redo: the one thing that this program writes to the database. It waits for DDL
// that is under way, and takes as long as the dictionary is large.
func BuildDictionary(ctx context.Context, s *Session) error { return s.Exec(ctx, buildDictionary) }
