package oracle

// Statements about the session itself (reference logminer A.5, A.6; tns-server 14.2).
var (
	sessionParameters = Statement{"read NLS_SESSION_PARAMETERS", `SELECT parameter, value FROM nls_session_parameters`}
	sessionTimeZone   = Statement{"read SESSIONTIMEZONE", `SELECT SESSIONTIMEZONE FROM dual`}
	sessionSelf       = Statement{
		"read V$SESSION",
		`SELECT sid, serial# FROM v$session WHERE sid = SYS_CONTEXT('USERENV', 'SID')`,
	}
)

// alterSession takes names and values from constants only; ALTER SESSION has no binds.
func alterSession(name, value string) Statement {
	return Statement{"set " + name, "ALTER SESSION SET " + name + " = '" + value + "'"}
}
