package naming

import "github.com/oracle-cdc/redpanda-connect-oracle/schema"

// Schemas are the names of a table's Connect schemas (seed 001 "Key", "Value").
type Schemas struct {
	Key, Value, Envelope string
}

// SchemasOf names the schemas of a table: {prefix}.{pdb}.{schema}.{table}, without the PDB where there is none, exactly as
// Oracle and the configuration give the names. They do not follow topics.template.
func SchemasOf(prefix string, t schema.Table) Schemas { return schemas(prefix + "." + t.String()) }

// SchemasOfTopic names the schemas of a table after its topic, as Debezium does.
func SchemasOfTopic(topic string) Schemas { return schemas(topic) }

func schemas(base string) Schemas {
	return Schemas{Key: base + ".Key", Value: base + ".Value", Envelope: base + ".Envelope"}
}

// Adjusted gives the names as an adjustment changes them.
func (s Schemas) Adjusted(a Adjuster) Schemas {
	return Schemas{Key: a.Schema(s.Key), Value: a.Schema(s.Value), Envelope: a.Schema(s.Envelope)}
}
