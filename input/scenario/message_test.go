package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// message is one message as a consumer sees it.
type message struct {
	value    []byte
	metadata map[string]any
	event    *change.Event
}

func read(m *service.Message) (message, error) {
	value, err := m.AsBytes()
	if err != nil {
		return message{}, err
	}
	out := message{value: value, metadata: map[string]any{}, event: change.From(m.Context())}
	return out, m.MetaWalkMut(func(key string, value any) error {
		out.metadata[key] = value
		return nil
	})
}

// record is the part of a record's value that scenarios look into.
type record struct {
	Before, After json.RawMessage
	Op            string
	Source        struct {
		Table     string  `json:"table"`
		TxID      string  `json:"txId"`
		SCN       string  `json:"scn"`
		CommitSCN string  `json:"commit_scn"`
		User      *string `json:"user_name"`
	}
	Transaction *struct {
		ID    string `json:"id"`
		Total int    `json:"total_order"`
		Table int    `json:"data_collection_order"`
	}
}

func (m *message) record() record {
	var r record
	if err := json.Unmarshal(m.value, &r); err != nil {
		panic(fmt.Sprintf("the value is not a record: %v: %s", err, m.value))
	}
	return r
}

func (m *message) tombstone() bool { return m.event.Kind == change.Tombstone }

// line is the message in short: operation, key, images.
func (m *message) line() string {
	key := string(m.event.Key)
	if m.tombstone() {
		return key + " tombstone"
	}
	r := m.record()
	switch r.Op {
	case "u":
		return fmt.Sprintf("%s u %s -> %s", key, r.Before, r.After)
	case "d":
		return fmt.Sprintf("%s d %s", key, r.Before)
	default:
		return fmt.Sprintf("%s %s %s", key, r.Op, r.After)
	}
}

func lines(messages []message) []string {
	out := make([]string, len(messages))
	for i := range messages {
		out[i] = messages[i].line()
	}
	return out
}

// transactions gives the id of each message's transaction, one after the other without repeats.
func transactions(messages []message) []string {
	var out []string
	for i := range messages {
		id := messages[i].event.Transaction.ID.String()
		if len(out) == 0 || out[len(out)-1] != id {
			out = append(out, id)
		}
	}
	return out
}

// identities names the change behind each message: what a consumer drops repeats by (seed 001), with the kind of record.
func identities(messages []message) []string {
	out := make([]string, len(messages))
	for i := range messages {
		ev := messages[i].event
		out[i] = fmt.Sprintf("%s/%d/%s%c", ev.Transaction.ID, ev.Index, ev.Kind, ev.Op)
	}
	return out
}

// without takes the messages of a table out.
func without(messages []message, table string) []message {
	var out []message
	for _, m := range messages {
		if m.event.Version == nil || !strings.EqualFold(m.event.Version.Table.Name, table) {
			out = append(out, m)
		}
	}
	return out
}

// applyTo makes the change in a copy of the table: rows by key.
func (m *message) applyTo(replica map[string]string) {
	if m.tombstone() {
		return
	}
	if r := m.record(); r.Op == "d" {
		delete(replica, string(m.event.Key))
	} else {
		replica[string(m.event.Key)] = string(r.After)
	}
}
