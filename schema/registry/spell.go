package registry

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// storedSpell is a spell in the form of the topic: SCNs are text there.
type storedSpell struct {
	ID   uint64 `json:"id"`
	From uint64 `json:"from,omitempty,string"`
	To   uint64 `json:"to,omitempty,string"`
}

func appendSpells(dst []byte, spells []schema.Spell) []byte {
	dst = append(dst, '[')
	for i, s := range spells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(append(dst, `{"id":`...), s.ID, 10)
		if s.From > 0 {
			dst = append(strconv.AppendUint(append(dst, `,"from":"`...), s.From, 10), '"')
		}
		if s.To > 0 {
			dst = append(strconv.AppendUint(append(dst, `,"to":"`...), s.To, 10), '"')
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// storedSpan is a span in the form of the topic.
type storedSpan struct {
	From uint64 `json:"from,string"`
	To   uint64 `json:"to,string"`
}

func appendSpans(dst []byte, spans []schema.Span) []byte {
	dst = append(dst, '[')
	for i, s := range spans {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(append(dst, `{"from":"`...), s.From, 10)
		dst = append(strconv.AppendUint(append(dst, `","to":"`...), s.To, 10), `"}`...)
	}
	return append(dst, ']')
}
