package ttc

import (
	"bytes"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Repeats leaves out what a row has in common with the row before it, and says so in a bit vector, message
// 21. Every row gets a vector: go-ora goes on applying the last one it saw (reference tns-server 7).
type Repeats struct {
	previous [][]byte // the columns of the row before, as they were sent
	cells    []byte
	ends     []int
}

// AppendRow appends a bit vector and the row. On an error nothing is appended.
func (m *Repeats) AppendRow(
	dst []byte, columns []Column, values []datum.Datum, locators []Locator,
) ([]byte, error) {
	var err error
	m.cells, m.ends = m.cells[:0], m.ends[:0]
	for i := range columns {
		if m.cells, err = appendCell(m.cells, columns, values, locators, i); err != nil {
			return dst, err
		}
		m.ends = append(m.ends, len(m.cells))
	}
	first := len(m.previous) != len(columns)
	if first {
		m.previous = make([][]byte, len(columns))
	}
	vector := make([]byte, (len(columns)+7)/8)
	sent := 0
	m.each(func(i int, cell []byte) {
		if first || !bytes.Equal(cell, m.previous[i]) {
			vector[i/8] |= 1 << (i % 8)
			sent++
		}
	})
	dst = append(dst, byte(CodeBitVector))
	dst = appendUB(dst, uint64(sent))
	dst = append(dst, vector...)
	dst = append(dst, byte(CodeRow))
	m.each(func(i int, cell []byte) {
		if vector[i/8]&(1<<(i%8)) != 0 {
			dst = append(dst, cell...)
			m.previous[i] = append(m.previous[i][:0], cell...)
		}
	})
	return dst, nil
}

func (m *Repeats) each(do func(i int, cell []byte)) {
	start := 0
	for i, end := range m.ends {
		do(i, m.cells[start:end])
		start = end
	}
}
