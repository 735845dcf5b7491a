package stop

// Code is a stable error number, CDC-nnnn in messages and the name of a runbook.
type Code int

// The codes. Their meanings are in the table below; they never change their meaning.
const (
	Unavailable   Code = 1001
	StepFailed    Code = 1002
	Unclassified  Code = 1003
	RedoGap       Code = 2001
	RedoPurged    Code = 2002
	Undecodable   Code = 3001
	Corrupt       Code = 3002
	LOBTooLarge   Code = 3003
	PositionNewer Code = 3004
	UndoUnmatched Code = 3005
	BufferFull    Code = 4001
	JournalGone   Code = 4002
	Stalled       Code = 4003
	TooOld        Code = 4004
	Identity      Code = 5001
	Privilege     Code = 5002
	Configuration Code = 5003
	NoDictionary  Code = 6001
	DDL           Code = 6002
	SchemaDiffers Code = 6003
	NameCollision Code = 6004
	CommitAfter   Code = 7001
	Orphan        Code = 7002
	TooLate       Code = 7003
	SnapshotOld   Code = 8001
	Broker        Code = 9001
	Fenced        Code = 9002
	Refused       Code = 9003
	Topic         Code = 9004
	Registry      Code = 9005
)

// Entry is a row of the table of codes.
type Entry struct {
	Code    Code
	Meaning string
	// Action is what the operator does when a finder of the fault says nothing better.
	Action string
	// Retried: tried again inside before it stops.
	Retried bool
}

// Anew is the way out where what is stored is of no use any more.
const Anew = "begin anew with a new topic_prefix, whose first start reads what the tables hold (snapshot.mode: initial)"

// again is the way out without another prefix where the redo is gone: consumers keep rows that were deleted in between.
const again = "restart with snapshot.mode: when_needed, which reads the tables again into the same topics and leaves rows there that were deleted meanwhile"

// Codes lists the table in numerical order.
func Codes() []Entry {
	return []Entry{
		{Unavailable, "connection or instance not available", "check that the database and its listener are up and reachable", true},
		{StepFailed, "a mining step failed with an error that mining again cures", "look for the cause in the database's alert log, then restart", true},
		{Unclassified, "an ORA code that nobody classified", "report the code; restart once its cause is removed", false},
		{RedoGap, "a gap in the redo", "restore the missing archived logs; without them, " + Anew + ", or " + again, false},
		{RedoPurged, "redo that is needed was purged or cannot be read", "restore the archived logs named; without them, " + Anew + ", or " + again, false},
		{Undecodable, "a row, statement or key that cannot be decoded or published", "see the runbook; exclude the table, fix its cause, or set on_decode_error: dlq, then restart", false},
		{Corrupt, "corruption: a bad address, a damaged position, or an impossible order", "do not skip it: see the runbook", false},
		{LOBTooLarge, "a LOB over the limit", "exclude the table", false},
		{PositionNewer, "the stored position was written by a newer version", "run the version that wrote it, or a newer one", false},
		{UndoUnmatched, "an undo row without its change in a committed transaction", "see the runbook", false},
		{BufferFull, "the transaction buffer is exhausted", "raise transactions.memory, or end the transactions named", false},
		{JournalGone, "the transaction journal is damaged or gone", "restore the journal topic; without it, " + Anew, false},
		{Stalled, "mining stalled", "look for what blocks LogMiner in the database, then restart", false},
		{TooOld, "a transaction is open for too long", "end the transaction named", false},
		{Identity, "database identity, incarnation, role, topology or log mode does not fit", "connect to the database the position was made on, or " + Anew, false},
		{Privilege, "a privilege is missing or the log-on was refused", "grant what is named to the capture user, or correct the credentials", false},
		{Configuration, "the configuration does not fit the database", "correct the setting or the database as named", false},
		{NoDictionary, "no dictionary for rows older than a DDL", "exclude the table, or " + Anew, false},
		{DDL, "a DDL that is not classified or not supported", "see the runbook; exclude the table, or " + Anew, false},
		{SchemaDiffers, "a stored schema or object id differs from the dictionary", "exclude the table, or " + Anew, false},
		{NameCollision, "two names became one", "change topics.template or records.field_name_adjustment, or exclude one of the two, as the message says", false},
		{CommitAfter, "a COMMIT of a transaction that was released", Anew, false},
		{Orphan, "an open transaction whose end is missing from the redo", "see the runbook", false},
		{TooLate, "a change or commit that came too late", "restart once; should it come again, report it, and " + Anew, false},
		{SnapshotOld, "the snapshot is too old", "raise UNDO_RETENTION, or lower snapshot.chunk_rows; then restart, and the snapshot goes on where it is", false},
		{Broker, "the Kafka broker is not available", "check that the brokers are up and reachable", true},
		{Fenced, "another instance took over, or the position belongs to a foreign run", "stop the other instance, then restart this one", false},
		{Refused, "Kafka refused a record", "raise the topic's max.message.bytes and max_message_bytes of the output, or see the runbook", false},
		{Topic, "a topic is missing or has the wrong policy", "create or alter the topic as named", false},
		{Registry, "the schema registry refused or is not available", "check the registry and the subject's compatibility", false},
	}
}

// Lookup finds a code's row.
func Lookup(c Code) (Entry, bool) {
	for _, e := range Codes() {
		if e.Code == c {
			return e, true
		}
	}
	return Entry{}, false
}
