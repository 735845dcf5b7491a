package debezium

import (
	"os"
	"strings"
	"testing"
)

// acceptance names the tests of every line of the acceptance list (reference debezium-format 19), as file and test, or the issue that a
// line waits for.
var acceptance = []struct {
	line  int
	what  string
	tests []string
	waits string
}{
	{line: 1, what: "key, create, truncate, tombstone, snapshot row equal section 17, with schemas and without", tests: []string{
		"schema/debezium/debezium_test.go TestRecordsOfProfileDebeziumEqualTheGoldenStrings",
		"schema/debezium/connect_test.go TestRecordsWithSchemasEqualTheGoldenStrings",
		"schema/debezium/connect_test.go TestSchemasOfSemanticTypesAreConnects",
		"schema/debezium/yardstick_test.go TestDebeziumsOwnClassesMakeTheSameRecords",
	}},
	{line: 2, what: "every row of 5.2 and 5.3 for snapshot and stream, in every mode", tests: []string{
		"schema/debezium/modes_test.go TestEveryTypeInEveryMode",
		"schema/debezium/connect_test.go TestSchemaOfEveryTypeInEveryMode",
		"input/scenario/bytes_test.go TestStreamedAndSelectedRowsHaveTheSameBytes",
		"input/internal/snapshot/row_test.go TestEveryTypeIsReadByQuery",
	}},
	{line: 3, what: "base64 tables of 7.1 and 7.2, random round trips", tests: []string{
		"schema/debezium/decimal_test.go TestScaledDecimal",
		"schema/debezium/decimal_test.go TestVariableScaleDecimal",
		"schema/debezium/decimal_test.go TestScaledDecimalReadsBackAsTheValue",
		"schema/debezium/decimal_test.go TestVariableScaleDecimalReadsBackAsTheValue",
	}},
	{line: 4, what: "float text 1.4, escaping 1.5", tests: []string{
		"schema/debezium/float_test.go TestFloatTextIsJavas",
		"schema/debezium/text_test.go TestTextIsEscapedAsConnectDoes",
		"schema/debezium/converter_test.go TestConnectsJSONConverterReadsAndWritesTheSame",
	}},
	{line: 5, what: "names of 4.2", tests: []string{
		"schema/naming/adjust_test.go TestDebeziumAdjustsADottedNameAsOne",
		"schema/debezium/connect_test.go TestNamesAreAdjustedInSchemasKeysRowsAndHeaders",
		"schema/debezium/connect_test.go TestColumnsThatBecomeOneFieldAreRefused",
	}},
	{line: 6, what: "LOB matrix 9.1", waits: "LOBs, XML and Avro"},
	{line: 7, what: "key change with headers, without a primary key, with chosen key columns", tests: []string{
		"input/scenario/changes_test.go TestR64KeyChangeIsDeleteTombstoneAndCreateInOneBatch",
		"input/scenario/profile_test.go TestProfileDebeziumThroughTheWholeInput",
		"input/scenario/keyless_test.go TestKeylessTableHasRecordsWithoutKeyAndTombstone",
		"input/scenario/columns_test.go TestKeyOfTheConfiguration",
	}},
	{line: 8, what: "replace.null.with.default both ways", tests: []string{
		"schema/debezium/connect_test.go TestNullIsTheDefaultOnlyWhenAskedFor",
	}},
	{line: 9, what: "tombstones off, updates without a change, masks, truncation, propagated types; skipped operations are a mapping", tests: []string{
		"input/scenario/changes_test.go TestDeletesHaveNoTombstoneWhenTombstonesAreOff",
		"input/internal/engine/layout_test.go TestUnchangedUpdatesAreLeftOutAndNotCounted",
		"schema/debezium/treatment_test.go TestMasks",
		"schema/debezium/treatment_test.go TestJavaSerialisedStrings",
		"schema/debezium/treatment_test.go TestTruncation",
		"schema/debezium/treatment_test.go TestTypesOfColumnsAreParametersOfTheirSchemas",
	}},
	{line: 10, what: "BEGIN and END over several tables, none for an empty transaction, counted on after a restart", tests: []string{
		"schema/debezium/boundary_test.go TestBoundariesOfATransaction",
		"schema/debezium/connect_test.go TestBoundariesWithSchemasEqualTheGoldenStrings",
		"input/scenario/columns_test.go TestTransactionsAreAnnounced",
		"input/internal/engine/boundary_test.go TestR64BeginIsWithTheFirstEventAndEndWithTheLast",
		"input/internal/engine/boundary_test.go TestTransactionThatGoesOnHasNoSecondBegin",
	}},
	{line: 11, what: "signals, notifications, windows", waits: "Snapshots and signals"},
	{line: 12, what: "Avro schema text and bytes", waits: "LOBs, XML and Avro"},
	{line: 13, what: "compatibility in a registry", waits: "LOBs, XML and Avro"},
}

func TestEveryLineOfTheAcceptanceListHasItsTests(t *testing.T) {
	for i, a := range acceptance {
		if a.line != i+1 || a.what == "" || (len(a.tests) == 0) == (a.waits == "") {
			t.Errorf("line %d: %+v", i+1, a)
		}
		for _, name := range a.tests {
			file, test, _ := strings.Cut(name, " ")
			text, err := os.ReadFile("../../" + file)
			if err != nil || !strings.Contains(string(text), "\nfunc "+test+"(") {
				t.Errorf("line %d: %s is not there (%v)", a.line, name, err)
			}
		}
	}
	if lines := 13; len(acceptance) != lines {
		t.Errorf("%d lines, want %d", len(acceptance), lines)
	}
}
