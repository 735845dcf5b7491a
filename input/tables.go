package input

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
)

// OpsEvent is a row of the table of ops events.
type OpsEvent struct{ Type, Meaning string }

// OpsEvents lists the events about the connector itself (contracts 5).
func OpsEvents() []OpsEvent {
	var out []OpsEvent
	for _, t := range engine.OpsTypes() {
		out = append(out, OpsEvent{t.Name, t.Meaning})
	}
	return out
}

// Signal is a row of the table of signals.
type Signal struct{ Type, Meaning, Data string }

// Signals lists what may be asked of running capture.
func Signals() []Signal {
	var out []Signal
	for _, d := range engine.Signals() {
		out = append(out, Signal{string(d.Action), d.Meaning, d.Data})
	}
	return out
}
