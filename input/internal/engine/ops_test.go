package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// What is told of the connector itself is in the log once, where it is a message as well as where it is none, however often its step is mined.
func TestAnOpsEventIsNoMoreThanOneLineOfTheLog(t *testing.T) {
	for name, messages := range map[string]bool{"messages": true, "no messages": false} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			var log bytes.Buffer
			s.config.Log = slog.New(slog.NewJSONHandler(&log, nil))
			s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: messages}, nil }
			s.config.ReadAtBulkDDL = true
			s.config.Snapshot = SnapshotConfig{Mode: SnapshotOnSignal, NewTables: true}
			wide, c, gone := with(s.a, "V", "W"), table("C", 103), s.b
			s.step(
				ddl(s.a, xid(1), 1001, "truncate table A"), commit(xid(1), 1002), ddl(s.a, xid(2), 1003, "alter table A add (w varchar2(40))"), commit(xid(2), 1004),
				ddl(c, xid(3), 1005, "create table C (id number(10) primary key, v varchar2(40))"), commit(xid(3), 1006),
				ddl(gone, xid(4), 1007, "drop table B"), commit(xid(4), 1008), insert(c, xid(5), 1009, 1, "c"), commit(xid(5), 1010),
			)
			s.db.descriptor = func() []*schema.Version {
				if s.db.now < 1010 {
					return []*schema.Version{s.a, gone}
				}
				return []*schema.Version{wide, c}
			}
			s.play(s.beginning())
			if s.err != nil {
				t.Fatal(s.err)
			}
			lines, events := map[string]int{}, map[string]int{}
			for _, line := range bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n")) {
				var said struct{ Type, Msg string }
				if err := json.Unmarshal(line, &said); err != nil {
					t.Fatal(err)
				}
				if lines[said.Type]++; said.Type == "" {
					delete(lines, "")
				}
			}
			for _, b := range s.batches {
				for i := range b.Events {
					var event struct{ Type string }
					if b.Events[i].Kind != change.Ops {
						continue
					}
					if err := json.Unmarshal(b.Events[i].Value, &event); err != nil {
						t.Fatal(err)
					}
					events[event.Type]++
				}
			}
			all := map[string]int{
				"startup": 1, "ddl-seen": 4, "bulk-ddl": 1, "ddl-applied": 1, "table-added": 1, "table-removed": 1, "snapshot-started": 1,
			}
			if !messages {
				if diff := cmp.Diff(all, lines); diff != "" || len(events) > 0 {
					t.Errorf("lines (-want +got):\n%s\n%v messages", diff, events)
				}
				return
			}
			if diff := cmp.Diff(all, events); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			delete(all, "startup")
			delete(all, "ddl-seen") // these two are no lines where they are messages
			if diff := cmp.Diff(all, lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}
