package input

import (
	"strings"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

func TestLintOfKeysAndColumns(t *testing.T) {
	for fields, want := range map[string]string{
		"key: {columns: {ORDERS: [ID]}}":                                                       "key.columns: ORDERS: needs a table as OWNER.TABLE",
		"key: {columns: {A.ORDERS: []}}":                                                       "key.columns: A.ORDERS: needs",
		"key: {columns: {A.ORDERS: [1]}}":                                                      "key.columns: A.ORDERS: needs",
		"columns: {exclude: [A], include: [B]}":                                                "columns.include and columns.exclude exclude each other",
		"columns: {exclude: ['(']}":                                                            "exclude: ( is no RE2 expression",
		"columns: {include: ['(']}":                                                            "include: ( is no RE2 expression",
		"columns: {mask: [{match: A}]}":                                                        "columns.mask: one of with, characters and hash",
		"columns: {mask: [{match: A, with: x, characters: 3}]}":                                "columns.mask: one of with, characters and hash",
		"columns: {mask: [{match: A, hash: SHA-3}]}":                                           "columns.mask: hash must be one of SHA-256",
		"columns: {mask: [{match: A, hash: SHA-256, version: 3}]}":                             "columns.mask: version must be 1 or 2",
		"columns: {mask: [{match: A, characters: -1}]}":                                        "columns.mask: characters must be at least 1",
		"columns: {mask: [{match: '(', with: x}]}":                                             "columns.mask.match: ( is no RE2 expression",
		"columns: {truncate: [{match: A, length: 0}]}":                                         "length must be at least 1",
		"columns: {mask: [{match: A, with: x}]}, records: {profile: debezium, redo_sql: true}": "records.redo_sql shows the values that columns.mask hides",
		"columns: {propagate_type: [A]}":                                                       "columns.propagate_type needs records.encoding json_schema",
		"columns: {propagate_type: ['(']}, records: {encoding: json_schema}":                   "propagate_type: ( is no RE2 expression",
		"columns: {propagate_type: [A, B]}, records: {encoding: json_schema}":                  "",
		"columns: {truncate: [{match: A}]}":                                                    "length is required",
		"key: {columns: {A.ORDERS: [ID, NO], P.A.LINES: [X]}, missing: rowid}":                 "",
		"columns: {exclude: [A, B], mask: [{match: A, with: x}, {match: B, characters: 3}, {match: C, hash: MD5, salt: s, version: 1}], truncate: [{match: A, length: 1}]}": "",
	} {
		lints := lint(t, runnable+", "+fields)
		if want == "" && len(lints) > 0 || want != "" && (len(lints) != 1 || !strings.Contains(lints[0].Error(), want)) {
			t.Errorf("%s: %v, want %q", fields, lints, want)
		}
	}
}

// The constructor refuses what a lint that was skipped would have.
func TestConstructorRefusesKeysAndColumnsThatCannotBe(t *testing.T) {
	for _, fields := range []string{
		"columns: {mask: [{match: A}]}", "columns: {mask: [{match: '(', with: x}]}", "columns: {truncate: [{match: A, length: 0}]}",
		"columns: {include: [A], exclude: [B]}", "columns: {exclude: ['(']}", "key: {columns: {T: [A]}}", "columns: {propagate_type: [A]}",
		"columns: {mask: [{match: A, with: x}]}\nrecords: {profile: debezium, redo_sql: true}", "key: {columns: {A.T: [1, {}]}}",
	} {
		conf, err := specOnce().ParseYAML(override(fields), nil)
		if err != nil {
			continue
		}
		if _, err := parseConfig(conf, service.MockResources()); err == nil {
			t.Errorf("%s was accepted", fields)
		}
	}
}
