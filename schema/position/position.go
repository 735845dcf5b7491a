package position

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// FormatVersion is the format that this build writes and the newest it reads (R50).
const FormatVersion = 1

// Identity says which database, incarnation and containers a position belongs to (R125, R126).
type Identity struct {
	DBID           uint64         `json:"dbid"`
	ResetlogsSCN   SCN            `json:"resetlogs_scn"`
	ResetlogsTime  string         `json:"resetlogs_time"`
	ReleaseVersion string         `json:"version,omitempty"`
	PDBs           map[string]PDB `json:"pdbs"`
}

// PDB identifies a captured container.
type PDB struct {
	ID   int    `json:"con_id"`
	DBID uint64 `json:"dbid"`
	GUID string `json:"guid"`
}

// Group is the boundary of the step whose items are being emitted, and how far that came (R51).
type Group struct {
	Boundary
	// Key is the item of the last acknowledged event, Event its address, Index its index in the transaction. Complete says
	// that it was the item's last event.
	Key      Key
	Event    RBA
	Index    int
	Complete bool
}

// FirstStart is kept from the first start until what was open then has ended (R88).
type FirstStart struct {
	// Q was read before the list of open transactions, S after it: a transaction that is open at S is listed or began at or above
	// Q. Commits at or below S are not emitted (R90).
	Q SCN
	S SCN
	// Open are the listed transactions that have not ended inside done. It is not changed, but replaced.
	Open []Transaction
}

// Transaction names a transaction: an XID is unique only inside its container (reference logminer B.3).
type Transaction struct {
	Container int
	XID       XID
}

// String gives con_id:usn.slot.sqn.
func (t Transaction) String() string { return strconv.Itoa(t.Container) + ":" + t.XID.String() }

// MarshalText gives con_id:usn.slot.sqn.
func (t Transaction) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads con_id:usn.slot.sqn.
func (t *Transaction) UnmarshalText(b []byte) (err error) {
	container, xid, ok := strings.Cut(string(b), ":")
	if !ok {
		return fmt.Errorf("transaction %q: not of the form con_id:usn.slot.sqn", b)
	}
	if t.Container, err = strconv.Atoi(container); err != nil {
		return fmt.Errorf("transaction %q: %w", b, err)
	}
	t.XID, err = ParseXID(xid)
	return err
}

// Position is what a restart continues from. It covers only what the output acknowledged.
type Position struct {
	Run        string      `json:"run"`
	Sequence   uint64      `json:"seq"`
	Identity   Identity    `json:"identity"`
	Resume     Boundary    `json:"resume"`
	Done       Boundary    `json:"done"`
	Group      *Group      `json:"group,omitempty"`
	FirstStart *FirstStart `json:"first_start,omitempty"`
	// Released are transactions that were given up and have not ended inside done: nothing of them is delivered. It is not changed, but
	// replaced.
	Released []Transaction `json:"released,omitempty"`
	// Excluded are transactions of excluded users that began inside region(resume) and have not ended inside done: nothing of them is
	// delivered (R105). In order of Compare. It is not changed, but replaced.
	Excluded []Excluded `json:"excluded,omitempty"`
	// Ahead are commits that went out before their group, since rows that were read AS OF a later SCN had to come behind them (R76): they are
	// acknowledged whole, and lie outside of done. It is not changed, but replaced.
	Ahead []Key `json:"ahead,omitempty"`
	// Snapshot is nil where none was ever begun.
	Snapshot *Snapshot `json:"snapshot,omitempty"`
	// Signals is nil where none was ever handled.
	Signals  *Signals       `json:"signal,omitempty"`
	Versions map[string]int `json:"versions,omitempty"`
	// Tables are the captured ones, in order of their names, where no schema topic knows them: one that is captured at a restart and is not among
	// them joins, and one that stands for another object there is another table. It is not changed, but replaced.
	Tables []Table `json:"tables,omitempty"`
	// Retired is the highest number that a version of a table that is gone had: the schema topic forgets it, and records name their version by
	// its number (R95, R100).
	Retired  int    `json:"retired,omitempty"`
	Settings string `json:"settings,omitempty"`
	// Unseen are partitions of captured tables that came and went before the dictionary was read, and that no later DDL has named, and tables
	// whose captured name did (R101, R104).
	Unseen []Partition `json:"unseen,omitempty"`
	// Joined are tables that joined a capture that ran without them, each with the SCN from which its redo is mined, while transactions from
	// before that are open. It is not changed, but replaced.
	Joined map[string]SCN `json:"joined,omitempty"`
	// NoLogging: changes without redo up to this SCN, in tablespaces of captured tables, were told of (R128). 0: none ever was looked for.
	NoLogging SCN `json:"nologging,omitempty"`
	// Time is when the position was made, for people.
	Time time.Time `json:"time,omitzero"`

	// Unknown holds members of a later minor version; they are written back as they were (R50).
	Unknown map[string]json.RawMessage `json:"-"`
}

// Partition is a partition of a captured table that DDL made at an SCN, or, without a name of its own, a segment to which DDL gave the name
// of the table then.
type Partition struct {
	PDB   string `json:"pdb"`
	Owner string `json:"owner"`
	Table string `json:"table"`
	Name  string `json:"partition"`
	From  SCN    `json:"from"`
	// Object is the id of a segment without a partition's name.
	Object uint64 `json:"object,omitempty"`
}

// ErrNewer reports a position of a format that this build does not know.
type ErrNewer struct{ Version int }

func (e ErrNewer) Error() string {
	return fmt.Sprintf("position format %d, this build reads up to %d", e.Version, FormatVersion)
}
