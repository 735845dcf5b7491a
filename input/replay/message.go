package replay

import (
	"encoding/json"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// writer turns events into the lines of the output.
type writer struct {
	line    []byte
	buf     []byte
	headers []change.Header
}

// message gives the line of one event: {"case","type","operation","topic","key","value","headers"}. Key and value are as
// they would be sent, null for none; case is there only inside a case.
func (w *writer) message(id string, ev *change.Event) []byte {
	w.line = append(w.line[:0], '{')
	if id != "" {
		w.member("case", id)
	}
	w.member("type", string(ev.Kind))
	if ev.Op != 0 {
		w.member("operation", ev.Op.Name())
	}
	w.member("topic", ev.Topic)
	w.raw("key", ev.Key)
	w.raw("value", ev.Value)
	w.headers, w.buf = w.headers[:0], w.buf[:0]
	if ev.Headers != nil { // boundaries of transactions have none
		w.headers, w.buf = ev.Headers(w.headers, w.buf, ev)
	}
	w.line = append(w.line, `"headers":{`...)
	for i, h := range w.headers {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = append(append(strconv.AppendQuote(w.line, h.Key), ':'), quote(string(h.Value))...)
	}
	return append(w.line, "}}\n"...)
}

// refusal gives the line of a case that was refused.
func (w *writer) refusal(id string, err error) []byte {
	w.line = append(w.line[:0], '{')
	w.member("case", id)
	w.line = append(append(w.line, `"refused":`...), quote(err.Error())...)
	return append(w.line, "}\n"...)
}

func (w *writer) member(name, text string) {
	w.line = append(strconv.AppendQuote(w.line, name), ':')
	w.line = append(append(w.line, quote(text)...), ',')
}

func (w *writer) raw(name string, content []byte) {
	w.line = append(strconv.AppendQuote(w.line, name), ':')
	if content == nil {
		content = []byte("null")
	}
	w.line = append(append(w.line, content...), ',')
}

func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		return []byte(`""`) // a string always has a JSON form
	}
	return b
}
