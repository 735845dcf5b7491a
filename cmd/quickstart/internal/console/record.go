package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Record shows a record with the record format's envelope, one line for each column; what is none of these it leaves out.
func (c *Console) Record(topic string, key, value []byte) {
	if !c.Records {
		return
	}
	var envelope struct {
		Op            string
		Before, After fields
		Source        struct {
			TxID      string `json:"txId"`
			CommitSCN string `json:"commit_scn"`
		}
	}
	if value == nil || json.Unmarshal(value, &envelope) != nil {
		return
	}
	style, ok := styles[envelope.Op]
	if !ok {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n  %s %s %s  (transaction %s, commit SCN %s)\n",
		c.paint(style.colour, style.word), topic, cut(string(key), valueWidth), envelope.Source.TxID, envelope.Source.CommitSCN)
	row := envelope.After
	if envelope.After == nil {
		row = envelope.Before
	}
	before := map[string]string{}
	for _, f := range envelope.Before {
		before[f.name] = f.value
	}
	for _, f := range row {
		line := fmt.Sprintf("      %-16s %s", f.name, cut(f.value, valueWidth))
		if old := before[f.name]; envelope.Op == "u" && old != f.value {
			line = fmt.Sprintf("      %-16s %s", f.name, c.paint(style.colour, cut(old, valueWidth)+" → "+cut(f.value, valueWidth)))
		}
		b.WriteString(line + "\n")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wipe()
	_, _ = io.WriteString(c.stdout, b.String()+"\n")
	c.draw()
}

const valueWidth = 40

type style struct{ word, colour string }

var styles = map[string]style{
	"c": {word: "insert", colour: "32"}, "u": {word: "update", colour: "33"}, "d": {word: "delete", colour: "31"},
}

func (c *Console) paint(colour, text string) string {
	if !c.Colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// fields are the members of a JSON object in their order.
type fields []field

type field struct{ name, value string }

// UnmarshalJSON keeps the order and each value as it is written.
func (f *fields) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if t, err := decoder.Token(); err != nil || t != json.Delim('{') {
		return err // null, which is no row
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		*f = append(*f, field{name: fmt.Sprint(name), value: string(value)})
	}
	return nil
}
