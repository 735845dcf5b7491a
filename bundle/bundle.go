package bundle

import (
	// Inputs, outputs and caches that move bytes, and the processors, functions and methods of mappings.
	_ "github.com/redpanda-data/benthos/v4/public/components/io"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"

	_ "github.com/oracle-cdc/redpanda-connect-oracle/bundle/kafka"
	_ "github.com/oracle-cdc/redpanda-connect-oracle/bundle/prometheus"
	_ "github.com/oracle-cdc/redpanda-connect-oracle/input"
	_ "github.com/oracle-cdc/redpanda-connect-oracle/processor"
)
