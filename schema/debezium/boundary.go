package debezium

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Collection says how many changes of a transaction are about a table.
type Collection struct {
	Table schema.Table
	Count int
}

// Boundaries renders the records that announce the beginning and the end of a transaction: Debezium's TransactionMetadataKey and
// TransactionMetadataValue (reference debezium-format 11.1).
type Boundaries struct {
	database string
	// appendID writes the id as the source block has it.
	appendID func(id position.XID, dst []byte) []byte
	// What stands around keys and values, empty without schemas.
	keyOpen, keyClose, valueOpen, valueClose string
}

// NewBoundaries prepares them.
func NewBoundaries(s Settings) *Boundaries {
	b := &Boundaries{database: s.Database, appendID: position.XID.Append}
	if s.Profile.has(transactionHex) {
		b.appendID = position.XID.AppendHex
	}
	key, val := boundaryKey(), boundaryValue()
	// Their names are ours and UTF-8: there is no error.
	b.keyOpen, b.keyClose, _ = s.keyEncoding().wrap(&key)
	b.valueOpen, b.valueClose, _ = s.Encoding.wrap(&val)
	return b
}

func boundaryKey() connect {
	c := required("struct").named("io.debezium.connector.common.TransactionMetadataKey")
	c.fields = []connectField{{"id", required("string")}}
	return c
}

func boundaryValue() connect {
	collection := optional("struct").named("event.collection")
	collection.fields = []connectField{{"data_collection", required("string")}, {"event_count", required("int64")}}
	collections := optional("array")
	collections.items = &collection
	c := required("struct").named("io.debezium.connector.common.TransactionMetadataValue")
	c.fields = []connectField{
		{"status", required("string")},
		{"id", required("string")},
		{"event_count", optional("int64")},
		{"data_collections", collections},
		{"ts_ms", required("int64")},
	}
	return c
}

// AppendKey appends the key of both records.
func (b *Boundaries) AppendKey(dst []byte, tx *change.Transaction) []byte {
	dst = append(append(dst, b.keyOpen...), `{"id":"`...)
	return append(append(b.appendID(tx.ID, dst), `"}`...), b.keyClose...)
}

// AppendBegin appends the value of a BEGIN; millis is the time of the first change.
func (b *Boundaries) AppendBegin(dst []byte, tx *change.Transaction, millis int64) []byte {
	dst = b.appendID(tx.ID, append(append(dst, b.valueOpen...), `{"status":"BEGIN","id":"`...))
	return b.appendTime(append(dst, `","event_count":null,"data_collections":null`...), millis)
}

// AppendEnd appends the value of an END, with the commit time. The error says that a name is not UTF-8; dst is as before then.
func (b *Boundaries) AppendEnd(dst []byte, tx *change.Transaction, collections []Collection) ([]byte, error) {
	out := b.appendID(tx.ID, append(append(dst, b.valueOpen...), `{"status":"END","id":"`...))
	out = strconv.AppendInt(append(out, `","event_count":`...), int64(tx.Count), 10)
	out = append(out, `,"data_collections":`...)
	separator := byte('[')
	for _, c := range collections {
		t := c.Table
		if t.PDB == "" {
			t.PDB = b.database // with the catalog, unlike the topic
		}
		out = append(append(out, separator), `{"data_collection":`...)
		var err error
		if out, err = appendText(out, t.String()); err != nil {
			return dst, err
		}
		out = append(strconv.AppendInt(append(out, `,"event_count":`...), int64(c.Count), 10), '}')
		separator = ','
	}
	return b.appendTime(append(out, ']'), tx.CommitMillis), nil
}

func (b *Boundaries) appendTime(dst []byte, millis int64) []byte {
	return append(append(strconv.AppendInt(append(dst, `,"ts_ms":`...), millis, 10), '}'), b.valueClose...)
}
