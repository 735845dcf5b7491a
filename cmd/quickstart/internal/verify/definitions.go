package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Definitions reads the values of the topic of schema changes, whose order counts.
func (t *Topics) Definitions(ctx context.Context, topic string) ([][]byte, error) {
	values, partitions, err := t.Values(ctx, topic)
	if err == nil && partitions > 1 {
		err = fmt.Errorf("%s is not a topic of one partition", topic)
	}
	return values, err
}

// Values reads the values of one of the pipeline's own topics, one partition behind the other; none of a topic that is not there.
func (t *Topics) Values(ctx context.Context, topic string) (values [][]byte, partitions int, err error) {
	ends, err := kadm.NewClient(t.client).ListEndOffsets(ctx, topic)
	if err != nil {
		return nil, 0, err
	}
	begin, missing := map[int32]kgo.Offset{}, int64(0)
	ends.Each(func(o kadm.ListedOffset) {
		if !errors.Is(o.Err, kerr.UnknownTopicOrPartition) {
			err = errors.Join(err, o.Err)
			begin[o.Partition] = kgo.NewOffset().AtStart()
			missing += o.Offset
		}
	})
	if err != nil || missing == 0 {
		return nil, len(begin), err
	}
	t.client.AddConsumePartitions(map[string]map[int32]kgo.Offset{topic: begin})
	for int64(len(values)) < missing {
		fetches := t.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, 0, err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if r.Topic == topic {
				values = append(values, r.Value)
			}
		})
	}
	return values, len(begin), nil
}

// definition is a schema change as its consumer reads it.
type definition struct {
	Source struct {
		DB, Schema, Table string
		Commit            string `json:"commit_scn"`
	}
	DDL          string
	TableChanges []struct {
		Type, ID string
		Table    *struct {
			Columns []struct{ Name string }
		}
	}
}

// Definitions holds the schema changes against the DDL that was run: each is told of in the order of the source, with the layout that it
// left, and no other. What is told again is told as it was.
func Definitions(values [][]byte, tables []*ledger.Table, report *Report) {
	type moment struct{ db, commit string }
	told, matched, last := map[moment]string{}, map[*ledger.Step]bool{}, uint64(0)
	for i, value := range values {
		var d definition
		if err := json.Unmarshal(value, &d); err != nil {
			report.fault("schema change %d cannot be read: %v", i, err)
			continue
		}
		at := moment{d.Source.DB, d.Source.Commit}
		if was, again := told[at]; again {
			if was != string(value) {
				report.fault("schema change %d differs from what was told of that DDL before: %s", i, d.DDL)
			}
			continue
		}
		told[at] = string(value)
		commit, err := strconv.ParseUint(d.Source.Commit, 10, 64)
		if err != nil || commit < last {
			report.fault("schema change %d, at SCN %q, is behind one at SCN %d: %s", i, d.Source.Commit, last, d.DDL)
		}
		last = max(last, commit)
		table, step := find(tables, &d, commit)
		switch {
		case step == nil:
			report.fault("schema change %d tells of a DDL that nobody ran then: %s", i, d.DDL)
		case matched[step]:
			report.fault("schema change %d is the second one of its DDL: %s", i, d.DDL)
		default:
			matched[step] = true
			report.DDL++
			if fault := d.differs(table, step); fault != "" {
				report.fault("schema change %d: %s: %s", i, fault, d.DDL)
			}
		}
	}
	for _, table := range tables {
		for i := range table.Steps {
			if !matched[&table.Steps[i]] {
				report.fault("nobody was told of a DDL: %s", table.Steps[i].Text)
			}
		}
	}
}

func find(tables []*ledger.Table, d *definition, commit uint64) (*ledger.Table, *ledger.Step) {
	for _, table := range tables {
		for i := range table.Steps {
			if s := &table.Steps[i]; table.PDB == d.Source.DB && s.After < commit && commit <= s.Behind && s.Text == d.DDL {
				return table, s
			}
		}
	}
	return nil, nil
}

// differs says in what a schema change differs from what its DDL did.
func (d *definition) differs(table *ledger.Table, step *ledger.Step) string {
	if step.Emptied {
		if len(d.TableChanges) > 0 {
			return "a layout of a table that was emptied"
		}
		return ""
	}
	if len(d.TableChanges) != 1 || d.TableChanges[0].Table == nil {
		return "no layout, or several"
	}
	c := d.TableChanges[0]
	if want := fmt.Sprintf("%q.%q.%q", table.PDB, table.Owner, step.Name); c.Type != "ALTER" || c.ID != want {
		return fmt.Sprintf("%s of %s, want ALTER of %s", c.Type, c.ID, want)
	}
	var got, want []string
	for _, column := range c.Table.Columns {
		got = append(got, column.Name)
	}
	for _, column := range step.Columns {
		want = append(want, column.Name)
	}
	if strings.Join(got, ",") != strings.Join(want, ",") {
		return fmt.Sprintf("columns %v, want %v", got, want)
	}
	return ""
}
