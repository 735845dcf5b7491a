package workload

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Definer runs DDL on the tables of a PDB while the sessions work on them.
type Definer struct {
	Config
	// System is the URL of SYSTEM to the root.
	System string
	// Interval is the time from one DDL to the next.
	Interval time.Duration
	// Look is called before a DDL, with an SCN from which on nothing changes the table before it.
	Look func(ctx context.Context, table *ledger.Table, scn uint64) error
	// Passed reports whether everything that committed up to an SCN is acknowledged, also to a pipeline that begins again. Rows between two
	// DDL on a table that were both run before capture had read the first one are in a layout that nobody saw, and stop it.
	Passed func(scn uint64) bool

	// certain is an SCN behind capture's reading of the last DDL on a table.
	certain map[*ledger.Table]uint64
}

// definerSession draws for the definer.
const definerSession = 80

// Run runs DDL until the context ends. It owns no goroutine.
func (d Definer) Run(ctx context.Context) error {
	d.certain = map[*ledger.Table]uint64{}
	app, system := Open(d.Application), Open(d.System)
	defer app.Close()
	defer system.Close()
	tick := time.NewTicker(d.Interval)
	defer tick.Stop()
	random := d.random(definerSession)
	tables := d.Schema.Tables()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		// One that is still open to somebody, or that capture has not caught up with, is left alone this time.
		random.Shuffle(len(tables), func(i, j int) { tables[i], tables[j] = tables[j], tables[i] })
		for _, table := range tables {
			if done, err := d.one(context.WithoutCancel(ctx), app, system, table, random); err != nil || done {
				if err != nil {
					return fmt.Errorf("DDL on %s: %w", table.FullName(), err)
				}
				break
			}
		}
	}
}

// one runs a DDL on a table where it can.
func (d Definer) one(ctx context.Context, app, system *sql.DB, table *ledger.Table, random *rand.Rand) (done bool, err error) {
	gate := d.Schema.gates[table]
	for range 20 { // as DDL_LOCK_TIMEOUT does
		if done = gate.TryLock(); done {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if !done {
		return false, nil
	}
	defer gate.Unlock()
	if ready, err := d.ready(ctx, system, table); !ready {
		return false, err
	}
	step := d.step(table, random)
	if step.After, err = currentSCN(ctx, system); err != nil {
		return false, err
	}
	if err := d.Look(ctx, table, step.After); err != nil {
		return false, err
	}
	if _, err := app.ExecContext(ctx, step.Text); err != nil {
		return false, fmt.Errorf("%s: %w", step.Text, err)
	}
	if step.Behind, err = currentSCN(ctx, system); err != nil {
		return false, err
	}
	table.Steps = append(table.Steps, step)
	delete(d.certain, table)
	return true, nil
}

// ready reports whether capture has seen the layout of a table, and has done with the rows from before it saw that.
func (d Definer) ready(ctx context.Context, system *sql.DB, table *ledger.Table) (bool, error) {
	if n := len(table.Steps); n > 0 && !d.Passed(table.Steps[n-1].Behind) {
		return false, nil
	}
	if seen, ok := d.certain[table]; ok {
		return d.Passed(seen), nil
	}
	now, err := currentSCN(ctx, system)
	d.certain[table] = now
	return false, err
}

// step draws what is done to a table.
func (d Definer) step(table *ledger.Table, random *rand.Rand) ledger.Step {
	columns := table.Now()
	s := ledger.Step{Name: table.Called(len(table.Steps))[len(table.PDB)+1+len(table.Owner)+1:], Columns: slices.Clone(columns), Fill: make([]ledger.Value, len(columns))}
	for i := range columns {
		s.From = append(s.From, i)
	}
	added := slices.IndexFunc(columns, func(c ledger.Column) bool { return isAdded(c.Name) })
	place := "ALTER TABLE " + table.Place()
	free := table != d.Schema.Orders && table != d.Schema.Items // others name these two
	switch kind := random.IntN(10); {
	case kind == 0 && table != d.Schema.Orders: // which has rows that all sessions update
		s.Text, s.Emptied = "TRUNCATE TABLE "+table.Place(), true
	case kind == 1 && free:
		s.Name = otherName(table, s.Name)
		s.Text = place + " RENAME TO " + s.Name
	case kind <= 3 && added >= 0:
		s.Text = place + " DROP COLUMN " + columns[added].Name
		s.Columns, s.From, s.Fill = slices.Delete(s.Columns, added, added+1), slices.Delete(s.From, added, added+1), s.Fill[1:]
	case kind <= 5 && added >= 0:
		s.Columns[added].Name = addedName(table)
		s.Text = place + " RENAME COLUMN " + columns[added].Name + " TO " + s.Columns[added].Name
	case kind <= 7 && added >= 0 && wider(columns[added]).Size > 0:
		s.Columns[added] = wider(columns[added])
		s.Text = place + " MODIFY (" + columns[added].Name + " " + declaration(s.Columns[added]) + ")"
	default:
		d.add(&s, table, random)
	}
	return s
}

// add adds a column, with a default or without.
func (d Definer) add(s *ledger.Step, table *ledger.Table, random *rand.Rand) {
	c, fill := ledger.Column{Name: addedName(table), Kind: ledger.Integer, Size: 6}, ledger.Null()
	if random.IntN(2) == 0 {
		c.Kind, c.Size = ledger.Text, 40
	}
	s.Text = "ALTER TABLE " + table.Place() + " ADD (" + c.Name + " " + declaration(c)
	if random.IntN(2) == 0 {
		fill = ledger.Int(4711)
		literal := fill.Text
		if c.Kind == ledger.Text {
			fill, literal = ledger.Of("it's new"), "'it''s new'"
		}
		s.Text += " DEFAULT " + literal
	}
	s.Text += ")"
	s.Columns, s.From, s.Fill = append(s.Columns, c), append(s.From, -1), append(s.Fill, fill)
}

// addedName is the name of a column of which there was none yet.
func addedName(table *ledger.Table) string {
	return fmt.Sprintf("%s%d", addedPrefix, len(table.Steps)+1)
}

const addedPrefix = "MORE_"

func isAdded(name string) bool {
	return len(name) > len(addedPrefix) && name[:len(addedPrefix)] == addedPrefix
}

// otherName is the table's own name, or that which it has away from it.
func otherName(table *ledger.Table, now string) string {
	if now == table.Name {
		return table.Name + "_AWAY"
	}
	return table.Name
}

// wider is a column with more room, or none where it has enough.
func wider(c ledger.Column) ledger.Column {
	most := map[ledger.Kind]int{ledger.Integer: 12, ledger.Text: 80}[c.Kind]
	if c.Size >= most {
		return ledger.Column{}
	}
	c.Size = most
	return c
}

func declaration(c ledger.Column) string {
	if c.Kind == ledger.Text {
		return fmt.Sprintf("VARCHAR2(%d)", c.Size)
	}
	return fmt.Sprintf("NUMBER(%d)", c.Size)
}
