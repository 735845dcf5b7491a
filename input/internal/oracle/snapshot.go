package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Enter takes a session into a container, whose tables it can read then. In a database without containers it does nothing.
func Enter(ctx context.Context, s *Session, db Database, c Container) error {
	if !db.CDB {
		return nil
	}
	err := s.Exec(ctx, toContainer(c))
	if number, ok := Code(err); ok && number == insufficientPrivileges {
		return stop.Wrap(stop.Privilege, err, "SET CONTAINER", "rows are read inside the container %s", c.Name).
			Doing("as SYSDBA at the root: GRANT SET CONTAINER TO <capture user> CONTAINER = ALL; then restart")
	}
	return err
}

func toContainer(c Container) Statement {
	return Statement{"ALTER SESSION SET CONTAINER", `ALTER SESSION SET CONTAINER = "` + strings.ReplaceAll(c.Name, `"`, "") + `"`}
}

// CurrentSCNAndTime gives the current SCN and the time that belongs to it.
func CurrentSCNAndTime(ctx context.Context, s *Session) (scn position.SCN, at time.Time, err error) {
	var text Text
	err = s.Each(ctx, currentSCNAndTime, nil, []any{&text, &at}, func() (err error) {
		scn, err = text.SCN()
		return err
	})
	return scn, at, err
}

// Segment is a table, or a partition of it, that has rows of its own.
type Segment struct {
	// Partition is empty for a table that is not partitioned.
	Partition string
	// Object is DATA_OBJECT_ID, 0 for what has no segment.
	Object uint64
}

// Shape is what a table looks like at a moment: two that are equal have had no DDL between them that moves rows or changes columns (R81).
type Shape struct {
	// Version has the columns only.
	Version  *schema.Version
	Segments []Segment
	// Objects says what else tells two readings apart: ids and times of the last DDL.
	Objects string
}

// ReadShape looks at one table of the container that the session is in.
func ReadShape(ctx context.Context, s *Session, c Container, t schema.Table) (Shape, error) {
	shape := Shape{Version: &schema.Version{Table: t, Container: c.ID}}
	facts := &tableFacts{}
	r := ownerReader{session: s, args: []any{c.ID, t.Owner, t.Name}, wanted: map[string]*tableFacts{t.Name: facts}, one: true}
	for _, read := range []func(context.Context) error{r.columns, r.encrypted} {
		if err := read(ctx); err != nil {
			return shape, fmt.Errorf("dictionary of table %s: %w", t, err)
		}
	}
	shape.Version.Columns = facts.sorted()
	shape.Version.Seal()
	var objects []string
	var part, kind, id, data, ddl Text
	err := s.Each(ctx, segmentList, r.args, []any{&part, &kind, &id, &data, &ddl}, func() error {
		object, err := data.Uint64()
		if err != nil {
			return err
		}
		objects = append(objects, strings.Join([]string{string(part), string(kind), string(id), string(data), string(ddl)}, " "))
		if object != 0 {
			shape.Segments = append(shape.Segments, Segment{string(part), object})
		}
		return nil
	})
	slices.Sort(objects)
	shape.Objects = strings.Join(objects, "\n")
	return shape, err
}

// Extent is a run of blocks that belongs to a segment.
type Extent struct {
	Partition string
	File      int
	Block     uint64
	Blocks    uint64
}

// Extents lists the extents of a table, in no order.
func Extents(ctx context.Context, s *Session, c Container, t schema.Table) ([]Extent, error) {
	var extents []Extent
	var part, file, block, blocks Text
	err := s.Each(ctx, extentList, []any{c.ID, t.Owner, t.Name}, []any{&part, &file, &block, &blocks}, func() (err error) {
		e := Extent{Partition: string(part)}
		if e.File, err = file.Int(); err != nil {
			return err
		}
		if e.Block, err = block.Uint64(); err != nil {
			return err
		}
		if e.Blocks, err = blocks.Uint64(); err != nil {
			return err
		}
		extents = append(extents, e)
		return nil
	})
	if number, ok := Code(err); ok && (number == 942 || number == insufficientPrivileges) {
		return nil, stop.Wrap(stop.Privilege, err, "CDB_EXTENTS", "table %s has no key to cut it by, and its extents cannot be listed", t).
			Doing("GRANT SELECT ANY DICTIONARY TO <capture user> CONTAINER = ALL, or SELECT on the view; then restart")
	}
	return extents, err
}

// Statistics gives the rows and blocks of a table as the optimizer's statistics have them, 0 where there are none.
func Statistics(ctx context.Context, s *Session, c Container, t schema.Table) (rows int64, blocks uint64, err error) {
	var r, b Text
	err = s.Each(ctx, tableStatistics, []any{c.ID, t.Owner, t.Name}, []any{&r, &b}, func() (err error) {
		n, err := r.Uint64()
		if err != nil {
			return err
		}
		rows = int64(min(n, 1<<62)) //nolint:gosec // bounded
		blocks, err = b.Uint64()
		return err
	})
	return rows, blocks, err
}
