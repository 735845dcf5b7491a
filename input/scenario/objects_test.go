package scenario_test

import "testing"

// R101: two tables swap their names while capture is stopped, and no schema topic tells of what they were: nothing goes out under the wrong one, and
// what capture says to do brings the rows that they have.
func TestR101TablesThatSwappedTheirNamesWithoutASchemaTopicStopBeforeTheirRows(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.table("u", rowColumns)
	with := func(tables ...string) fields {
		return initially(fields{"include": s.include(append(tables, fenceTable)...)})
	}
	p := s.start(with("t", "u"))
	p.snapshotted()
	s.commit("INSERT INTO $t VALUES (1, 1, 'captured')")
	p.settle()
	p.stop()
	s.commit("INSERT INTO $t VALUES (2, 1, 'before')")
	for _, statement := range []string{
		"ALTER TABLE $t RENAME TO $foreign_t", "ALTER TABLE $u RENAME TO $t", "ALTER TABLE $foreign_t RENAME TO $u", "INSERT INTO $u VALUES (3, 1, 'behind')",
	} {
		s.exec(statement)
	}
	s.refused(with("t", "u"), 6003, s.full("t"))
	p = s.start(with())
	p.settle()
	p.stop()
	p = s.start(with("t", "u"))
	p.until("they are not read", func() bool { return p.reads("u") == 3 })
	p.snapshotted()
	s.exec("UPDATE $u SET v = 2 WHERE id = 2")
	got := p.settle()
	s.sameRows(got, "u")
	s.sameRows(got, "t")
}
