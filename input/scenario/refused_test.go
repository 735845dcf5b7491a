package scenario_test

import (
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R110, R108: a DDL that makes a table one that cannot be captured stops at its place: what committed before it is delivered first,
// while capture runs and behind a restart.
func TestR110DDLThatMakesATableUncapturable(t *testing.T) {
	sideBySide(t)
	for name, tt := range map[string]struct {
		statement, words string
		code             stop.Code
	}{
		"LOB":     {"ALTER TABLE $t ADD (doc CLOB)", "CLOB", 6002},
		"key":     {"ALTER TABLE $t DROP PRIMARY KEY", "without a primary key", 5003},
		"logging": {"ALTER TABLE $t DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS", "supplemental logging", 5003},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := begin(t), newBroker(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
			p := s.startKafka(b, nil)
			s.commit("INSERT INTO $t VALUES (1, 1)")
			p.settleKafka(b)
			p.stop()
			s.commit("INSERT INTO $" + fenceTable + " VALUES (-1)")
			s.exec(tt.statement)
			p = s.launchKafka(b, nil, "kafka_franz: {}")
			stopped := p.stopped()
			refusal(t, stopped, tt.code, s.full("t"))
			refusal(t, stopped, tt.code, tt.words)
			arrived := func() bool {
				return slices.ContainsFunc(b.topic("shop."+s.full(fenceTable)), func(r *kgo.Record) bool { return string(r.Key) == `{"ID":-1}` })
			}
			tick, deadline := time.NewTicker(10*time.Millisecond), time.After(patience)
			defer tick.Stop()
			for !arrived() {
				select {
				case <-tick.C:
				case <-deadline:
					t.Fatal("the row before the DDL does not arrive")
				}
			}
		})
	}
}

// R108: minimal logging that goes while capture runs stops it behind what committed before.
func TestR108DatabaseThatLosesMinimalLogging(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	p := s.start(nil)
	open := s.connect(app).begin()
	open.exec("INSERT INTO $t VALUES (7, 7)")
	s.commit("INSERT INTO $t VALUES (1, 1)")
	s.connect(admin).exec("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
	open.exec("UPDATE $t SET v = 8 WHERE id = 7")
	open.commit()
	refusal(t, p.stopped(), 5003, "minimal supplemental logging")
	got, _ := p.delivered()
	same(t, got, `{"ID":1} c {"ID":1,"V":1}`)
}
