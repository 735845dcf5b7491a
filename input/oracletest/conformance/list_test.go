package conformance_test

// behaviours is the list that every client runs, in the order of the table.
func behaviours() []string {
	return []string{
		"log-on", "log-on refused", "unknown service", "session attributes", "ALTER SESSION", "describe", "column types", "NULLs",
		"LOB columns", "temporary LOBs", "scalar binds", "named binds", "array binds", "PL/SQL binds", "ref cursors", "RETURNING",
		"batch errors", "re-execution", "fetches", "errors", "transactions", "ping and log-off", "cancel", "cancel in the stream",
		"several sessions", "connection lost in a fetch", "TLS",
	}
}

// refusals are the behaviours whose SQL the stand-in may refuse, and why. The wire itself is proven for them by package
// wire, through the same clients and a scripted database.
func refusals() map[string]string {
	return map[string]string{
		"LOB columns": "the database has no LOB columns yet",
		"ref cursors": "the PL/SQL of the stand-in has no OPEN ... FOR yet",
		"RETURNING":   "the SQL of the stand-in has no RETURNING clause yet",
	}
}

// Outcomes of a check.
const (
	outcomeOK           = "ok"
	outcomeRefused      = "refused"
	outcomeInapplicable = "inapplicable"
)

// result is what a client found.
type result struct {
	Check   string `json:"check"`
	Outcome string `json:"outcome"`
	Note    string `json:"note"`
}
