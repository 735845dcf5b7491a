package engine

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// statisticsProcedure runs the procedures of DBMS_STATS that say how large a table is.
func (s *session) statisticsProcedure(name string, args []Argument) (known bool, err error) {
	value := func(i int, parameter string) datum.Datum {
		for j, a := range args {
			if a.Name == parameter || a.Name == "" && j == i {
				return a.Value
			}
		}
		return datum.Datum{}
	}
	if name != "DBMS_STATS.GATHER_TABLE_STATS" && name != "DBMS_STATS.SET_TABLE_STATS" {
		return false, nil
	}
	object := sql.Object{Owner: strings.ToUpper(value(0, "OWNNAME").Text), Name: strings.ToUpper(value(1, "TABNAME").Text)}
	table, layout, ok := s.findTable(object)
	if !ok || !s.accessible(layout.Owner, layout.Name) {
		return true, wire.Errorf(20000, "Unable to analyze TABLE \"%s\".\"%s\", insufficient privileges or does not exist", object.Owner, object.Name)
	}
	if name == "DBMS_STATS.GATHER_TABLE_STATS" {
		s.engine.store.GatherStatistics(table)
		return true, nil
	}
	var counts [2]int64
	for i, d := range []datum.Datum{value(5, "NUMROWS"), value(6, "NUMBLKS")} {
		if d.Kind == datum.Number {
			counts[i] = int64(small(d))
		}
	}
	s.engine.store.SetStatistics(table, counts[0], counts[1])
	return true, nil
}
