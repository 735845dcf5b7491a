package scenario_test

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// matrixColumns are the classes that change the columns of a table.
func matrixColumns() []matrixClass {
	twins := []string{"CREATE TABLE T1 (ID NUMBER(9) PRIMARY KEY, V NUMBER(9), W NUMBER(9))"}
	both, hadBoth := []string{"INSERT INTO T1 VALUES (%d, 1, 7)"}, []string{`T1 {"ID":%d} c {"ID":%[1]d,"V":1,"W":7} v1`}
	swap := []string{"ALTER TABLE T1 RENAME COLUMN V TO X", "ALTER TABLE T1 RENAME COLUMN W TO V", "ALTER TABLE T1 RENAME COLUMN X TO W"}
	return []matrixClass{
		{
			name: "add", online: true,
			ddl:   []string{"ALTER TABLE T1 ADD (N VARCHAR2(5))"},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'c', 'n')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want: []string{
				`T1 {"ID":3} c {"ID":3,"V":3,"W":"c","N":"n"} v2`,
				`T1 {"ID":2} u {"ID":2,"V":2,"W":"a","N":null} -> {"ID":2,"V":9,"W":"a","N":null} v2`,
			},
		},
		{
			name: "add with default", online: true,
			ddl:   []string{"ALTER TABLE T1 ADD (N VARCHAR2(5) DEFAULT 'd')"},
			after: []string{"INSERT INTO T1 (ID, V) VALUES (3, 3)", "INSERT INTO T1 VALUES (4, 4, 'c', NULL)", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want: []string{
				`T1 {"ID":3} c {"ID":3,"V":3,"W":null,"N":"d"} v2`, `T1 {"ID":4} c {"ID":4,"V":4,"W":"c","N":null} v2`,
				`T1 {"ID":2} u {"ID":2,"V":2,"W":"a","N":` + unavailable + `} -> {"ID":2,"V":9,"W":"a","N":` + unavailable + `} v2`,
			},
		},
		{
			name:  "add with default not null",
			ddl:   []string{"ALTER TABLE T1 ADD (N VARCHAR2(5) DEFAULT 'd' NOT NULL)"},
			after: []string{"INSERT INTO T1 (ID, V) VALUES (3, 3)", "UPDATE T1 SET N = 'e' WHERE ID = 2"},
			want: []string{
				`T1 {"ID":3} c {"ID":3,"V":3,"W":null,"N":"d"} v2`,
				`T1 {"ID":2} u {"ID":2,"V":2,"W":"a","N":` + unavailable + `} -> {"ID":2,"V":2,"W":"a","N":"e"} v2`,
			},
		},
		{
			name:  "drop column",
			ddl:   []string{"ALTER TABLE T1 DROP COLUMN V"},
			after: []string{"INSERT INTO T1 VALUES (3, 'c')", "UPDATE T1 SET W = 'z' WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"W":"a"} -> {"ID":2,"W":"z"} v2`},
		},
		{
			name:  "set unused",
			ddl:   []string{"ALTER TABLE T1 SET UNUSED (V)"},
			after: []string{"INSERT INTO T1 VALUES (3, 'c')", "UPDATE T1 SET W = 'z' WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"W":"a"} -> {"ID":2,"W":"z"} v2`},
		},
		{
			name: "drop unused", behind: []string{"ALTER TABLE T1 SET UNUSED (V)"},
			before: []string{"INSERT INTO T1 VALUES (%d, 'a')"}, had: []string{`T1 {"ID":%d} c {"ID":%[1]d,"W":"a"} v1`},
			ddl:   []string{"ALTER TABLE T1 DROP UNUSED COLUMNS"},
			after: []string{"INSERT INTO T1 VALUES (3, 'c')", "UPDATE T1 SET W = 'z' WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"W":"a"} -> {"ID":2,"W":"z"} v2`},
		},
		{
			name:  "set unused and drop unused",
			ddl:   []string{"ALTER TABLE T1 SET UNUSED (V)", "ALTER TABLE T1 DROP UNUSED COLUMNS"},
			after: []string{"INSERT INTO T1 VALUES (3, 'c')", "UPDATE T1 SET W = 'z' WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"W":"a"} -> {"ID":2,"W":"z"} v2`},
		},
		{
			name:  "rename column",
			ddl:   []string{"ALTER TABLE T1 RENAME COLUMN V TO X"},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'c')", "UPDATE T1 SET X = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"X":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"X":2,"W":"a"} -> {"ID":2,"X":9,"W":"a"} v2`},
		},
		{
			name: "swap columns", unnumbered: true, create: twins, before: both, had: hadBoth,
			ddl:   swap,
			after: []string{"INSERT INTO T1 VALUES (3, 8, 4)", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"W":8,"V":4} v2`, `T1 {"ID":2} u {"ID":2,"W":1,"V":7} -> {"ID":2,"W":1,"V":9} v2`},
		},
		{
			name: "swap columns and back", unnumbered: true, create: twins, before: both, had: hadBoth,
			ddl:   slices.Concat(swap, swap),
			after: []string{"INSERT INTO T1 VALUES (3, 8, 4)", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":8,"W":4} v1`, `T1 {"ID":2} u {"ID":2,"V":1,"W":7} -> {"ID":2,"V":9,"W":7} v1`},
		},
		{
			// Mined in one step, the rows between have a layout that nobody has seen: that is a stop, and never another layout.
			name: "several with rows between", may: always(stop.NoDictionary),
			ddl: []string{
				"ALTER TABLE T1 ADD (N VARCHAR2(5))", "INSERT INTO T1 VALUES (30, 3, 'c', 'n')", "ALTER TABLE T1 RENAME COLUMN N TO M",
			},
			truncated: []string{`T1 {"ID":30} c {"ID":30,"V":3,"W":"c","N":"n"} v2`},
			after:     []string{"INSERT INTO T1 VALUES (3, 3, 'c', 'm')"},
			want:      []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c","M":"m"} v3`},
		},
		{
			name:  "widen",
			ddl:   []string{"ALTER TABLE T1 MODIFY (W VARCHAR2(20))"},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'longer than it was')", "UPDATE T1 SET W = 'longer than before' WHERE ID = 2"},
			want: []string{
				`T1 {"ID":3} c {"ID":3,"V":3,"W":"longer than it was"} v2`,
				`T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":2,"W":"longer than before"} v2`,
			},
		},
		{
			name:  "invisible",
			ddl:   []string{"ALTER TABLE T1 MODIFY V INVISIBLE"},
			after: []string{"INSERT INTO T1 (ID, V, W) VALUES (3, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"W":"a"} -> {"ID":2,"W":"a"} v2`},
		},
		{
			name: "visible", create: []string{"CREATE TABLE T1 (ID NUMBER(9) PRIMARY KEY, V NUMBER(9) INVISIBLE, W VARCHAR2(10))"},
			before: []string{"INSERT INTO T1 (ID, V, W) VALUES (%d, 2, 'a')"}, had: []string{`T1 {"ID":%d} c {"ID":%[1]d,"W":"a"} v1`},
			ddl:   []string{"ALTER TABLE T1 MODIFY V VISIBLE"},
			after: []string{"INSERT INTO T1 (ID, V, W) VALUES (3, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v2`},
		},
		{
			name:  "virtual",
			ddl:   []string{"ALTER TABLE T1 ADD (X NUMBER GENERATED ALWAYS AS (ID + 1) VIRTUAL)"},
			after: []string{"INSERT INTO T1 (ID, V, W) VALUES (3, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v2`},
		},
		{
			name: "drop virtual", create: []string{"CREATE TABLE T1 (ID NUMBER(9) PRIMARY KEY, X NUMBER GENERATED ALWAYS AS (ID + 1) VIRTUAL, V NUMBER(9), W VARCHAR2(10))"},
			before: []string{"INSERT INTO T1 (ID, V, W) VALUES (%d, 2, 'a')"}, had: []string{`T1 {"ID":%d} c {"ID":%[1]d,"V":2,"W":"a"} v1`},
			ddl:   []string{"ALTER TABLE T1 DROP COLUMN X"},
			after: []string{"INSERT INTO T1 (ID, V, W) VALUES (3, 3, 'c')", "UPDATE T1 SET V = 9 WHERE ID = 2"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v2`, `T1 {"ID":2} u {"ID":2,"V":2,"W":"a"} -> {"ID":2,"V":9,"W":"a"} v2`},
		},
	}
}

// matrixKeys are the classes that change what identifies a row, or what is logged of it.
func matrixKeys() []matrixClass {
	const bare = "CREATE TABLE T1 (ID NUMBER(9) NOT NULL, V NUMBER(9) NOT NULL, W VARCHAR2(10))"
	const byV = "CREATE UNIQUE INDEX T1_V ON T1 (V)"
	before := []string{"INSERT INTO T1 VALUES (%d, 10%[1]d, 'a')"}
	byID, byIndex := []string{`T1 {"ID":%d} c {"ID":%[1]d,"V":10%[1]d,"W":"a"} v1`}, []string{`T1 {"V":10%[1]d} c {"ID":%[1]d,"V":10%[1]d,"W":"a"} v1`}
	after := []string{"INSERT INTO T1 VALUES (3, 103, 'c')", "UPDATE T1 SET W = 'z' WHERE ID = 2"}
	wantBy := func(first, second string) []string {
		return []string{`T1 ` + first + ` c {"ID":3,"V":103,"W":"c"} v2`, `T1 ` + second + ` u {"ID":2,"V":102,"W":"a"} -> {"ID":2,"V":102,"W":"z"} v2`}
	}
	return []matrixClass{
		{
			name: "primary key comes", create: []string{bare, byV}, before: before, had: byIndex,
			ddl: []string{"ALTER TABLE T1 ADD PRIMARY KEY (ID)"}, after: after, want: wantBy(`{"ID":3}`, `{"ID":2}`),
		},
		{
			name: "primary key goes", create: []string{bare, byV, "ALTER TABLE T1 ADD PRIMARY KEY (ID)"}, before: before, had: byID,
			ddl: []string{"ALTER TABLE T1 DROP PRIMARY KEY"}, after: after, want: wantBy(`{"V":103}`, `{"V":102}`),
		},
		{
			name: "unique index comes", create: []string{bare, "CREATE UNIQUE INDEX T1_IV ON T1 (ID, V)"}, before: before,
			had: []string{`T1 {"ID":%d,"V":10%[1]d} c {"ID":%[1]d,"V":10%[1]d,"W":"a"} v1`},
			ddl: []string{byV}, after: after, want: wantBy(`{"V":103}`, `{"V":102}`),
		},
		{
			name: "unique index goes", create: []string{bare, byV, "CREATE UNIQUE INDEX T1_IV ON T1 (ID, V)"}, before: before, had: byIndex,
			ddl: []string{"DROP INDEX T1_V"}, after: after, want: wantBy(`{"ID":3,"V":103}`, `{"ID":2,"V":102}`),
		},
		{
			name:  "logging comes",
			ddl:   []string{"ALTER TABLE T1 ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS"},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'c')"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`},
		},
		{
			name: "logging goes", behind: []string{
				"ALTER TABLE T1 ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS", "ALTER TABLE T9 ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
			},
			ddl:   []string{"ALTER TABLE T1 DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS"},
			after: []string{"INSERT INTO T1 VALUES (3, 3, 'c')"},
			want:  []string{`T1 {"ID":3} c {"ID":3,"V":3,"W":"c"} v1`},
		},
	}
}
