package bundle

import (
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

func TestDistributionHasItsComponents(t *testing.T) {
	lints, err := service.GlobalEnvironment().FullConfigSchema("", "").NewStreamConfigLinter().LintYAML([]byte(`
input: {oracle_cdc: {connection_string: "oracle://u:p@h/s", topic_prefix: a, include: [".*"], position: {file: p}}}
pipeline: {processors: [{oracle_schema: {}}, {mapping: 'root = content().uppercase()'}]}
output: {kafka_franz: {}}
metrics: {prometheus: {}}
`))
	if err != nil || len(lints) != 0 {
		t.Fatalf("%v, %v", lints, err)
	}
}
