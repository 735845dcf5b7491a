package debezium

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
}

// origin says where the content of a member comes from.
type origin uint8

// Origins. Up to the mark constants they do not change within a table version and are rendered once; those from the mark
// transactional on are null in records outside a transaction (snapshots).
const (
	// nothing is a member that is always null.
	nothing origin = iota
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
	sourceBlock
	operation
	// The commit time of the transaction or the time a snapshot chunk was read, in three units.
	commitMillis
	commitMicros
	commitNanos
	changeMillis
	snapshotMark
	changeSCN
	rowID
	reselectResult

	transactional // no origin: those below belong to a transaction

	transactionBlock
	transactionID
	commitSCN
	recordSetID
	sqlSequence
	redoThread
	userName
)

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
			{"before", beforeImage},
			{"after", afterImage},
			{"source", sourceBlock},
			{"op", operation},
			{"ts_ms", commitMillis},
			{"ts_us", commitMicros},
			{"ts_ns", commitNanos},
			{"transaction", transactionBlock},
		},
		source: []member{
			{"version", connectorVersion},
			{"connector", connectorName},
			{"name", serverName},
			{"ts_ms", changeMillis},
			{"snapshot", snapshotMark},
			{"db", databaseName},
			{"sequence", nothing},
			{"schema", ownerName},
			{"table", tableName},
			{"txId", transactionID},
			{"scn", changeSCN},
			{"commit_scn", commitSCN},
			{"rs_id", recordSetID},
			{"ssn", sqlSequence},
			{"redo_thread", redoThread},
			{"user_name", userName},
			{"row_id", rowID},
			{"pdb", pdbName},
			{"reselect", reselectResult},
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
