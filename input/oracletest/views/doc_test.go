package views

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/internal/doctable"
)

// titles are the rows that doc.go must have: every view with its forms, and its columns.
func (s *Set) titles() map[string]string {
	list := make(map[string]string)
	for name, f := range s.fixed {
		title := name
		if f.global {
			title += ", G" + name
		}
		list[title] = columnNames(s.fixedView(f))
	}
	for name, f := range s.dict {
		var forms []string
		if !f.unowned {
			forms = append(forms, "USER_")
		}
		if !f.administrative {
			forms = append(forms, "ALL_")
		}
		forms = append(forms, "DBA_", "CDB_"+name)
		view, _ := s.scopedView("DBA", f)
		list[strings.Join(forms, ", ")] = columnNames(view)
	}
	return list
}

func columnNames(v engine.View) string {
	var names []string
	for _, c := range v.Columns() {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

// What every row of doc.go says is there, nothing else is, and TestEveryRowFitsItsColumns reads all of it.
func TestDocumentedViews(t *testing.T) {
	s, _ := newSet(t)
	rows, err := doctable.Read("doc.go", "Views")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, row := range rows {
		got[row.Name] = strings.Join(row.Words(), " ")
	}
	if diff := cmp.Diff(s.titles(), got); diff != "" {
		t.Errorf("what there is (-) and what doc.go says (+):\n%s", diff)
	}
	covered := s.names()
	for name := range s.titles() {
		forms := strings.Split(name, ", ")
		last := forms[len(forms)-1]
		if !slices.Contains(covered, last) {
			t.Errorf("%s is read by no test", last)
		}
	}
}
