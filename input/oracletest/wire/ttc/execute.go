package ttc

// Options of an execution.
const (
	OptionParse        = 0x01
	OptionBind         = 0x08
	OptionDefine       = 0x10
	OptionExecute      = 0x20
	OptionFetch        = 0x40
	OptionCommit       = 0x100
	OptionBlockBind    = 0x400
	OptionNotBlock     = 0x8000
	OptionDescribeOnly = 0x20000
	OptionNoBitVectors = 0x40000
	OptionBatchErrors  = 0x80000
)

const (
	maxBinds     = 65535
	maxStatement = 16 << 20
)

// Execute is function 0x5E up to the bind rows (reference tns-server 7).
type Execute struct {
	Options  uint32
	Cursor   int
	SQL      string
	Prefetch uint32
	// Binds and Defines are those of this message; none if the cursor keeps its own.
	Binds, Defines []Descriptor
	// CountsWanted asks for the rows of each execution of array DML.
	CountsWanted bool
	// Count is the execution count or, with OptionFetch, the row count.
	Count uint32
	// Query says that the client takes the statement for a query.
	Query bool
}

// Decode reads the message behind its header, up to the bind rows: they need the descriptors of
// the cursor when the message brings none.
func (m *Execute) Decode(r *Reader, d Dialect) error {
	*m = Execute{}
	m.Options = uint32(r.UB(4))
	m.Cursor = r.UB2()
	r.U8()
	sqlLength := r.Count(maxStatement)
	r.U8()
	r.SkipUB(1)
	r.Skip(2)
	r.SkipUB(1) // prefetch memory: go-oracledb sends FFFFFFFF
	m.Prefetch = uint32(r.UB(4))
	r.SkipUB(1) // maximum LONG
	r.U8()
	binds := r.Count(maxBinds)
	r.Skip(6)
	defines := r.Count(maxBinds)
	m.versioned(r, d)
	if m.Options&OptionParse != 0 {
		if sqlLength == 0 {
			r.Fail("parse without a statement")
		}
		m.SQL = r.Text(sqlLength, d)
	}
	m.array(r)
	m.Defines = descriptors(r, d, defines)
	if defines == 0 {
		m.Binds = descriptors(r, d, binds)
	}
	return r.Err()
}

// versioned reads the fields that came with later field versions.
func (m *Execute) versioned(r *Reader, d Dialect) {
	v := d.FieldVersion
	if v >= 4 {
		r.SkipUB(1)
		r.Skip(2)
	}
	if v >= 5 {
		r.U8()
		r.SkipUB(1)
		r.U8()
		r.SkipUB(2)
	}
	if v >= 7 {
		m.CountsWanted = r.U8() != 0
		r.SkipUB(1)
		r.U8()
	}
	if v >= 8 {
		r.U8()
		r.SkipUB(1)
		r.U8()
		r.SkipUB(1)
		r.U8()
	}
	if v >= 9 {
		r.U8()
		r.SkipUB(1)
	}
}

// array reads the 13 integers of which two matter: the count and the mark of a query.
func (m *Execute) array(r *Reader) {
	r.SkipUB(1)
	m.Count = uint32(r.UB(4))
	r.SkipUB(5)
	m.Query = r.UB4() == 1
	r.SkipUB(5)
}

// Executions is the number of bind rows that follow when there are binds.
func (m *Execute) Executions() int {
	if m.Query || m.Count == 0 {
		return 1
	}
	return int(m.Count)
}

func descriptors(r *Reader, d Dialect, n int) []Descriptor {
	var all []Descriptor
	for range n {
		var one Descriptor
		if one.Decode(r, d) != nil {
			return nil
		}
		all = append(all, one)
	}
	return all
}
