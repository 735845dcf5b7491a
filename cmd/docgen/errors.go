package main

import (
	"bytes"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// errorsPage lists the error codes with their runbooks.
func errorsPage() []byte {
	var out bytes.Buffer
	out.WriteString("<!-- Written by make docs from the table of codes. -->\n# Error codes\n\n" +
		"A message reads `[CDC-nnnn] what happened: object. Do: operator action. Runbook: name`. After a stop the process ends with\n" +
		"code 3 (`on_stop: exit`); a code marked as retried is tried again inside first.\n\n" +
		"| Code | Meaning | What to do | Retried |\n|---|---|---|---|\n")
	for _, e := range stop.Codes() {
		name := stop.New(e.Code, "", "").Runbook()
		fmt.Fprintf(&out, "| [%s](../../runbooks/%s.md) | %s | %s | %s |\n", name, name, e.Meaning, e.Action,
			map[bool]string{true: "yes", false: "no"}[e.Retried])
	}
	return out.Bytes()
}
