package naming

import "github.com/oracle-cdc/redpanda-connect-oracle/schema"

// Schemas are the names of a table's Connect schemas (seed 001 "Key", "Value").
type Schemas struct {
	Key, Value, Envelope string
}

// SchemasOf names the schemas of a table: {prefix}.{pdb}.{schema}.{table}, without the PDB where there is none, exactly as
// Oracle and the configuration give the names. They do not follow topics.template.
func SchemasOf(prefix string, t schema.Table) Schemas {
	base := prefix + "." + t.String()
	return Schemas{Key: base + ".Key", Value: base + ".Value", Envelope: base + ".Envelope"}
}
