package logminer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Objects are the captured segments of one container. In a non-container database Container is 0.
type Objects struct {
	Container int
	IDs       []uint64
	// Strangers are segments that are none of the captured ones, as far as anybody knows: their rows are returned to be looked at (R104).
	Strangers []uint64
	// Names are tables whose new segments nobody knows yet: partitioned ones (R103).
	Names []schema.Table
}

// Filter is the part of the query that says which rows are wanted. It is immutable; its text is built once.
type Filter struct {
	objects map[object]struct{}
	text    string
}

type object struct {
	container int
	id        uint64
}

// maxListed is the longest IN list (ORA-01795).
const maxListed = 1000

// NewFilter builds the filter of R103: captured segments by id and container, partitioned tables by name, segments that
// the dictionary cannot name, every DDL row, and the markers. Object ids and names are literals: they come from the
// dictionary, and 20,000 binds would be sent with every step.
func NewFilter(captured ...Objects) *Filter {
	f := &Filter{objects: map[object]struct{}{}}
	captured = slices.Clone(captured)
	slices.SortFunc(captured, func(a, b Objects) int { return cmp.Compare(a.Container, b.Container) })
	var wanted []string
	for _, c := range captured {
		for _, id := range c.IDs {
			f.objects[object{c.Container, id}] = struct{}{}
		}
		if branch := c.branch(); branch != "" {
			wanted = append(wanted, branch)
		}
	}
	wanted = append(wanted,
		"table_name IS NULL", "table_name LIKE 'OBJ#%'", "table_name LIKE 'BIN$%'", "seg_owner = 'UNKNOWN'")
	f.text = fmt.Sprintf("operation_code IN (%d, %d, %d, %d)\n   OR (operation_code NOT IN (%d, %d) AND (%s))",
		DDL, Start, Commit, Rollback, Internal, SelectForUpdate, strings.Join(wanted, "\n     OR "))
	return f
}

// branch selects one container's segments. DATA_OBJ# repeats in every container (reference logminer N 10).
func (c Objects) branch() string {
	ids := slices.Concat(c.IDs, c.Strangers)
	slices.Sort(ids)
	var parts []string
	for chunk := range slices.Chunk(slices.Compact(ids), maxListed) {
		text := make([]string, len(chunk))
		for i, id := range chunk {
			text[i] = strconv.FormatUint(id, 10)
		}
		parts = append(parts, "data_obj# IN ("+strings.Join(text, ", ")+")")
	}
	for _, t := range c.Names {
		parts = append(parts, "(seg_owner = "+literal(t.Owner)+" AND table_name = "+literal(t.Name)+")")
	}
	if len(parts) == 0 {
		return ""
	}
	branch := "(" + strings.Join(parts, " OR ") + ")"
	if c.Container == 0 {
		return branch
	}
	return "(src_con_id = " + strconv.Itoa(c.Container) + " AND " + branch + ")"
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// captured reports a row of a captured segment.
func (f *Filter) captured(container int, id uint64) bool {
	_, ok := f.objects[object{container, id}]
	return ok
}
