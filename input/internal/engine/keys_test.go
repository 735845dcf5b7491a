package engine

import "testing"

// UPDATE t SET id = id + 1: the redo has each row take the key of the next one before that leaves it. Whoever keeps the latest
// record per key must end with the rows that the database has.
func TestKeysThatMoveFromRowToRowStayOnACompactedTopic(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 1
	s.step(
		update(s.a, xid(1), 1001, image{1, "a"}, image{2, "a"}),
		update(s.a, xid(1), 1002, image{2, "b"}, image{3, "b"}),
		update(s.a, xid(1), 1003, image{3, "c"}, image{4, "c"}),
		commit(xid(1), 1004),
		update(s.a, xid(2), 1005, image{2, "a"}, image{9, "a"}), // another transaction: nobody took it here
		commit(xid(2), 1006),
	)
	s.play(s.beginning())
	s.want(
		"1.1.7#0 d A/1 a>", "1.1.7#0 tombstone A/1 >", "1.1.7#0 c A/2 >a", "1.1.7#1 c A/3 >b", "1.1.7#2 c A/4 >c",
		"2.1.7#0 d A/2 a>", "2.1.7#0 tombstone A/2 >", "2.1.7#0 c A/9 >a",
	)
	// A restart inside the transaction knows who took the key before.
	s.play(s.after("1.1.7#0 c A/2 >a"))
	s.want(
		"1.1.7#1 c A/3 >b", "1.1.7#2 c A/4 >c",
		"2.1.7#0 d A/2 a>", "2.1.7#0 tombstone A/2 >", "2.1.7#0 c A/9 >a",
	)
}

// A row that moves on from a key that it took itself deletes it.
func TestKeyThatItsOwnRowLeavesAgainIsDeleted(t *testing.T) {
	s := newScene(t)
	on := update(s.a, xid(1), 1002, image{2, "a"}, image{3, "a"})
	on.RowID = "AAAID1"
	s.step(update(s.a, xid(1), 1001, image{1, "a"}, image{2, "a"}), on, commit(xid(1), 1004))
	s.play(s.beginning())
	s.want(
		"1.1.7#0 d A/1 a>", "1.1.7#0 tombstone A/1 >", "1.1.7#0 c A/2 >a",
		"1.1.7#1 d A/2 a>", "1.1.7#1 tombstone A/2 >", "1.1.7#1 c A/3 >a",
	)
}
