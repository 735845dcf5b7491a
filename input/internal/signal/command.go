package signal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// Action is what a signal asks for.
type Action string

// The actions are the types of signals: Debezium's, then our own.
const (
	ExecuteSnapshot Action = "execute-snapshot"
	StopSnapshot    Action = "stop-snapshot"
	PauseSnapshot   Action = "pause-snapshot"
	ResumeSnapshot  Action = "resume-snapshot"
	Log             Action = "log"
	DropTransaction Action = "drop-transaction"
	RefreshTables   Action = "refresh-tables"
	LogState        Action = "log-state"
	BuildDictionary Action = "build-dictionary"
)

// Description is a row of the table of signals.
type Description struct {
	Action  Action
	Meaning string
	// Data is an example of what goes with it, empty where nothing does.
	Data string
}

// Actions is the one table of what may be asked.
func Actions() []Description {
	return []Description{
		{ExecuteSnapshot, "read the tables that match, beside the stream; behind what is being read already", `{"data-collections": ["PDB1\\.SHOP\\.ORDERS"], "additional-conditions": [{"data-collection": "PDB1\\.SHOP\\.ORDERS", "filter": "REGION = 'EU'"}]}`},
		{StopSnapshot, "give up what is left of the tables that match; without a list, of all", `{"data-collections": ["PDB1\\.SHOP\\.ORDERS"]}`},
		{PauseSnapshot, "start no further chunk", ""},
		{ResumeSnapshot, "go on after pause-snapshot", ""},
		{Log, "write a message into the log; {} in it becomes the place of the signal", `{"message": "here: {}"}`},
		{DropTransaction, "forget an open transaction: nothing of it is delivered when it commits", `{"transaction-id": "2.10.823"}`},
		{RefreshTables, "look at once for tables that match include", ""},
		{LogState, "write into the log what capture is doing", ""},
		{BuildDictionary, "build the dictionary into the redo now", ""},
	}
}

// Condition restricts the rows of the tables that match.
type Condition struct {
	Tables naming.Pattern
	// Filter is what stands behind WHERE, or with Whole a SELECT for the whole table.
	Filter string
	Whole  bool
}

// Command is a signal that can be acted on.
type Command struct {
	ID      string
	Channel Channel
	Action  Action
	// Tables are those of execute-snapshot and stop-snapshot, in the order sent. For execute-snapshot an empty list does nothing, for
	// stop-snapshot it means all.
	Tables     []naming.Pattern
	Conditions []Condition
	// Blocking: a blocking snapshot was asked for. It is done beside the stream like any other, and the answer says so.
	Blocking bool
	// ChunkBy is a column to cut by in place of the key, or ROWID.
	ChunkBy string
	// Message is what to log.
	Message string
	// Transaction is as it was written: eight bytes in hexadecimal, or usn.slot.sqn, with con_id: before it.
	Transaction string
}

// Matches reports whether the command is about a table.
func (c *Command) Matches(t schema.Table) bool {
	for _, p := range c.Tables {
		if p.Match(t) {
			return true
		}
	}
	return false
}

// Condition gives the first condition for a table.
func (c *Command) Condition(t schema.Table) (Condition, bool) {
	for _, condition := range c.Conditions {
		if condition.Tables.Match(t) {
			return condition, true
		}
	}
	return Condition{}, false
}

// internalMark reports rows that Debezium's own incremental snapshots write into its signal table. They ask for nothing.
func internalMark(kind string) bool {
	return kind == "snapshot-window-open" || kind == "snapshot-window-close"
}

// Parse reads a signal. Without a command it gives the answer at once; with neither the signal asks for nothing and is not answered.
func Parse(s *Signal) (*Command, *Answer) {
	if s.fault != nil {
		return nil, &Answer{Status: Invalid, Detail: s.fault.Error()}
	}
	if internalMark(s.Type) {
		return nil, nil
	}
	c := &Command{ID: s.ID, Channel: s.Channel, Action: Action(s.Type)}
	var err error
	switch c.Action {
	case ExecuteSnapshot, StopSnapshot:
		err = c.snapshot(s.Data)
	case Log:
		err = c.log(s)
	case DropTransaction:
		err = c.drop(s.Data)
	case PauseSnapshot, ResumeSnapshot, RefreshTables, LogState, BuildDictionary:
	default:
		return nil, &Answer{Status: Unknown, Detail: "known types: " + known()}
	}
	if err != nil {
		return nil, &Answer{Status: Invalid, Detail: err.Error()}
	}
	return c, nil
}

func known() string {
	var names []string
	for _, d := range Actions() {
		names = append(names, string(d.Action))
	}
	return strings.Join(names, ", ")
}

func (c *Command) snapshot(data json.RawMessage) error {
	var sent struct {
		Type        string   `json:"type"`
		Collections []string `json:"data-collections"`
		Conditions  []struct {
			Collection string `json:"data-collection"`
			Filter     string `json:"filter"`
		} `json:"additional-conditions"`
		// Older releases of Debezium know one condition for all tables.
		Condition string `json:"additional-condition"`
		Surrogate string `json:"surrogate-key"`
	}
	if err := read(data, &sent); err != nil {
		return err
	}
	switch strings.ToLower(sent.Type) {
	case "", "incremental":
	case "blocking":
		c.Blocking = true
	default:
		return errors.New(`data.type is "incremental" or "blocking"`)
	}
	var err error
	// Debezium compares with case for incremental snapshots and without for blocking ones. A name in the other case would be a snapshot
	// that reads nothing: patterns are as in include.
	if c.Tables, err = naming.ParsePatterns(sent.Collections, false); err != nil {
		return fmt.Errorf("data.data-collections: %w", err)
	}
	for _, condition := range sent.Conditions {
		tables, err := naming.ParsePattern(condition.Collection, false)
		if err != nil {
			return fmt.Errorf("data.additional-conditions: %w", err)
		}
		if strings.TrimSpace(condition.Filter) == "" {
			return errors.New("data.additional-conditions: filter is empty")
		}
		c.Conditions = append(c.Conditions, Condition{tables, condition.Filter, c.Blocking})
	}
	if strings.TrimSpace(sent.Condition) != "" {
		for _, tables := range c.Tables {
			c.Conditions = append(c.Conditions, Condition{tables, sent.Condition, c.Blocking})
		}
	}
	c.ChunkBy = sent.Surrogate
	return nil
}

func (c *Command) log(s *Signal) error {
	var sent struct {
		Message string `json:"message"`
	}
	if err := read(s.Data, &sent); err != nil {
		return err
	}
	if sent.Message == "" {
		return errors.New("data.message is missing")
	}
	c.Message = strings.ReplaceAll(sent.Message, "{}", s.place())
	return nil
}

func (c *Command) drop(data json.RawMessage) error {
	var sent struct {
		Transaction string `json:"transaction-id"`
	}
	if err := read(data, &sent); err != nil {
		return err
	}
	if sent.Transaction == "" {
		return errors.New("data.transaction-id is missing")
	}
	c.Transaction = sent.Transaction
	return nil
}

func read(data json.RawMessage, into any) error {
	if len(data) == 0 {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return errors.New("a member of data has another form than it should")
	}
	return nil
}
