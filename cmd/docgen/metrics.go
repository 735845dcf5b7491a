package main

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input"
)

// metricsPage lists what the input measures.
func metricsPage() []byte {
	var out bytes.Buffer
	out.WriteString("<!-- Written by make docs from the input's table of metrics. -->\n# Metrics of `oracle_cdc`\n\n" +
		"The runtime adds `label` and `path`, and its own `input_*`, `output_*` and `processor_*`. A metric appears when it first has a\n" +
		"value. What to alert on: [what to watch](../operations.md).\n\n| Metric | Kind | Label | Meaning |\n|---|---|---|---|\n")
	for _, m := range input.Metrics() {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", m.Name, m.Kind, cmp.Or(m.Label, "–"), m.Meaning)
	}
	return out.Bytes()
}
