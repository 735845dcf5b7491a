package position

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrUncovered reports a ledger of a capability that this build does not have: to go on without it would lose what it
// names.
type ErrUncovered struct{ Member string }

func (e ErrUncovered) Error() string {
	return fmt.Sprintf("the position holds a %s ledger, which this build does not know how to honour", e.Member)
}

// A key of Position.Unknown is the member's name, or for a member of an inner object its JSON pointer, such as
// "/identity/role".

func unknownKey(path []string, name string) string {
	if len(path) == 0 && !strings.HasPrefix(name, "/") {
		return name
	}
	return pointer(path) + pointer([]string{name})
}

func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return b.String()
}

// groupUnknown sorts unknown members by the pointer of the object they belong to.
func groupUnknown(unknown map[string]json.RawMessage) (map[string]map[string]json.RawMessage, error) {
	out := map[string]map[string]json.RawMessage{}
	for key, raw := range unknown {
		if !json.Valid(raw) {
			return nil, fmt.Errorf("position: unknown member %q is not JSON", key)
		}
		parent, name := "", key
		if strings.HasPrefix(key, "/") {
			at := strings.LastIndexByte(key, '/')
			parent, name = key[:at], strings.NewReplacer("~1", "/", "~0", "~").Replace(key[at+1:])
		}
		if out[parent] == nil {
			out[parent] = map[string]json.RawMessage{}
		}
		out[parent][name] = raw
	}
	return out, nil
}

var errNull = errors.New("null where a value is due")

// reader takes known members out of objects by their exact names and keeps the first error and whatever is left over.
type reader struct {
	unknown map[string]json.RawMessage
	err     error
}

// object is one JSON object that is being read.
type object struct {
	r       *reader
	path    []string
	members map[string]json.RawMessage
}

func (r *reader) object(path []string, raw json.RawMessage) (object, error) {
	o := object{r: r, path: path}
	if err := json.Unmarshal(raw, &o.members); err != nil {
		return o, err
	}
	if o.members == nil {
		return o, errNull
	}
	return o, nil
}

func (o object) has(name string) bool {
	_, ok := o.members[name]
	return ok
}

func (o object) fail(name string, err error) {
	if o.r.err == nil {
		o.r.err = fmt.Errorf("member %s: %w", pointer(append(o.path[:len(o.path):len(o.path)], name)), err)
	}
}

// take reads a member that has to be there.
func (o object) take(name string, into any) {
	if !o.has(name) {
		o.fail(name, errors.New("missing"))
		return
	}
	o.option(name, into)
}

// option reads a member that may be missing.
func (o object) option(name string, into any) {
	raw, ok := o.members[name]
	if !ok {
		return
	}
	delete(o.members, name)
	if string(raw) == "null" {
		o.fail(name, errNull)
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		o.fail(name, err)
	}
}

// drop takes an object away that says nothing, as a build may write an optional one that is empty.
func (o object) drop(name string) {
	if raw, ok := o.members[name]; ok && emptyLedger(raw) {
		delete(o.members, name)
	}
}

// child reads an object that has to be there.
func (o object) child(name string) object {
	raw, ok := o.members[name]
	if !ok {
		o.fail(name, errors.New("missing"))
		return object{r: o.r}
	}
	delete(o.members, name)
	child, err := o.r.object(append(o.path[:len(o.path):len(o.path)], name), raw)
	if err != nil {
		o.fail(name, err)
	}
	return child
}

// close keeps what nobody took.
func (o object) close() {
	for name, raw := range o.members {
		o.r.unknown[unknownKey(o.path, name)] = raw
	}
}

func (r *reader) identity(o object, id *Identity) {
	o.take("dbid", &id.DBID)
	o.take("resetlogs_scn", &id.ResetlogsSCN)
	o.take("resetlogs_time", &id.ResetlogsTime)
	o.option("version", &id.ReleaseVersion)
	pdbs := o.child("pdbs")
	for name := range pdbs.members {
		var pdb PDB
		in := pdbs.child(name)
		in.take("con_id", &pdb.ID)
		in.take("dbid", &pdb.DBID)
		in.take("guid", &pdb.GUID)
		in.close()
		if id.PDBs == nil {
			id.PDBs = map[string]PDB{}
		}
		id.PDBs[name] = pdb
	}
	o.close()
}

func (r *reader) boundary(o object, b *Boundary) {
	r.marks(o, b)
	o.close()
}

func (r *reader) marks(o object, b *Boundary) {
	o.take("c", &b.SCN)
	threads := o.child("threads")
	for name := range threads.members {
		var m Mark
		in := threads.child(name)
		in.take("e", &m.Address)
		in.take("l", &m.Log)
		in.close()
		thread, err := strconv.Atoi(name)
		if err != nil || strconv.Itoa(thread) != name {
			threads.fail(name, errors.New("not a redo thread"))
		}
		m.Thread = thread
		*b = b.With(m)
	}
}

func (r *reader) group(o object, g *Group) {
	r.marks(o, &g.Boundary)
	o.take("key", &g.Key)
	o.take("event", &g.Event)
	o.take("index", &g.Index)
	o.option("complete", &g.Complete)
	o.close()
}
