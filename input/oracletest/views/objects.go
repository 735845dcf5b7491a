package views

import (
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Stored views and sequences, and all objects (reference logminer I).
func (s *Set) addObjects() {
	s.dict["OBJECTS"] = family{
		columns: columns(str("OWNER", 128), str("OBJECT_NAME", 128), str("SUBOBJECT_NAME", 128), num("OBJECT_ID"), num("DATA_OBJECT_ID"),
			str("OBJECT_TYPE", 23), day("CREATED"), day("LAST_DDL_TIME"), str("TIMESTAMP", 19), str("STATUS", 7), str("TEMPORARY", 1),
			str("GENERATED", 1), str("SECONDARY", 1), num("NAMESPACE"), str("EDITION_NAME", 128), str("ORACLE_MAINTAINED", 1)),
		rows: s.objects,
	}
	s.dict["RECYCLEBIN"] = family{
		columns: columns(str("OWNER", 128), str("OBJECT_NAME", 128), str("ORIGINAL_NAME", 128),
			str("OPERATION", 9), str("TYPE", 25), str("CREATETIME", 19), str("DROPTIME", 19), num("DROPSCN"), str("CAN_UNDROP", 3)),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.config.Database.Recycled(c.ID) {
				list = append(list, row{
					text(t.Owner), text(t.Name), text(t.Original), text("DROP"), text("TABLE"),
					text(s.stamp(t.Created)), text(s.stamp(t.LastDDL)), relation.Uint(t.DropSCN), text("YES"),
				})
			}
			return list
		},
	}
	s.dict["VIEWS"] = family{
		columns: columns(str("OWNER", 128), str("VIEW_NAME", 128), num("TEXT_LENGTH"), str("TEXT", 4000), str("READ_ONLY", 1)),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, v := range s.config.Database.StoredViews(c.ID) {
				list = append(list, row{text(v.Owner), text(v.Name), integer(len(v.Text)), text(first(v.Text, 4000)), flag(v.ReadOnly)})
			}
			return list
		},
	}
	s.dict["SEQUENCES"] = family{
		columns: columns(str("SEQUENCE_OWNER", 128), str("SEQUENCE_NAME", 128), num("MIN_VALUE"), num("MAX_VALUE"), num("INCREMENT_BY"),
			str("CYCLE_FLAG", 1), str("ORDER_FLAG", 1), num("CACHE_SIZE"), num("LAST_NUMBER")),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, q := range s.config.Database.Sequences(c.ID) {
				list = append(list, row{
					text(q.Owner), text(q.Name), decimal(q.Min), decimal(q.Max), decimal(q.Increment),
					flag(q.Cycle), flag(q.Order), integer(q.Cache), decimal(q.Last),
				})
			}
			return list
		},
	}
}

// stamp writes a time as the dictionary does in text columns.
func (s *Set) stamp(t time.Time) string { return t.In(s.config.Zone).Format("2006-01-02:15:04:05") }

func decimal(d *apd.Decimal) datum.Datum { return datum.Datum{Kind: datum.Number, Number: d} }

func flag(b bool) datum.Datum {
	if b {
		return text("Y")
	}
	return text("N")
}

// first cuts a text to n bytes, at a character.
func first(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

func (s *Set) objects(c catalog.Container) []row {
	var list []row
	add := func(o *catalog.Object, kind string, dataObject datum.Datum) {
		list = append(list, row{
			text(o.Owner), text(o.Name), null, integer(o.ObjectID), dataObject,
			text(kind), s.date(o.Created), s.date(o.LastDDL), text(s.stamp(o.LastDDL)), text("VALID"), text("N"),
			text("N"), text("N"), integer(1), null, text("N"),
		})
	}
	for _, t := range s.withRecycled(c) {
		o := catalog.Object{Owner: t.Owner, Name: t.Name, ObjectID: t.ObjectID, Created: t.Created, LastDDL: t.LastDDL}
		if t.Partitioning == nil && !t.IndexOrganized {
			add(&o, "TABLE", integer(t.DataObjectID))
			continue
		}
		add(&o, "TABLE", null)
		if t.Partitioning == nil {
			continue
		}
		for _, p := range t.Partitioning.Partitions {
			part := catalog.Object{Owner: t.Owner, Name: t.Name, ObjectID: p.ObjectID, Created: p.Created, LastDDL: p.LastDDL}
			add(&part, "TABLE PARTITION", integer(p.DataObjectID))
			list[len(list)-1][2] = text(p.Name)
		}
	}
	for _, v := range s.config.Database.StoredViews(c.ID) {
		add(&v.Object, "VIEW", null)
	}
	for _, q := range s.config.Database.Sequences(c.ID) {
		add(&q.Object, "SEQUENCE", null)
	}
	return list
}
