package position

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Mark is what a boundary says of one redo thread.
type Mark struct {
	Thread int
	// Address is the greatest address delivered so far (E): zero when nothing was.
	Address RBA
	// Log is the first log that is still needed (L).
	Log uint32
}

// Boundary lies between two mining steps: the step's bound and a mark per thread, in thread order. Boundaries of
// successive steps never decrease in any part.
type Boundary struct {
	SCN   SCN
	Marks []Mark
}

// Mark returns the mark of a thread.
func (b Boundary) Mark(thread int) (Mark, bool) {
	for _, m := range b.Marks {
		if m.Thread == thread {
			return m, true
		}
	}
	return Mark{}, false
}

// Covers reports whether a row lies inside region(b): SCN at or below the bound and address at or below the thread's
// mark. Rows of a thread without a mark are never covered.
func (b Boundary) Covers(scn SCN, thread int, address RBA) bool {
	if scn > b.SCN {
		return false
	}
	m, ok := b.Mark(thread)
	return ok && address.Compare(m.Address) <= 0
}

// Outside gives the keys that the boundary does not cover. It leaves the list as it is.
func (b Boundary) Outside(keys []Key) (out []Key) {
	for _, k := range keys {
		if !b.Covers(k.SCN, k.Thread, k.Address) {
			out = append(out, k)
		}
	}
	return out
}

// With returns a copy in which the thread's mark is m.
func (b Boundary) With(m Mark) Boundary {
	marks := slices.Clone(b.Marks)
	at, found := slices.BinarySearchFunc(marks, m.Thread, func(x Mark, t int) int { return x.Thread - t })
	if found {
		marks[at] = m
	} else {
		marks = slices.Insert(marks, at, m)
	}
	return Boundary{SCN: b.SCN, Marks: marks}
}

// Min is the component-wise minimum (R52). A thread that one side does not know has no mark in the result, so that it is
// read whole.
func Min(a, b Boundary) Boundary {
	switch {
	case a.Within(b):
		return a
	case b.Within(a):
		return b
	}
	out := Boundary{SCN: min(a.SCN, b.SCN)}
	for _, m := range a.Marks {
		o, ok := b.Mark(m.Thread)
		if !ok {
			continue
		}
		if o.Address.Compare(m.Address) < 0 {
			m.Address = o.Address
		}
		m.Log = min(m.Log, o.Log)
		out.Marks = append(out.Marks, m)
	}
	return out
}

// Raise returns b with every thread's mark at or above that of o; the SCN and the first logs needed stay those of b.
func (b Boundary) Raise(o Boundary) Boundary {
	for _, m := range o.Marks {
		if mine, ok := b.Mark(m.Thread); ok && mine.Address.Compare(m.Address) < 0 {
			mine.Address = m.Address
			b = b.With(mine)
		}
	}
	return b
}

// Within reports whether every part of b is at or below that of o, as resume <= done <= group demands.
func (b Boundary) Within(o Boundary) bool {
	if b.SCN > o.SCN {
		return false
	}
	for _, m := range b.Marks {
		n, ok := o.Mark(m.Thread)
		if !ok || m.Address.Compare(n.Address) > 0 || m.Log > n.Log {
			return false
		}
	}
	return true
}

// Equal reports whether two boundaries are the same in every part.
func (b Boundary) Equal(o Boundary) bool { return b.SCN == o.SCN && slices.Equal(b.Marks, o.Marks) }

// MarshalJSON writes {"c":scn,"threads":{"1":{"e":address,"l":sequence}}}, threads in order.
func (b Boundary) MarshalJSON() ([]byte, error) {
	return append(b.appendMembers([]byte{'{'}), '}'), nil
}

func (b Boundary) appendMembers(dst []byte) []byte {
	dst = append(dst, `"c":"`...)
	dst = strconv.AppendUint(dst, uint64(b.SCN), 10)
	dst = append(dst, `","threads":{`...)
	for i, m := range b.Marks {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendQuote(dst, strconv.Itoa(m.Thread))
		dst = append(dst, `:{"e":"`...)
		dst = m.Address.AppendRSID(dst)
		dst = append(dst, `","l":`...)
		dst = strconv.AppendUint(dst, uint64(m.Log), 10)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Boundary) UnmarshalJSON(data []byte) error {
	var in struct {
		C       SCN `json:"c"`
		Threads map[string]struct {
			E RBA    `json:"e"`
			L uint32 `json:"l"`
		} `json:"threads"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	out := Boundary{SCN: in.C}
	for name, m := range in.Threads {
		thread, err := strconv.Atoi(name)
		if err != nil {
			return fmt.Errorf("boundary: redo thread %q: %w", name, err)
		}
		out = out.With(Mark{Thread: thread, Address: m.E, Log: m.L})
	}
	*b = out
	return nil
}

// Key is the place of an item in the order of emission (R19): commit SCN, thread and address of the COMMIT row.
type Key struct {
	SCN     SCN
	Thread  int
	Address RBA
}

// Compare orders items: by commit SCN, then thread, then address (R25).
func (k Key) Compare(o Key) int {
	switch {
	case k.SCN != o.SCN:
		if k.SCN < o.SCN {
			return -1
		}
		return 1
	case k.Thread != o.Thread:
		return k.Thread - o.Thread
	default:
		return k.Address.Compare(o.Address)
	}
}

// MarshalJSON writes [scn,thread,address].
func (k Key) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]any{k.SCN, k.Thread, k.Address})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *Key) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	var parts []json.RawMessage
	if err := dec.Decode(&parts); err != nil {
		return err
	}
	if len(parts) != 3 {
		return fmt.Errorf("item key: %d members, want 3", len(parts))
	}
	for i, target := range []any{&k.SCN, &k.Thread, &k.Address} {
		if err := json.Unmarshal(parts[i], target); err != nil {
			return fmt.Errorf("item key: %w", err)
		}
	}
	return nil
}
