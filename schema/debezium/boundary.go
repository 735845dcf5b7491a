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
}

// NewBoundaries prepares them.
func NewBoundaries(s Settings) *Boundaries {
	b := &Boundaries{database: s.Database, appendID: position.XID.Append}
	if s.Profile.has(transactionHex) {
		b.appendID = position.XID.AppendHex
	}
	return b
}

// AppendKey appends the key of both records.
func (b *Boundaries) AppendKey(dst []byte, tx *change.Transaction) []byte {
	return append(b.appendID(tx.ID, append(dst, `{"id":"`...)), `"}`...)
}

// AppendBegin appends the value of a BEGIN; millis is the time of the first change.
func (b *Boundaries) AppendBegin(dst []byte, tx *change.Transaction, millis int64) []byte {
	dst = b.appendID(tx.ID, append(dst, `{"status":"BEGIN","id":"`...))
	return b.appendTime(append(dst, `","event_count":null,"data_collections":null`...), millis)
}

// AppendEnd appends the value of an END, with the commit time. The error says that a name is not UTF-8; dst is as before then.
func (b *Boundaries) AppendEnd(dst []byte, tx *change.Transaction, collections []Collection) ([]byte, error) {
	out := b.appendID(tx.ID, append(dst, `{"status":"END","id":"`...))
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
	return append(strconv.AppendInt(append(dst, `,"ts_ms":`...), millis, 10), '}')
}
