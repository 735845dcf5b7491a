package debezium

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Reference debezium-format 11.1: the bytes of its examples.
func TestBoundariesOfATransaction(t *testing.T) {
	tx := &change.Transaction{ID: position.XID{USN: 2, Slot: 10, Sequence: 823}, CommitMillis: 1700000000000, Count: 2}
	end := []Collection{{Table: schema.Table{PDB: "ORCLPDB1", Owner: "INVENTORY", Name: "CUSTOMERS"}, Count: 2}}
	for profile, id := range map[*Profile]string{CDC(): "2.10.823", Debezium(): "02000a0037030000"} {
		s := settings()
		s.Profile = profile
		b := NewBoundaries(s)
		if got, want := string(b.AppendKey(nil, tx)), `{"id":"`+id+`"}`; got != want {
			t.Errorf("%s: key %s, want %s", profile.Name, got, want)
		}
		want := `{"status":"BEGIN","id":"` + id + `","event_count":null,"data_collections":null,"ts_ms":1700000000000}`
		if got := string(b.AppendBegin(nil, tx, 1700000000000)); got != want {
			t.Errorf("%s: %s, want %s", profile.Name, got, want)
		}
		want = `{"status":"END","id":"` + id + `","event_count":2,"data_collections":[{"data_collection":"ORCLPDB1.INVENTORY.CUSTOMERS","event_count":2}],"ts_ms":1700000000000}`
		if got, err := b.AppendEnd(nil, tx, end); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", profile.Name, got, err, want)
		}
	}
	s := settings()
	s.Database = "ORCL"
	got, err := NewBoundaries(s).AppendEnd(nil, tx, []Collection{{schema.Table{Owner: "A", Name: "T"}, 1}, {schema.Table{Owner: "A", Name: "U"}, 1}})
	if err != nil || !strings.Contains(string(got), `[{"data_collection":"ORCL.A.T","event_count":1},{"data_collection":"ORCL.A.U","event_count":1}]`) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := NewBoundaries(s).AppendEnd(nil, tx, []Collection{{schema.Table{Owner: "A", Name: "\xff"}, 1}}); err == nil {
		t.Error("a name that is not UTF-8 was published")
	}
}

// Profile debezium has the transaction block only together with the records of the transaction (reference 2).
func TestTransactionBlockOfProfileDebeziumComesWithTheBoundaries(t *testing.T) {
	for announced, want := range map[bool]string{
		false: `,"transaction":null,`, true: `,"transaction":{"id":"02000a0037030000","total_order":1,"data_collection_order":1},`,
	} {
		s := settings()
		s.Profile, s.Transactions = Debezium(), announced
		s.Topic = "server1.APP.T"
		v := versionOf(varchar())
		ev := streamed(v, change.Create, nil, []value.Value{value.OfText("x")})
		tx := *ev.Transaction
		tx.ID = position.XID{USN: 2, Slot: 10, Sequence: 823}
		ev.Transaction, ev.Index, ev.TableOrder = &tx, 0, 1
		got, err := table(t, s, v).AppendValue(nil, ev)
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("announced %t: %s, %v; want %s", announced, got, err, want)
		}
	}
}
