package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// member is a member of an object that this build does not know, kept as it was.
type member struct {
	name string
	raw  json.RawMessage
}

var (
	errNull      = errors.New("null where a value is due")
	errDuplicate = errors.New("the member is there twice")
	errMissing   = errors.New("the member is missing")
	errNotObject = errors.New("not an object")
	errTrailing  = errors.New("more text follows the object")
)

// target is where a known member goes.
type target struct {
	name string
	into any
	// null: the member may be null; into is left alone then.
	null bool
	// optional: the member may be missing.
	optional bool
}

// readObject fills the known members by their exact names and returns the others in their order.
func readObject(data []byte, known ...target) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errNotObject, err)
	}
	var extra []member
	seen := make(map[string]bool, len(known))
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if seen[name] {
			return nil, fmt.Errorf("%s: %w", name, errDuplicate)
		}
		seen[name] = true
		mine, err := readMember(name, raw, known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !mine {
			extra = append(extra, member{name: name, raw: raw})
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	for _, k := range known {
		if !k.optional && !seen[k.name] {
			return nil, fmt.Errorf("%s: %w", k.name, errMissing)
		}
	}
	return extra, nil
}

func readMember(name string, raw json.RawMessage, known []target) (bool, error) {
	for _, k := range known {
		if k.name != name {
			continue
		}
		if string(raw) == "null" {
			if k.null {
				return true, nil
			}
			return true, errNull
		}
		return true, json.Unmarshal(raw, k.into)
	}
	return false, nil
}

// appendExtra closes an object whose last byte is not a brace yet.
func appendExtra(dst []byte, extra []member) []byte {
	for _, m := range extra {
		dst = appendText(append(dst, ','), m.name)
		dst = append(append(dst, ':'), m.raw...)
	}
	return append(dst, '}')
}

// appendText appends a JSON string, without the escapes that only HTML needs.
func appendText(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes; a byte that is not UTF-8 becomes U+FFFD.
	_ = enc.Encode(s)
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

func appendInt(dst []byte, name string, n int) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return strconv.AppendInt(dst, int64(n), 10)
}

func appendBool(dst []byte, name string, b bool) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return strconv.AppendBool(dst, b)
}
