package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
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
	if err := config.Validate(); err != nil {
		return err
	}
	s, err := newSession(config.withDefaults(), out)
	if err != nil {
		return err
	}
	err = s.read(ctx, json.NewDecoder(in))
	return errors.Join(err, s.out.Flush())
}

// session is the state of one Run.
type session struct {
	config   Config
	settings debezium.Settings
	template naming.Template
	writer   writer
	out      *bufio.Writer

	player                         *player
	rows, messages, cases, refused int
}

func newSession(config Config, out io.Writer) (*session, error) {
	s := &session{
		config: config,
		settings: debezium.Settings{
			Profile: debezium.CDC(), ConnectorVersion: config.ConnectorVersion, Server: config.Prefix,
			Database: config.Database, Tombstones: !config.WithoutTombstones,
		},
		out: bufio.NewWriter(out),
	}
	var err error
	if s.template, err = naming.ParseTemplate(config.Template); err != nil {
		return nil, err
	}
	s.player = s.newPlayer("")
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
	topics := naming.NewTopics(s.template, s.config.Prefix, s.config.Database)
	logging := schema.LoggingKey
	if s.config.Complete {
		logging = schema.LoggingAll
	}
	return newPlayer(engine.NewOffline(engine.NewRecords(s.settings, topics), s.config.Memory, logging), emit)
}

// read takes the objects of the input one after another.
func (s *session) read(ctx context.Context, in *json.Decoder) error {
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var raw json.RawMessage
		if err := in.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("object %d of the recording is no JSON: %w", n, err)
		}
		if err := s.object(raw); err != nil {
			return fmt.Errorf("object %d of the recording: %w", n, err)
		}
	}
	if err := s.player.step(); err != nil {
		return err
	}
	s.config.Log.Info("replayed", slog.Int("rows", s.rows), slog.Int("messages", s.messages),
		slog.Int("open_transactions", s.player.offline.Open()), slog.Int("cases", s.cases), slog.Int("refused", s.refused))
	if s.refused > 0 {
		return &RefusedError{Refused: s.refused, Cases: s.cases}
	}
	return nil
}

func (s *session) object(raw json.RawMessage) error {
	var h head
	if err := unmarshal(raw, &h); err != nil {
		return err
	}
	switch h.Kind {
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
		return stop.New(stop.DDL, "case "+c.ID, "DDL is not classified yet; that comes with schema versions")
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
