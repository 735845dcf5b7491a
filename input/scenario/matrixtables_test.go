package scenario_test

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// always is a code for every moment.
func always(code stop.Code) map[string]stop.Code {
	all := map[string]stop.Code{}
	for _, m := range matrixMoments() {
		all[m.name] = code
	}
	return all
}

// matrixTables are the classes that change what tables there are, and under which names.
func matrixTables() []matrixClass {
	const other = "CREATE TABLE T2 (ID NUMBER(9) PRIMARY KEY, K NUMBER(9))"
	return []matrixClass{
		{
			name:  "rename away",
			ddl:   []string{"ALTER TABLE T1 RENAME TO U1"},
			after: []string{"INSERT INTO U1 VALUES (3, 3, 'c')"},
		},
		{
			name:  "rename to a captured name",
			ddl:   []string{"RENAME T1 TO T3"},
			after: []string{"INSERT INTO T3 VALUES (3, 3, 'c')", "UPDATE T3 SET V = 9 WHERE ID = 2"},
			want:  []string{`T3 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`, `T3 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v1`},
		},
		{
			name: "rename to a name that is captured from then on", create: []string{matrixTable, "CREATE TABLE U1 (ID NUMBER(9) PRIMARY KEY, V NUMBER(9), W VARCHAR2(10))"},
			before: []string{"INSERT INTO U1 VALUES (%[1]d, 2, 'a')", "INSERT INTO T1 VALUES (%[1]d, 1, 'a')"},
			had:    []string{`T1 {"ID":%d} c {"ID":%[1]d,"V":1,"W":"a"} v1`},
			ddl:    []string{"ALTER TABLE U1 RENAME TO T3"},
			after:  []string{"INSERT INTO T3 VALUES (3, 3, 'c')", "UPDATE T3 SET V = 9 WHERE ID = 2"},
			want:   []string{`T3 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`, `T3 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v1`},
		},
		{
			name: "swap", create: []string{matrixTable, other},
			before: []string{"INSERT INTO T1 VALUES (%[1]d, 2, 'a')", "INSERT INTO T2 VALUES (%[1]d, 7)"},
			had:    []string{`T1 {"ID":%d} c {"ID":%[1]d,"V":2,"W":"a"} v1`, `T2 {"ID":%d} c {"ID":%[1]d,"K":7} v1`},
			ddl:    []string{"RENAME T1 TO U1", "RENAME T2 TO T1", "RENAME U1 TO T2"},
			after:  []string{"INSERT INTO T2 VALUES (3, 3, 'c')", "INSERT INTO T1 VALUES (3, 8)", "UPDATE T2 SET V = 9 WHERE ID = 2", "UPDATE T1 SET K = 9 WHERE ID = 2"},
			want: []string{
				`T2 {"ID":3} c {"ID":3,"V":3,"W":"c"} v2`, `T1 {"ID":3} c {"ID":3,"K":8} v2`,
				`T2 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v2`, `T1 {"ID":2} u {"ID":2,"K":7} -> {"ID":2,"K":9} v2`,
			},
		},
		{
			name: "drop", ddl: []string{"DROP TABLE T1"}, after: []string{"INSERT INTO T9 VALUES (3)"}, want: []string{`T9 {"ID":3} c {"ID":3} v1`},
		},
		{
			name: "purge", ddl: []string{"DROP TABLE T1 PURGE"}, after: []string{"INSERT INTO T9 VALUES (3)"}, want: []string{`T9 {"ID":3} c {"ID":3} v1`},
		},
		{
			name:  "drop and flashback",
			ddl:   []string{"DROP TABLE T1", "FLASHBACK TABLE T1 TO BEFORE DROP"},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`, `T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v1`},
		},
		{
			name: "flashback", behind: []string{"CREATE TABLE T3 (ID NUMBER(9) PRIMARY KEY, K NUMBER(9))", "INSERT INTO T3 VALUES (2, 7)", "DROP TABLE T3"},
			ddl:   []string{"FLASHBACK TABLE T3 TO BEFORE DROP RENAME TO T4"},
			stops: map[string]stop.Code{"restart before": stop.DDL, "kill before": stop.DDL}, // nobody captured it, and it has rows
			may:   map[string]stop.Code{"restart at": stop.DDL},
			after: []string{"INSERT INTO T4 VALUES (3, 8)", "UPDATE T4 SET K = 9 WHERE ID = 2"},
			want:  []string{`T4 {"ID":3} c {"ID":3,"K":8} v1`, `T4 {"ID":2} u {"ID":2,"K":7} -> {"ID":2,"K":9} v1`},
		},
		{
			name:  "create",
			ddl:   []string{other},
			after: []string{"INSERT INTO T2 VALUES (3, 8)", "UPDATE T2 SET K = 9 WHERE ID = 3"},
			want:  []string{`T2 {"ID":3} c {"ID":3,"K":8} v1`, `T2 {"ID":3} u {"ID":3,"K":8} -> {"ID":3,"K":9} v1`},
		},
		{
			name:  "drop and create",
			ddl:   []string{"DROP TABLE T1 PURGE", "CREATE TABLE T1 (V NUMBER(9), ID NUMBER(9) PRIMARY KEY)"},
			after: []string{"INSERT INTO T1 VALUES (8, 3)", "UPDATE T1 SET V = 9 WHERE ID = 3"},
			want:  []string{`T1 {"ID":3} c {"V":8,"ID":3} v2`, `T1 {"ID":3} u {"V":8,"ID":3} -> {"V":9,"ID":3} v2`},
		},
		{
			name:  "create as select",
			ddl:   []string{"CREATE TABLE T2 AS SELECT * FROM T1"},
			after: []string{"INSERT INTO T9 VALUES (3)"},
			want:  []string{`T9 {"ID":3} c {"ID":3} v1`},
			stops: map[string]stop.Code{"": stop.Configuration}, // it has no key
		},
		{
			name: "create as select elsewhere", ddl: []string{"CREATE TABLE U2 AS SELECT * FROM T1"},
			after: []string{"INSERT INTO U2 VALUES (3, 3, 'c')", "INSERT INTO T1 VALUES (3, 3, 'c')"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`},
		},
		{
			name: "truncate", ddl: []string{"TRUNCATE TABLE T1"}, truncated: []string{`T1  t null v1`},
			after: []string{"INSERT INTO T1 VALUES (2, 3, 'c')"},
			want:  []string{`T1 {"ID":2} c {"ID":2,"V":3,"W":"c"} v1`},
		},
	}
}

// matrixPartitions are the classes that change the segments of a table.
func matrixPartitions() []matrixClass {
	const (
		columns = "(ID NUMBER(9) PRIMARY KEY, V NUMBER(9), W VARCHAR2(10))"
		ranges  = "CREATE TABLE T1 " + columns + " PARTITION BY RANGE (ID) (PARTITION P0 VALUES LESS THAN (10), PARTITION P1 VALUES LESS THAN (20), PARTITION P2 VALUES LESS THAN (30))"
		monthly = "CREATE TABLE T1 " + columns + " PARTITION BY RANGE (ID) INTERVAL (10) (PARTITION P0 VALUES LESS THAN (10), PARTITION P1 VALUES LESS THAN (20))"
	)
	row := func(table, id string) string {
		return table + ` {"ID":` + id + `} c {"ID":` + id + `,"V":3,"W":"c"} v1`
	}
	inserts := func(ids ...string) (out []string) {
		for _, id := range ids {
			out = append(out, "INSERT INTO T1 VALUES ("+id+", 3, 'c')")
		}
		return out
	}
	rows := func(ids ...string) (out []string) {
		for _, id := range ids {
			out = append(out, row("T1", id))
		}
		return out
	}
	list := []matrixClass{
		{name: "add partition", ddl: []string{"ALTER TABLE T1 ADD PARTITION P3 VALUES LESS THAN (40)"}, after: inserts("3", "33"), want: rows("3", "33")},
		{name: "drop partition", ddl: []string{"ALTER TABLE T1 DROP PARTITION P1"}, after: inserts("3", "13", "23"), want: rows("3", "13", "23")},
		{
			name: "split partition", ddl: []string{"ALTER TABLE T1 SPLIT PARTITION P1 AT (15) INTO (PARTITION P1A, PARTITION P1B)"},
			after: append(inserts("3", "13", "17"), "UPDATE T1 SET V = 9 WHERE ID = 12"),
			want:  append(rows("3", "13", "17"), `T1 {"ID":12} u {"ID":12,"V":2,"W":"a"} -> {"ID":12,"V":9,"W":"a"} v1`),
		},
		{
			name: "merge partitions", ddl: []string{"ALTER TABLE T1 MERGE PARTITIONS P0, P1 INTO PARTITION P01"},
			after: append(inserts("3", "13"), "UPDATE T1 SET V = 9 WHERE ID = 2", "UPDATE T1 SET V = 9 WHERE ID = 12"),
			want: append(rows("3", "13"), `T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v1`,
				`T1 {"ID":12} u {"ID":12,"V":2,"W":"a"} -> {"ID":12,"V":9,"W":"a"} v1`),
		},
		{
			name: "truncate partition", ddl: []string{"ALTER TABLE T1 TRUNCATE PARTITION P1"},
			after: inserts("3", "12"), want: rows("3", "12"),
		},
		{
			name: "move partition", ddl: []string{"ALTER TABLE T1 MOVE PARTITION P1"},
			after: append(inserts("13"), "UPDATE T1 SET V = 9 WHERE ID = 12"),
			want:  append(rows("13"), `T1 {"ID":12} u {"ID":12,"V":2,"W":"a"} -> {"ID":12,"V":9,"W":"a"} v1`),
		},
		{
			name: "exchange partition", create: []string{ranges, "CREATE TABLE U1 " + columns},
			before: []string{"INSERT INTO T1 VALUES (%[1]d, 2, 'a')", "INSERT INTO T1 VALUES (1%[1]d, 2, 'a')", "INSERT INTO U1 VALUES (1%[1]d, 7, 'u')"},
			ddl:    []string{"ALTER TABLE T1 EXCHANGE PARTITION P1 WITH TABLE U1"},
			after:  append(inserts("3", "13"), "INSERT INTO U1 VALUES (14, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 12", "UPDATE U1 SET V = 9 WHERE ID = 12"),
			want:   append(rows("3", "13"), `T1 {"ID":12} u {"ID":12,"V":7,"W":"u"} -> {"ID":12,"V":9,"W":"u"} v1`),
		},
		{
			name: "exchange between captured tables", create: []string{ranges, "CREATE TABLE T2 " + columns},
			before: []string{"INSERT INTO T1 VALUES (%[1]d, 2, 'a')", "INSERT INTO T1 VALUES (1%[1]d, 2, 'a')", "INSERT INTO T2 VALUES (1%[1]d, 7, 'u')"},
			had: []string{
				`T1 {"ID":%d} c {"ID":%[1]d,"V":2,"W":"a"} v1`, `T1 {"ID":1%d} c {"ID":1%[1]d,"V":2,"W":"a"} v1`, `T2 {"ID":1%d} c {"ID":1%[1]d,"V":7,"W":"u"} v1`,
			},
			ddl:   []string{"ALTER TABLE T1 EXCHANGE PARTITION P1 WITH TABLE T2"},
			after: append(inserts("3", "13"), "INSERT INTO T2 VALUES (14, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 12", "UPDATE T2 SET V = 9 WHERE ID = 12"),
			want: append(rows("3", "13"), row("T2", "14"), `T1 {"ID":12} u {"ID":12,"V":7,"W":"u"} -> {"ID":12,"V":9,"W":"u"} v1`,
				`T2 {"ID":12} u {"ID":12,"V":2,"W":"a"} -> {"ID":12,"V":9,"W":"a"} v1`),
		},
		{name: "partition by insert", create: []string{monthly}, ddl: inserts("45"), truncated: rows("45"), after: inserts("3", "46", "63"), want: rows("3", "46", "63")},
	}
	for i := range list {
		c := &list[i]
		if c.create == nil {
			c.create = []string{ranges}
		}
		if c.before == nil {
			c.before = []string{"INSERT INTO T1 VALUES (%[1]d, 2, 'a')", "INSERT INTO T1 VALUES (1%[1]d, 2, 'a')"}
		}
		if c.had == nil {
			c.had = []string{`T1 {"ID":%d} c {"ID":%[1]d,"V":2,"W":"a"} v1`, `T1 {"ID":1%d} c {"ID":1%[1]d,"V":2,"W":"a"} v1`}
		}
	}
	return list
}

// matrixNothings are the classes that leave the rows as they were.
func matrixNothings() (out []matrixClass) {
	for _, statement := range []string{
		"ALTER TABLE T1 MOVE", "COMMENT ON TABLE T1 IS 'drop table T1'", "GRANT SELECT ON T1 TO SYSTEM", "CREATE INDEX T1_V ON T1 (V)",
		"ALTER TABLE T1 ENABLE ROW MOVEMENT",
	} {
		out = append(out, matrixClass{
			name: strings.ToLower(strings.ReplaceAll(statement, "'", "")), ddl: []string{statement},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`, `T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v1`},
		})
	}
	return out
}
