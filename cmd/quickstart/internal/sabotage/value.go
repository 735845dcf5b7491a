package sabotage

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/Jeffail/gabs/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

func parse(value []byte) (*gabs.Container, bool) {
	if value == nil {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	c, err := gabs.ParseJSONDecoder(decoder)
	return c, err == nil
}

// set changes a member that is there; that it can be set was seen when the record was parsed.
func set(c *gabs.Container, v any, path ...string) { _, _ = c.Set(v, path...) }

// changeValue changes one field of one image, to a value of the same form.
func changeValue(records []verify.Record, at int, random *rand.Rand) ([]verify.Record, bool) {
	value, ok := parse(records[at].Value)
	if !ok {
		return nil, false
	}
	var paths [][]string
	for _, image := range []string{"before", "after"} {
		for column := range value.S(image).ChildrenMap() {
			if value.S(image, column).Data() != nil {
				paths = append(paths, []string{image, column})
			}
		}
	}
	if len(paths) == 0 {
		return nil, false
	}
	slices.SortFunc(paths, slices.Compare)
	path := paths[random.IntN(len(paths))]
	if !change(value, path) {
		return nil, false
	}
	spoiled := slices.Clone(records)
	spoiled[at].Value = value.Bytes()
	return spoiled, true
}

func change(value *gabs.Container, path []string) bool {
	switch v := value.S(path...).Data().(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			// By a second and by one: a DATE stays one.
			set(value, json.Number(strconv.FormatInt(n+1000, 10)), path...)
			return true
		}
		f, err := v.Float64()
		set(value, -f, path...)
		return err == nil && f != 0
	case string:
		set(value, otherText(v), path...)
		return true
	case map[string]any:
		scale, ok := v["scale"].(json.Number)
		n, err := scale.Int64()
		set(value, json.Number(strconv.FormatInt(n+1, 10)), append(slices.Clone(path), "scale")...)
		// Zero is zero at any scale.
		return ok && err == nil && v["value"] != "AA=="
	}
	return false
}

// otherText changes the last bit of what may be bytes in base64, else the text's end.
func otherText(text string) string {
	if b, err := base64.StdEncoding.DecodeString(text); err == nil && len(b) > 0 {
		b[len(b)-1] ^= 1
		return base64.StdEncoding.EncodeToString(b)
	}
	return text + "x"
}
