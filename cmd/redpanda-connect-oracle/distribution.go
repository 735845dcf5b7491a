package main

import "github.com/redpanda-data/benthos/v4/public/service"

const (
	binaryName  = "redpanda-connect-oracle"
	productName = "Redpanda Connect for Oracle"
)

// distribution says who the program is and where it looks for its configuration.
func distribution() []service.CLIOptFunc {
	return []service.CLIOptFunc{
		service.CLIOptSetVersion(Version, DateBuilt),
		service.CLIOptSetBinaryName(binaryName),
		service.CLIOptSetProductName(productName),
		service.CLIOptSetDocumentationURL("https://github.com/oracle-cdc/redpanda-connect-oracle/tree/main/resources/docs"),
		service.CLIOptSetDefaultConfigPaths(
			"./"+binaryName+".yaml",
			"/"+binaryName+".yaml",
			"/etc/"+binaryName+"/config.yaml",
			"/etc/"+binaryName+".yaml",
		),
		service.CLIOptSetMainSchemaFrom(schema),
		service.CLIOptAddCommand(replayCommand()),
	}
}

// schema is the runtime's configuration with the defaults that capture needs: one pipeline thread and strict error handling
// keep the order of changes (reference benthos 5), and the HTTP server is not open to the network unless somebody asks.
func schema() *service.ConfigSchema {
	s := service.GlobalEnvironment().FullConfigSchema(Version, DateBuilt)
	s.SetFieldDefault(1, "pipeline", "threads")
	s.SetFieldDefault(true, "error_handling", "strict")
	s.SetFieldDefault("127.0.0.1:4195", "http", "address")
	s.SetFieldDefault("20s", "shutdown_timeout")
	s.SetFieldDefault(map[string]any{"@service": binaryName}, "logger", "static_fields")
	return s
}
