package sabotage

import (
	"maps"
	"slices"

	"github.com/Jeffail/gabs/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// changeLayout gives the images of a row the columns that a later record of its topic has: those that came are null, those that went are
// gone.
func changeLayout(records []verify.Record, at int) ([]verify.Record, bool) {
	value, ok := parse(records[at].Value)
	if !ok {
		return nil, false
	}
	for next := at + 1; next < len(records) && records[next].Topic == records[at].Topic; next++ {
		later, ok := parse(records[next].Value)
		if !ok || slices.Equal(columns(later), columns(value)) {
			continue
		}
		for _, image := range []string{"before", "after"} {
			if value.S(image).Data() == nil {
				continue
			}
			row := map[string]any{}
			for _, column := range columns(later) {
				row[column] = value.S(image, column).Data()
			}
			set(value, row, image)
		}
		spoiled := slices.Clone(records)
		spoiled[at].Value = value.Bytes()
		return spoiled, true
	}
	return nil, false
}

// columns lists those of the image that a record has.
func columns(value *gabs.Container) []string {
	image := value.S("after")
	if image.Data() == nil {
		image = value.S("before")
	}
	return slices.Sorted(maps.Keys(image.ChildrenMap()))
}
