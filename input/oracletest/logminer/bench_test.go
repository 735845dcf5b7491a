package logminer

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// BenchmarkContents reads the columns of a capture's query from inserts of twelve columns, in memory and from files.
func BenchmarkContents(b *testing.B) {
	b.Run("memory", func(b *testing.B) { readContents(b, redo.Config{LogSize: 1 << 30}) })
	b.Run("files", func(b *testing.B) {
		readContents(b, redo.Config{LogSize: 1 << 30, MemoryBudget: 64 << 10, SpillDir: b.TempDir()})
	})
}

func readContents(b *testing.B, config redo.Config) {
	stream, err := redo.Open(config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(stream.Close)
	dict := &dictionary{tables: map[string]*catalog.Table{}, containers: []catalog.Container{{ID: 3, Name: "FREEPDB1", OpenMode: "READ WRITE"}}}
	table := tableT()
	table.Columns = nil
	row := make([]any, 0, 12)
	for i := range 12 {
		table.Columns = append(table.Columns, catalog.Column{
			Name: "COLUMN_" + string(rune('A'+i)), Type: datum.Type{Code: datum.TypeVarchar, Size: 50}, SegmentID: i + 1,
		})
		row = append(row, "some text of a column")
	}
	dict.put(table)
	for range 10_000 {
		if err := stream.Append(b.Context(), change(table, xid614, redo.Insert, rowA, nil, row)); err != nil {
			b.Fatal(err)
		}
	}
	miner := New(Config{Stream: stream, Dictionary: dict, Release: 23})
	file, err := stream.OpenFile(stream.Online()[0].Member)
	if err != nil {
		b.Fatal(err)
	}
	session := newCaller(1)
	sessionOf(session).started = &mining{files: []*redo.File{file}, span: span{end: redo.NoNextChange}, options: capture}
	view := newContents(miner)
	var wanted []int
	for i, f := range fields {
		switch f.column.Name {
		case "SCN", "THREAD#", "RS_ID", "SSN", "OPERATION_CODE", "OPERATION", "ROLLBACK", "STATUS", "INFO", "CSF", "XIDUSN", "XIDSLT", "XIDSQN",
			"SRC_CON_ID", "SRC_CON_NAME", "DATA_OBJ#", "DATA_OBJV#", "SEG_OWNER", "TABLE_NAME", "ROW_ID", "USERNAME", "TIMESTAMP",
			"SESSION#", "SERIAL#", "SQL_REDO":
			wanted = append(wanted, i)
		}
	}
	dst := make([]datum.Datum, len(fields))
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		rows, err := view.Project(wanted).Open(b.Context(), session)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for {
			ok, err := rows.Next(b.Context(), dst)
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/row")
}
