package catalog

import "time"

// BlockSize is DB_BLOCK_SIZE.
const BlockSize = 8192

// Segment is where the rows of a table, or of one partition, lie. There is none before the first row.
type Segment struct {
	Owner, Table string
	Partition    string // empty of a table without
	DataObjectID uint32
	Extents      []Extent
	Tablespace   string // empty for USERS
}

// Blocks counts those of all extents.
func (s *Segment) Blocks() int64 {
	n := int64(0)
	for _, e := range s.Extents {
		n += int64(e.Blocks)
	}
	return n
}

// Extent is a run of blocks in one file.
type Extent struct{ File, Block, Blocks uint32 }

// Statistics are what the optimizer knows of a table or partition since At: as of then, not of now.
type Statistics struct {
	Rows, Blocks, RowLength, Sample int64
	At                              time.Time
}
