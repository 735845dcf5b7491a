package workload

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// statement is a text with its binds.
type statement struct {
	text  string
	binds binds
}

func insert(table *ledger.Table, row ledger.Row) (statement, error) {
	var s statement
	var names, places []string
	for i, c := range table.Now() {
		place, err := s.binds.place(c, row[i])
		if err != nil {
			return s, err
		}
		names, places = append(names, c.Name), append(places, place)
	}
	s.text = "INSERT INTO " + table.Place() + " (" + strings.Join(names, ", ") + ") VALUES (" +
		strings.Join(places, ", ") + ")"
	return s, nil
}

// update sets the columns in which after differs from before, all but the key when before is nil.
func update(table *ledger.Table, key, before, after ledger.Row) (statement, error) {
	var s statement
	var sets []string
	for i, c := range table.Now() {
		if before == nil && c.Key || before != nil && before[i] == after[i] {
			continue
		}
		place, err := s.binds.place(c, after[i])
		if err != nil {
			return s, err
		}
		sets = append(sets, c.Name+" = "+place)
	}
	s.text = "UPDATE " + table.Place() + " SET " + strings.Join(sets, ", ")
	err := s.where(table, key)
	return s, err
}

func remove(table *ledger.Table, key ledger.Row) (statement, error) {
	s := statement{text: "DELETE FROM " + table.Place()}
	err := s.where(table, key)
	return s, err
}

func (s *statement) where(table *ledger.Table, key ledger.Row) error {
	for i, c := range table.Now().KeyColumns() {
		place, err := s.binds.place(c, key[i])
		if err != nil {
			return err
		}
		s.text += []string{" WHERE ", " AND "}[min(i, 1)] + c.Name + " = " + place
	}
	return nil
}
