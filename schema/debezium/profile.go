package debezium

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// Profile is a record format as data. Encoders follow it and never ask which one it is.
type Profile struct {
	// Name is the value of records.profile.
	Name string
	// connector is source.connector.
	connector string
	// placeholder stands for a text or binary value that the redo does not hold, unless records.unavailable_placeholder says
	// something else.
	placeholder string
	// keylessTombstones: a delete without a key is followed by a tombstone too.
	keylessTombstones bool
	// keepSkippedLOBs: LOB columns keep their fields with lobs.mode skip.
	keepSkippedLOBs bool
	// NullableKeys: a unique index is a key although its columns may be NULL, and the first by name is taken.
	NullableKeys bool
	// Template is topics.template where the configuration has none.
	Template string
	// Heartbeat is topics.heartbeat where the configuration has none.
	Heartbeat string
	// Signals is topics.signals where the configuration has none.
	Signals string
	// Transactions is topics.transactions where the configuration has none.
	Transactions string
	// SchemaChanges is topics.schema_changes where the configuration has none.
	SchemaChanges string
	// marks are the marks of snapshot records that the profile knows, besides true.
	marks []change.Mark
	// envelopeVersion is the version of the envelope's schema.
	envelopeVersion int
	// requiredFields: a row field of a NOT NULL column is required; else every field is optional, since images may be partial.
	requiredFields bool
	// columnDefaults: schemas carry the defaults of columns.
	columnDefaults bool
	// wholeNames: schemas are named after the topic, and names are adjusted in Debezium's way.
	wholeNames bool
	// roundedIntegers: a NUMBER of negative scale that fits an integer is one with every mode of decimals.
	roundedIntegers bool
	// xml is the name of the Connect schema of XMLTYPE columns.
	xml string
	// temporals and intervals are the modes that the profile has.
	temporals map[Temporals]clock
	intervals map[Intervals]style

	envelope, source []member
	headers          []headerMember
}

// member is a field of the envelope or of the source block, in record order.
type member struct {
	name string
	from origin
	// schema is empty for the images and the source block, whose schemas follow from the table and the profile.
	schema connect
}

// origin says where the content of a member comes from.
type origin uint8

// Origins. Up to the mark constants they do not change within a table version and are rendered once; those from the mark
// transactional on are null in records outside a transaction (snapshots).
const (
	// nothing is a member that is always null.
	nothing origin = iota
	zero
	connectorVersion
	connectorName
	serverName
	// databaseName is the PDB, or the database where there is none; pdbName is null then.
	databaseName
	pdbName
	ownerName
	tableName

	constants // no origin: those above are constant

	beforeImage
	afterImage
	// flatRow is the members of the row that a flat record shows, deletedMark whether it was deleted.
	flatRow
	deletedMark
	sourceBlock
	operation
	// The commit time of the transaction or the time a snapshot chunk was read, in three units.
	commitMillis
	commitMicros
	commitNanos
	changeMillis
	changeMicros
	changeNanos
	// The time the record was made.
	builtMillis
	builtMicros
	builtNanos
	snapshotMark
	// snapshotOrNull is the mark of a snapshot record, null in others.
	snapshotOrNull
	changeSCN
	rowID
	redoText
	reselectResult

	transactional // no origin: those below belong to a transaction

	transactionBlock
	// transactionHexBlock is null unless transactions are announced (records of their own, Settings.Transactions).
	transactionHexBlock
	transactionID
	transactionHex
	commitSCN
	recordSetID
	sqlSequence
	redoThread
	changeThread
	userName
	commitTime
	startSCN
	startTime
	eventNumber
	tableOrder
)

// ProfileOf gives the profile of a name of records.profile, false for an unknown one.
func ProfileOf(name string) (*Profile, bool) {
	switch name {
	case "cdc":
		return CDC(), true
	case "debezium":
		return Debezium(), true
	}
	return nil, false
}

// has reports whether the source block has a member.
func (p *Profile) has(from origin) bool {
	return slices.ContainsFunc(p.source, func(m member) bool { return m.from == from })
}

// Names of Connect schemas (reference debezium-format 6).
const (
	decimalName          = "org.apache.kafka.connect.data.Decimal"
	connectTimestampName = "org.apache.kafka.connect.data.Timestamp"
	variableScaleName    = "io.debezium.data.VariableScaleDecimal"
	timestampName        = "io.debezium.time.Timestamp"
	microTimestampName   = "io.debezium.time.MicroTimestamp"
	nanoTimestampName    = "io.debezium.time.NanoTimestamp"
	isoTimestampName     = "io.debezium.time.IsoTimestamp"
	zonedTimestampName   = "io.debezium.time.ZonedTimestamp"
	microDurationName    = "io.debezium.time.MicroDuration"
	intervalName         = "io.debezium.time.Interval"
	structuredTimeName   = "io.debezium.time.StructuredTimestamp"
	structuredZonedName  = "io.debezium.time.StructuredZonedTimestamp"
	structuredSpanName   = "io.debezium.time.StructuredDuration"
	xmlName              = "io.debezium.data.Xml"
)

// adaptive is the mode of temporals that both profiles have.
func adaptive() clock {
	return clock{
		coarse: style{epochMillis, timestampName}, middle: style{epochMicros, microTimestampName}, fine: style{epochNanos, nanoTimestampName},
		zoned: style{zonedText, zonedTimestampName}, utc: style{utcText, zonedTimestampName},
	}
}

// CDC makes profile cdc: the record format of seed 001. Its user keeps it.
func CDC() *Profile {
	return &Profile{
		Name:        "cdc",
		connector:   "oracle-cdc",
		placeholder: "__cdc_unavailable_value",
		Template:    "{prefix}.{pdb}.{schema}.{table}",
		Heartbeat:   "{prefix}.cdc.heartbeat",
		Signals:     "{prefix}.cdc.signals",

		Transactions:  "{prefix}.cdc.transactions",
		SchemaChanges: "{prefix}.cdc.schema_changes",
		marks:         []change.Mark{change.First, change.Last, change.Incremental},

		envelopeVersion: 1,
		temporals: map[Temporals]clock{
			AdaptiveTimes: adaptive(),
			// The zoned types lose the name of their schema, and the local ones get none: Debezium's IsoTimestamp has a Z.
			LocalISOTimes: {
				coarse: style{form: isoLocal}, middle: style{form: isoLocal}, fine: style{form: isoLocal},
				zoned: style{form: zonedText}, utc: style{form: utcText}, interval: style{isoDuration, intervalName},
			},
		},
		intervals: map[Intervals]style{
			NumericIntervals: {floatMicros, microDurationName}, TextIntervals: {isoDuration, intervalName},
		},
		envelope: []member{
			{name: "before", from: beforeImage},
			{name: "after", from: afterImage},
			{name: "source", from: sourceBlock},
			{"op", operation, required("string")},
			{"ts_ms", commitMillis, optional("int64")},
			{"ts_us", commitMicros, optional("int64")},
			{"ts_ns", commitNanos, optional("int64")},
			{"transaction", transactionBlock, eventBlock()},
		},
		source: []member{
			{"version", connectorVersion, required("string")},
			{"connector", connectorName, required("string")},
			{"name", serverName, required("string")},
			{"ts_ms", changeMillis, required("int64")},
			{"snapshot", snapshotMark, required("string")},
			{"db", databaseName, required("string")},
			{"sequence", nothing, optional("string")},
			{"schema", ownerName, required("string")},
			{"table", tableName, required("string")},
			{"txId", transactionID, optional("string")},
			{"scn", changeSCN, optional("string")},
			{"commit_scn", commitSCN, optional("string")},
			{"rs_id", recordSetID, optional("string")},
			{"ssn", sqlSequence, optional("int64")},
			{"redo_thread", redoThread, optional("int32")},
			{"user_name", userName, optional("string")},
			{"row_id", rowID, optional("string")},
			{"pdb", pdbName, optional("string")},
			{"reselect", reselectResult, optional("string")},
		},
		headers: []headerMember{
			{"cdc.scn", changeSCNHeader},
			{"cdc.commit_scn", commitSCNHeader},
			{"cdc.xid", transactionIDHeader},
			{"cdc.event_index", eventIndexHeader},
			{"cdc.event_count", eventCountHeader},
			{"cdc.snapshot", snapshotHeader},
			{"cdc.schema_version", schemaVersionHeader},
			{"cdc.split", splitHeader},
			{"cdc.unavailable", unavailableHeader},
		},
	}
}

// Debezium makes profile debezium: the records of Debezium's Oracle connector (reference debezium-format), except that no value
// is invented and none is lost quietly.
func Debezium() *Profile {
	all := func(s style) clock {
		return clock{coarse: s, middle: s, fine: s, zoned: style{zonedText, zonedTimestampName}, utc: style{utcText, zonedTimestampName}}
	}
	structured := all(style{structuredTime, structuredTimeName})
	structured.zoned = style{structuredZoned, structuredZonedName}
	structured.utc = structured.zoned
	structured.interval = style{structuredDuration, structuredSpanName}
	return &Profile{
		Name:              "debezium",
		connector:         "oracle",
		placeholder:       "__debezium_unavailable_value",
		Template:          "{prefix}.{schema}.{table}",
		Heartbeat:         "__debezium-heartbeat.{prefix}",
		Signals:           "{prefix}-signal",
		Transactions:      "{prefix}.transaction",
		SchemaChanges:     "{prefix}",
		marks:             []change.Mark{change.First, change.FirstInTable, change.LastInTable, change.Last, change.Incremental},
		keylessTombstones: true,
		NullableKeys:      true,
		keepSkippedLOBs:   true,
		roundedIntegers:   true,
		envelopeVersion:   2,
		requiredFields:    true,
		columnDefaults:    true,
		wholeNames:        true,
		xml:               xmlName,
		temporals: map[Temporals]clock{
			AdaptiveTimes:    adaptive(),
			ConnectTimes:     all(style{epochMillis, connectTimestampName}),
			MicrosecondTimes: all(style{epochMicros, microTimestampName}),
			NanosecondTimes:  all(style{epochNanos, nanoTimestampName}),
			ISOTimes:         all(style{isoUTC, isoTimestampName}),
			StructuredTimes:  structured,
		},
		intervals: map[Intervals]style{
			NumericIntervals: {integerMicros, microDurationName}, TextIntervals: {isoDuration, intervalName},
		},
		envelope: []member{
			{name: "before", from: beforeImage},
			{name: "after", from: afterImage},
			{name: "source", from: sourceBlock},
			{"transaction", transactionHexBlock, eventBlock()},
			{"op", operation, required("string")},
			{"ts_ms", builtMillis, optional("int64")},
			{"ts_us", builtMicros, optional("int64")},
			{"ts_ns", builtNanos, optional("int64")},
		},
		source: []member{
			{"version", connectorVersion, required("string")},
			{"connector", connectorName, required("string")},
			{"name", serverName, required("string")},
			{"ts_ms", changeMillis, required("int64")},
			{"snapshot", snapshotMark, snapshotEnum()},
			{"db", databaseName, required("string")},
			{"sequence", nothing, optional("string")},
			{"ts_us", changeMicros, optional("int64")},
			{"ts_ns", changeNanos, optional("int64")},
			{"schema", ownerName, required("string")},
			{"table", tableName, required("string")},
			{"txId", transactionHex, optional("string")},
			{"scn", changeSCN, optional("string")},
			{"commit_scn", commitSCN, optional("string")},
			{"lcr_position", nothing, optional("string")},
			{"rs_id", recordSetID, optional("string")},
			{"ssn", zero, optional("int64")},
			{"redo_thread", changeThread, optional("int32")},
			{"user_name", userName, optional("string")},
			{"redo_sql", redoText, optional("string")},
			{"row_id", rowID, optional("string")},
			{"commit_ts_ms", commitTime, optional("int64")},
			{"start_scn", startSCN, optional("string")},
			{"start_ts_ms", startTime, optional("int64")},
			{"txSeq", eventNumber, optional("int64")},
		},
		headers: []headerMember{
			{"__debezium.newkey", newKeyHeader},
			{"__debezium.oldkey", oldKeyHeader},
			{"__debezium.context.connectorLogicalName", serverHeader},
			{"__debezium.context.taskId", taskHeader},
			{"__debezium.context.connectorName", connectorHeader},
			{"__debezium.context.runId", runHeader},
			// Debezium has none: it writes a fallback value where this names a value that the redo does not hold.
			{"cdc.unavailable", unavailableHeader},
		},
	}
}
