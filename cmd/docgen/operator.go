package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input"
)

// opsPage lists the events about the connector itself.
func opsPage() []byte {
	var out bytes.Buffer
	out.WriteString("<!-- Written by make docs from the engine's table of events. -->\n# Ops events\n\n" +
		"Records of `topics.ops`, key `topic_prefix`, in order with the data: `{\"v\":1,\"type\",\"ts_ms\",\"server\",\"position_scn\",\"details\"}`; members of\n" +
		"`details` are texts. Where `emit.ops` says so they are lines of the log instead.\n\n| Type | Meaning |\n|---|---|\n")
	for _, e := range input.OpsEvents() {
		fmt.Fprintf(&out, "| `%s` | %s |\n", e.Type, e.Meaning)
	}
	return out.Bytes()
}

// signalsPage lists what may be asked of running capture.
func signalsPage() []byte {
	var out bytes.Buffer
	out.WriteString("<!-- Written by make docs from the table of signals. -->\n# Signals\n\n" +
		"What may be asked of running capture, as `type` and `data`. How to send one, and what is answered: [signals](../signals.md).\n\n" +
		"| Type | What it does | `data`, for example |\n|---|---|---|\n")
	for _, s := range input.Signals() {
		data := "–"
		if s.Data != "" {
			data = "`" + strings.ReplaceAll(s.Data, "|", `\|`) + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", s.Type, s.Meaning, data)
	}
	return out.Bytes()
}
