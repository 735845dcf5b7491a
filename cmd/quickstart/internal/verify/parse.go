package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/Jeffail/gabs/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Format says how the pipeline names things.
type Format struct {
	// Prefix is the topic prefix.
	Prefix string
	Tables []*ledger.Table
	// Existing are inserts of the rows that tables began with.
	Existing []ledger.Change
}

// Topic is the topic of a table behind so many DDL.
func (f Format) Topic(t *ledger.Table, steps int) string {
	return f.Prefix + "." + t.Called(steps)
}

// table finds the table that is called so, or was.
func (f Format) table(topic string) (*ledger.Table, bool) {
	for _, t := range f.Tables {
		for steps := range len(t.Steps) + 1 {
			if f.Topic(t, steps) == topic {
				return t, true
			}
		}
	}
	return nil, false
}

// parse understands a record, and refuses one whose parts contradict each other.
func (f Format) parse(r *Record) (*entry, error) {
	e := &entry{record: r}
	table, ok := f.table(r.Topic)
	if !ok {
		return nil, errors.New("nobody captures a table into this topic")
	}
	e.table = table
	if err := e.readHeaders(); err != nil {
		return nil, err
	}
	e.steps = table.At(e.scn)
	e.columns = table.Layout(e.steps)
	if topic := f.Topic(table, e.steps); topic != r.Topic {
		return nil, fmt.Errorf("at SCN %d the table's topic was %s", e.scn, topic)
	}
	key, err := parseJSON(r.Key)
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	if e.key, err = readRow(key, e.columns.KeyColumns()); err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	if r.Value == nil {
		e.part = tombstonePart
		return e, nil
	}
	value, err := parseJSON(r.Value)
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	if err := e.readImages(value); err != nil {
		return nil, err
	}
	return e, f.checkBlocks(e, value)
}

func parseJSON(text []byte) (*gabs.Container, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return gabs.ParseJSONDecoder(decoder)
}

// readImages reads op, before and after, and checks them against each other and the key.
func (e *entry) readImages(value *gabs.Container) error {
	op, _ := value.Path("op").Data().(string)
	images := map[string]struct {
		before, after bool
		part          part
	}{"c": {false, true, rowPart}, "u": {true, true, rowPart}, "d": {true, false, deletePart}}
	shape, ok := images[op]
	if !ok {
		return fmt.Errorf("op is %q", op)
	}
	e.op, e.part = op[0], shape.part
	var err error
	if e.before, err = readImage(value, "before", shape.before, e.columns); err != nil {
		return err
	}
	if e.after, err = readImage(value, "after", shape.after, e.columns); err != nil {
		return err
	}
	if e.missingBefore, e.missingAfter, err = e.missing(); err != nil {
		return err
	}
	for _, image := range []ledger.Row{e.before, e.after} {
		if image != nil && !e.columns.Key(image).Equal(e.key) {
			return fmt.Errorf("key %s, but the row has %s", e.key, e.columns.Key(image))
		}
	}
	return nil
}

// placeholder stands for a text that the redo does not hold.
const placeholder = "__cdc_unavailable_value"

// missing finds the values that the redo does not hold: texts have a placeholder, others are null and named in a header, for the image
// that the record's state comes from.
func (e *entry) missing() (before, after []bool, err error) {
	var named []string
	if text, ok := e.record.header("cdc.unavailable"); ok {
		if err := json.Unmarshal([]byte(text), &named); err != nil {
			return nil, nil, fmt.Errorf("header cdc.unavailable: %w", err)
		}
	}
	of := func(image ledger.Row) (out []bool) {
		for i, v := range image {
			isNamed := v.Null && slices.Contains(named, e.columns[i].Name)
			if out == nil && (isNamed || v.Text == placeholder) {
				out = make([]bool, len(image))
			}
			if out != nil {
				out[i] = isNamed || v.Text == placeholder
			}
		}
		return out
	}
	return of(e.before), of(e.after), nil
}

func readImage(value *gabs.Container, name string, present bool, columns []ledger.Column) (ledger.Row, error) {
	image := value.S(name)
	if !present {
		if image.Data() != nil {
			return nil, fmt.Errorf("%s is there although the operation has none", name)
		}
		return nil, nil
	}
	row, err := readRow(image, columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return row, nil
}

// checkBlocks holds source and transaction block against headers and topic.
func (f Format) checkBlocks(e *entry, value *gabs.Container) error {
	called := strings.Split(e.table.Called(e.steps), ".")
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"source", "connector"}, "oracle-cdc"},
		{[]string{"source", "name"}, f.Prefix},
		{[]string{"source", "snapshot"}, "false"},
		{[]string{"source", "db"}, e.table.PDB},
		{[]string{"source", "pdb"}, e.table.PDB},
		{[]string{"source", "schema"}, e.table.Owner},
		{[]string{"source", "table"}, called[len(called)-1]},
		{[]string{"source", "txId"}, e.xid},
		{[]string{"source", "scn"}, strconv.FormatUint(e.scn, 10)},
		{[]string{"source", "commit_scn"}, strconv.FormatUint(e.commitSCN, 10)},
		{[]string{"transaction", "id"}, e.xid},
		{[]string{"transaction", "total_order"}, strconv.Itoa(e.event + 1)},
	} {
		if got := fmt.Sprint(value.S(c.path...).Data()); got != c.want {
			return fmt.Errorf("%s is %s, want %s", c.path, got, c.want)
		}
	}
	order, ok := value.S("transaction", "data_collection_order").Data().(json.Number)
	n, err := strconv.Atoi(order.String())
	if !ok || err != nil || n < 1 {
		return fmt.Errorf("transaction.data_collection_order is %v", order)
	}
	e.tableOrder = n
	return nil
}
