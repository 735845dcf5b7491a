package replay

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// RefusedError says how many cases were refused; each has a line in the output that says why.
type RefusedError struct{ Refused, Cases int }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%d of %d cases were refused", e.Refused, e.Cases)
}

// Run replays a recording and writes the messages, one JSON object a line. A typed stop ends it and is returned, after the
// messages before it; a refused case does not end it.
func Run(ctx context.Context, config Config, in io.Reader, out io.Writer) error {
	s, err := newSession(config, out)
	if err != nil {
		return err
	}
	err = s.read(ctx, newValues(in))
	return errors.Join(err, s.out.Flush())
}

// session is the state of one Run.
type session struct {
	config   *engine.Config
	database string
	writer   writer
	out      *bufio.Writer
	log      *slog.Logger

	player                         *player
	rows, messages, cases, refused int
}

func newSession(config Config, out io.Writer) (*session, error) {
	s := &session{out: bufio.NewWriter(out), log: config.Log, database: config.Database}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.config, err = config.engine(); err != nil {
		return nil, err
	}
	var found []oracle.Description
	if config.Tables != nil {
		exported, err := readTables(config.Tables)
		if err != nil {
			return nil, fmt.Errorf("tables: %w", err)
		}
		s.database = cmp.Or(s.database, exported.Database().Name)
		if found, err = exported.Describe(s.config.Logging, s.config.KeyRule()); err != nil {
			return nil, fmt.Errorf("tables: %w", err)
		}
		if len(found) == 0 {
			return nil, errors.New("tables: there is no table in the export")
		}
	}
	s.player = s.newPlayer("")
	if err := s.player.admit(found); err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	if len(found) > 0 && len(s.player.tables) == 0 {
		return nil, errors.New("tables: include and exclude of the configuration leave none of the tables")
	}
	return s, nil
}

// newPlayer makes a player whose messages are written, with the case they belong to.
func (s *session) newPlayer(id string) *player {
	return s.newPlayerTo(func(ev *change.Event) error {
		s.messages++
		_, err := s.out.Write(s.writer.message(id, ev))
		return err
	})
}

func (s *session) newPlayerTo(emit func(*change.Event) error) *player {
	return newPlayer(s.config, s.database, emit)
}

// read takes the objects of the input one after another.
func (s *session) read(ctx context.Context, in *values) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := s.object(raw); err != nil {
			return fmt.Errorf("line %d: %w", in.at, err)
		}
	}
	if err := s.player.step(); err != nil {
		return err
	}
	return s.close()
}

// close says what came of the recording and what did not.
func (s *session) close() error {
	if n := s.player.offline.Open(); n > 0 {
		s.log.Warn("Transactions have no end in the recording, so nothing of them was written: export further, up to their COMMIT or ROLLBACK",
			"transactions", n)
	}
	foreign := s.player.unknown()
	if len(foreign) > 0 {
		s.log.Warn("Rows of tables that are not captured were left out", "tables", strings.Join(foreign, ", "))
	}
	s.log.Info("replayed", slog.Int("rows", s.rows), slog.Int("messages", s.messages),
		slog.Int("open_transactions", s.player.offline.Open()), slog.Int("cases", s.cases), slog.Int("refused", s.refused))
	switch {
	case s.refused > 0:
		return &RefusedError{Refused: s.refused, Cases: s.cases}
	case s.rows > 0 && len(s.player.tables) == 0:
		return errors.New("there are rows, but no tables: give an export of their dictionary with --tables")
	case s.player.changes == 0 && len(foreign) > 0:
		return fmt.Errorf("no row is of a captured table; the rows are of %s", strings.Join(foreign, ", "))
	}
	return nil
}

func (s *session) object(raw json.RawMessage) error {
	var h head
	if err := unmarshal(raw, &h); err != nil {
		return err
	}
	switch h.kind() {
	case "table":
		var t tableRecord
		if err := unmarshal(raw, &t); err != nil {
			return err
		}
		return s.player.capture(&t)
	case "row":
		var r row
		if err := unmarshal(raw, &r); err != nil {
			return err
		}
		s.rows++
		return s.player.apply(&r)
	case "step":
		return s.player.step()
	case "sql_redo", "rows", "ddl":
		return s.replayCase(raw, h.ID)
	}
	if h.Kind == "" {
		return errors.New("a row without OPERATION_CODE, which replay needs")
	}
	return fmt.Errorf("kind %q is not known", h.Kind)
}

// replayCase replays a case alone; a refusal becomes its line.
func (s *session) replayCase(raw json.RawMessage, id string) error {
	var c oneCase
	if err := unmarshal(raw, &c); err != nil {
		return err
	}
	s.cases++
	s.rows += len(c.Rows)
	err := c.play(s.newPlayer(id))
	if _, typed := stop.As(err); !typed {
		return err
	}
	s.refused++
	_, err = s.out.Write(s.writer.refusal(id, err))
	return err
}

// play runs a case through a player.
func (c *oneCase) play(p *player) error {
	tables, rows := c.Tables, c.Rows
	switch c.Kind {
	case "ddl":
		return stop.New(stop.DDL, "case "+c.ID, "a DDL has no rows to replay")
	case "sql_redo":
		if c.Table == nil {
			return errors.New("a statement without its table")
		}
		tables, rows = []tableRecord{*c.Table}, c.transaction()
	}
	for i := range tables {
		if err := p.capture(&tables[i]); err != nil {
			return err
		}
	}
	for i := range rows {
		if err := p.apply(&rows[i]); err != nil {
			return err
		}
	}
	return p.step()
}

// transaction makes a committed transaction of a single statement.
func (c *oneCase) transaction() []row {
	code := map[string]scalar{"INSERT": "1", "DELETE": "2", "UPDATE": "3"}[c.Operation]
	statement := row{
		SCN: "1", XID: "0100", Code: code, Status: scalar(strconv.Itoa(c.Status)),
		RowID: placeholderRowID, Owner: c.Table.Owner, Table: c.Table.Name, SQL: &c.SQL,
	}
	return []row{statement, {SCN: "2", XID: "0100", Code: "7"}}
}
