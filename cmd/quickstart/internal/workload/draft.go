package workload

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// sharedRows are the orders that all sessions update.
const sharedRows = 5

// draft is a transaction under way: what it changed so far and what its session would see.
type draft struct {
	*session
	tx      *sql.Tx
	rows    rows
	tag     string
	changes []ledger.Change
	points  int
	// used are the tables that the transaction has been at: no DDL is run on them before its end.
	used []*ledger.Table
}

// use keeps DDL away from a table until the transaction has ended, as its locks do, and looks what DDL made of it before.
func (d *draft) use(table *ledger.Table) {
	if !slices.Contains(d.used, table) {
		d.schema.gates[table].RLock()
		d.used = append(d.used, table)
	}
	d.rows.refresh(table)
}

// leave lets DDL in, once the transaction has ended.
func (d *draft) leave() {
	for _, table := range d.used {
		d.schema.gates[table].RUnlock()
	}
	d.used = nil
}

// work makes the transaction's changes. The shared row comes first: with one lock that others want, taken before any other,
// sessions wait for each other but never in a circle.
func (d *draft) work(ctx context.Context) error {
	if d.random.IntN(5) == 0 {
		if err := d.updateShared(ctx); err != nil {
			return err
		}
	}
	if err := d.insertOrder(ctx); err != nil {
		return err
	}
	steps := d.random.IntN(8)
	if d.random.IntN(60) == 0 {
		steps = 150
	}
	for range steps {
		if err := d.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) step(ctx context.Context) error {
	switch d.random.IntN(14) {
	case 0:
		return d.insertOrder(ctx)
	case 1, 2:
		return d.insertItem(ctx)
	case 3, 12, 13:
		return d.insertOther(ctx)
	case 4, 5, 6:
		return d.updateSome(ctx)
	case 7:
		return d.rekey(ctx)
	case 8:
		return d.deleteSome(ctx)
	case 9:
		return d.fail(ctx)
	case 10:
		return d.failHalfway(ctx)
	default:
		return d.savepoint(ctx)
	}
}

// exec runs a statement that must change exactly one row, and writes the change down.
func (d *draft) exec(ctx context.Context, s statement, err error, change ledger.Change) error {
	if err != nil {
		return err
	}
	result, err := d.tx.ExecContext(ctx, s.text, s.binds...)
	if err != nil {
		return fmt.Errorf("%s: %w", s.text, err)
	}
	n, err := result.RowsAffected()
	if err != nil || n != 1 {
		return errors.Join(fmt.Errorf("%s: %d rows changed, want 1", s.text, n), err)
	}
	change.Steps = len(change.Table.Steps)
	d.changes = append(d.changes, change)
	return nil
}

func (d *draft) insert(ctx context.Context, table *ledger.Table, key ledger.Row) error {
	d.use(table)
	row := newRow(d.random, table, key, d.tag)
	d.rows.put(table, row)
	s, err := insert(table, row)
	return d.exec(ctx, s, err, ledger.Change{Table: table, Op: ledger.Insert, Key: key, After: row})
}

func (d *draft) insertOrder(ctx context.Context) error {
	return d.insert(ctx, d.schema.Orders, d.newOrder())
}

// newOrder takes a number that was never used, rolled back or not.
func (d *draft) newOrder() ledger.Row {
	d.next++
	return ledger.Row{ledger.Int(d.base + d.next)}
}

// insertOther inserts into a table whose keys nobody else takes part in.
func (d *draft) insertOther(ctx context.Context) error {
	others := []*ledger.Table{d.schema.Accounts, d.schema.Measures, d.schema.Notes, d.schema.Visits}
	table := others[d.random.IntN(len(others))]
	return d.insert(ctx, table, d.newKey(table))
}

// newKey makes a key that was never used, of any table but Items.
func (d *draft) newKey(table *ledger.Table) ledger.Row {
	order := d.newOrder()
	if table != d.schema.Accounts {
		return order
	}
	// The case and the blanks of a text key matter.
	code := []string{"k%s", "K%s", "'%s'", " ü%s ", "漢%s"}[d.random.IntN(5)]
	return ledger.Row{ledger.Of(fmt.Sprintf(code, order[0].Text)), ledger.Int(int64(d.random.IntN(999)))}
}

func (d *draft) insertItem(ctx context.Context) error {
	d.use(d.schema.Orders)
	d.use(d.schema.Items)
	order := d.rows.pick(d.random, d.schema.Orders)
	if order == nil {
		return nil
	}
	key := ledger.Row{order[0], ledger.Int(int64(1 + d.random.IntN(9)))}
	if d.rows.has(d.schema.Items, key) {
		return nil
	}
	return d.insert(ctx, d.schema.Items, key)
}

// updateShared sets all columns but the key, so that the row after is known whatever it was before.
func (d *draft) updateShared(ctx context.Context) error {
	d.use(d.schema.Orders)
	key := ledger.Row{ledger.Int(int64(1 + d.random.IntN(sharedRows)))}
	row := newRow(d.random, d.schema.Orders, key, d.tag)
	s, err := update(d.schema.Orders, key, nil, row)
	return d.exec(ctx, s, err, ledger.Change{Table: d.schema.Orders, Op: ledger.Update, Key: key, After: row})
}

func (d *draft) anyTable() *ledger.Table {
	tables := d.schema.Tables()
	table := tables[d.random.IntN(len(tables))]
	d.use(table)
	return table
}

func (d *draft) updateSome(ctx context.Context) error {
	table := d.anyTable()
	before := d.rows.pick(d.random, table)
	if before == nil {
		return nil
	}
	after, fresh := slices.Clone(before), newRow(d.random, table, table.Now().Key(before), d.tag)
	for i := range after {
		if d.random.IntN(2) == 0 || table.Now()[i].Name == ledger.TagColumn {
			after[i] = fresh[i]
		}
	}
	return d.change(ctx, table, before, after)
}

// rekey gives a row another key, which the record format shows as delete, tombstone and create.
func (d *draft) rekey(ctx context.Context) error {
	table := d.anyTable()
	before := d.rows.pick(d.random, table)
	if before == nil || table == d.schema.Items {
		return nil
	}
	after, key := slices.Clone(before), d.newKey(table)
	for i, c := range table.Now() {
		switch {
		case c.Key:
			after[i], key = key[0], key[1:]
		case c.Name == ledger.TagColumn:
			after[i] = ledger.Of(d.tag)
		}
	}
	return d.change(ctx, table, before, after)
}

func (d *draft) change(ctx context.Context, table *ledger.Table, before, after ledger.Row) error {
	key := table.Now().Key(before)
	d.rows.remove(table, key)
	d.rows.put(table, after)
	// A row of this transaction may have nothing to change but its tag, which it has already.
	compare := before
	if before.Equal(after) {
		compare = nil
	}
	s, err := update(table, key, compare, after)
	return d.exec(ctx, s, err, ledger.Change{Table: table, Op: ledger.Update, Key: key, After: after})
}

func (d *draft) deleteSome(ctx context.Context) error {
	table := d.anyTable()
	before := d.rows.pick(d.random, table)
	if before == nil {
		return nil
	}
	key := table.Now().Key(before)
	d.rows.remove(table, key)
	s, err := remove(table, key)
	return d.exec(ctx, s, err, ledger.Change{Table: table, Op: ledger.Delete, Key: key})
}

// fail inserts a key that exists; the statement leaves nothing behind.
func (d *draft) fail(ctx context.Context) error {
	table := d.anyTable()
	row := d.rows.pick(d.random, table)
	if row == nil {
		return nil
	}
	s, err := insert(table, newRow(d.random, table, table.Now().Key(row), d.tag))
	if err != nil {
		return err
	}
	return d.mustViolate(ctx, s)
}

// failHalfway gives all items of an order the same line: the rows changed before the one that fails are undone.
func (d *draft) failHalfway(ctx context.Context) error {
	d.use(d.schema.Items)
	item := d.rows.pick(d.random, d.schema.Items)
	if item == nil {
		return nil
	}
	lines := 0
	for _, other := range d.rows[d.schema.Items].rows {
		if other[0] == item[0] {
			lines++
		}
	}
	if lines < 2 {
		return nil
	}
	s := statement{text: "UPDATE APP.ITEMS SET LINE = 77 WHERE ORDER_ID = :1"}
	place, err := bind(d.schema.Items.Columns[0], item[0])
	if err != nil {
		return err
	}
	s.binds = binds{place}
	return d.mustViolate(ctx, s)
}

func (d *draft) mustViolate(ctx context.Context, s statement) error {
	if _, err := d.tx.ExecContext(ctx, s.text, s.binds...); !violates(err) {
		return errors.Join(fmt.Errorf("%s: want ORA-00001", s.text), err)
	}
	return nil
}

// savepoint makes some changes behind a savepoint, and most times takes them back.
func (d *draft) savepoint(ctx context.Context) error {
	if d.points >= 3 {
		return nil
	}
	d.points++
	name := fmt.Sprintf("SP%d", d.points)
	kept, changes := d.rows.clone(), len(d.changes)
	if _, err := d.tx.ExecContext(ctx, "SAVEPOINT "+name); err != nil {
		return err
	}
	for range 1 + d.random.IntN(4) {
		if err := d.step(ctx); err != nil {
			return err
		}
	}
	if d.random.IntN(4) == 0 {
		return nil
	}
	d.rows, d.changes = kept, d.changes[:changes]
	_, err := d.tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT "+name)
	return err
}
