package snapshot

// blocks is a run of blocks of one data file that belong to one segment: from the first up to and with the last.
type blocks struct {
	object      uint64
	file        int
	first, last uint64
}
