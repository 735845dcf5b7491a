package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Segments with their extents, and what the optimizer knows of tables (reference logminer J).
func (s *Set) addSegments() {
	s.dict["SEGMENTS"] = family{
		administrative: true, unowned: true, // USER_ has other columns, ALL_ does not exist
		columns: columns(str("OWNER", 128), str("SEGMENT_NAME", 128), str("PARTITION_NAME", 128), str("SEGMENT_TYPE", 18), str("SEGMENT_SUBTYPE", 10),
			str("TABLESPACE_NAME", 30), num("HEADER_FILE"), num("HEADER_BLOCK"), num("BYTES"), num("BLOCKS"), num("EXTENTS"), num("RELATIVE_FNO"),
			str("BUFFER_POOL", 7)),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, g := range s.config.Database.Segments(c.ID) {
				file := g.Extents[0].File
				list = append(list, row{
					text(g.Owner), text(g.Table), text(g.Partition), segmentType(&g), text("ASSM"),
					text(g.TablespaceName()), integer(file), integer(g.Extents[0].Block + 2), integer(g.Blocks() * catalog.BlockSize), integer(g.Blocks()),
					integer(len(g.Extents)), integer(file), text("DEFAULT"),
				})
			}
			return list
		},
	}
	s.dict["EXTENTS"] = family{
		administrative: true, unowned: true,
		columns: columns(str("OWNER", 128), str("SEGMENT_NAME", 128), str("PARTITION_NAME", 128), str("SEGMENT_TYPE", 18), str("TABLESPACE_NAME", 30),
			num("EXTENT_ID"), num("FILE_ID"), num("BLOCK_ID"), num("BYTES"), num("BLOCKS"), num("RELATIVE_FNO")),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, g := range s.config.Database.Segments(c.ID) {
				for i, e := range g.Extents {
					list = append(list, row{
						text(g.Owner), text(g.Table), text(g.Partition), segmentType(&g), text(g.TablespaceName()),
						integer(i), integer(e.File), integer(e.Block), integer(int64(e.Blocks) * catalog.BlockSize), integer(e.Blocks), integer(e.File),
					})
				}
			}
			return list
		},
	}
	s.dict["TAB_STATISTICS"] = family{
		columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("PARTITION_NAME", 128), num("PARTITION_POSITION"), str("SUBPARTITION_NAME", 128),
			num("SUBPARTITION_POSITION"), str("OBJECT_TYPE", 12), num("NUM_ROWS"), num("BLOCKS"), num("EMPTY_BLOCKS"), num("AVG_ROW_LEN"),
			num("SAMPLE_SIZE"), day("LAST_ANALYZED"), str("STALE_STATS", 7)),
		rows: s.tabStatistics,
	}
}

func (s *Set) tabStatistics(c catalog.Container) []row {
	var list []row
	for _, t := range s.config.Database.Tables(c.ID) {
		add := func(partition, position datum.Datum, kind string, x *catalog.Statistics) {
			r := row{text(t.Owner), text(t.Name), partition, position, null, null, text(kind), null, null, null, null, null, null, null}
			if x != nil {
				copy(r[7:], row{integer(x.Rows), integer(x.Blocks), integer(0), integer(x.RowLength), integer(x.Sample), s.date(x.At), text("NO")})
			}
			list = append(list, r)
		}
		add(null, null, "TABLE", t.Statistics)
		for i := 0; t.Partitioning != nil && i < len(t.Partitioning.Partitions); i++ {
			p := &t.Partitioning.Partitions[i]
			add(text(p.Name), integer(i+1), "PARTITION", p.Statistics)
		}
	}
	return list
}

func segmentType(g *catalog.Segment) datum.Datum {
	if g.Partition != "" {
		return text("TABLE PARTITION")
	}
	return text("TABLE")
}

// counted are NUM_ROWS and BLOCKS.
func counted(x *catalog.Statistics) (rows, blocks datum.Datum) {
	if x == nil {
		return null, null
	}
	return relation.Int(x.Rows), relation.Int(x.Blocks)
}
