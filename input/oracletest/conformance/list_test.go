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

// Outcomes of a check.
const (
	outcomeOK           = "ok"
	outcomeInapplicable = "inapplicable"
)

// result is what a client found.
type result struct {
	Check   string `json:"check"`
	Outcome string `json:"outcome"`
	Note    string `json:"note"`
}
