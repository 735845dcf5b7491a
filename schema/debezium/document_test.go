package debezium

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// mixed is a table of the types that the property test can describe without the encoders.
func mixed() *schema.Version {
	v := versionOf(number(9, 0), varchar(), typed(schema.Raw, "RAW", schema.NoNumber), typed(schema.Date, "DATE", schema.NoNumber))
	v.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0, 1}}
	return v
}

func drawRow(t *rapid.T, label string) (row []value.Value, document map[string]any) {
	id := rapid.Int64Range(-999_999_999, 999_999_999).Draw(t, label+" number")
	text := rapid.String().Draw(t, label+" text")
	raw := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, label+" raw")
	row = []value.Value{value.OfDecimal(strconv.FormatInt(id, 10)), value.OfText(text), value.OfBytes(string(raw)), value.OfNull()}
	document = map[string]any{
		"CA": json.Number(strconv.FormatInt(id, 10)), "CB": text, "CC": base64.StdEncoding.EncodeToString(raw), "CD": nil,
	}
	return row, document
}

func parsed(t *rapid.T, text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

func digits[T ~uint64 | ~int64 | ~int](n T) json.Number {
	if n < 0 {
		return json.Number(strconv.FormatInt(int64(n), 10))
	}
	return json.Number(strconv.FormatUint(uint64(n), 10))
}

// The record is built a second time as a generic document, member by member from seed 001.
func TestRecordEqualsTheDocumentOfTheSeed(t *testing.T) {
	v := mixed()
	tab := table(t, settings(), v)
	rapid.Check(t, func(t *rapid.T) {
		before, beforeDoc := drawRow(t, "before")
		after, afterDoc := drawRow(t, "after")
		tx := &change.Transaction{
			ID: position.XID{
				USN: rapid.Uint16().Draw(t, "usn"), Slot: rapid.Uint16().Draw(t, "slot"), Sequence: rapid.Uint32().Draw(t, "sqn"),
			},
			Key:          position.Key{SCN: position.SCN(rapid.Uint64().Draw(t, "commit SCN")), Thread: rapid.IntRange(1, 16).Draw(t, "thread")},
			CommitMillis: rapid.Int64Range(0, 4_000_000_000_000).Draw(t, "commit time"),
			User:         rapid.StringMatching(`[A-Z"]{1,5}`).Draw(t, "user"), Count: 1000,
		}
		ev := &change.Event{
			Kind: change.Change, Op: change.Update, Version: v, Before: before, After: after, Transaction: tx,
			SCN: position.SCN(rapid.Uint64().Draw(t, "SCN")), SSN: rapid.Int64().Draw(t, "SSN"), RowID: "R",
			Address: position.RBA{Sequence: rapid.Uint32().Draw(t, "log"), Block: rapid.Uint32().Draw(t, "block"), Byte: rapid.Uint16().Draw(t, "byte")},
			Millis:  rapid.Int64Range(0, 4_000_000_000_000).Draw(t, "time"), Index: rapid.IntRange(0, 1e6).Draw(t, "index"), TableOrder: rapid.IntRange(1, 1e6).Draw(t, "order"),
		}
		want := map[string]any{
			"before": beforeDoc, "after": afterDoc, "op": "u",
			"ts_ms": digits(tx.CommitMillis), "ts_us": digits(tx.CommitMillis * 1000), "ts_ns": digits(tx.CommitMillis * 1000000),
			"transaction": map[string]any{"id": tx.ID.String(), "total_order": digits(ev.Index + 1), "data_collection_order": digits(ev.TableOrder)},
			"source": map[string]any{
				"version": "1.2.3", "connector": "oracle-cdc", "name": "server1", "ts_ms": digits(ev.Millis), "snapshot": "false", "db": "ORCL",
				"sequence": nil, "schema": "APP", "table": "T", "txId": tx.ID.String(), "scn": ev.SCN.String(), "commit_scn": tx.Key.SCN.String(),
				"rs_id": ev.Address.String(), "ssn": digits(ev.SSN), "redo_thread": digits(tx.Key.Thread), "user_name": tx.User, "row_id": "R",
				"pdb": nil, "reselect": nil,
			},
		}
		if ev.Address.IsZero() {
			want["source"].(map[string]any)["rs_id"] = nil // no address at all (R13)
		}
		out, err := tab.AppendValue(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed(t, out); !reflect.DeepEqual(got, any(want)) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
		key, err := tab.AppendKey(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed(t, key); !reflect.DeepEqual(got, any(map[string]any{"CA": afterDoc["CA"], "CB": afterDoc["CB"]})) {
			t.Fatalf("key %s", key)
		}
	})
}
