package ttc

// Code is the first byte of a message.
type Code uint8

// Message codes.
const (
	CodeProtocol         Code = 1
	CodeDataTypes        Code = 2
	CodeFunction         Code = 3
	CodeSummary          Code = 4
	CodeRowHeader        Code = 6
	CodeRow              Code = 7
	CodeReturnParameters Code = 8
	CodeStatus           Code = 9
	CodeBindDirections   Code = 11
	CodeLobData          Code = 14
	CodeDescribe         Code = 16
	CodePiggyback        Code = 17
	CodeBitVector        Code = 21
	CodeServerPiggyback  Code = 23
	// CodeNetworkServices is the first byte of the network services block, DE AD BE EF.
	CodeNetworkServices Code = 0xDE
)

// Function is the second byte of a function call or piggyback.
type Function uint8

// Functions a client calls.
const (
	FunctionReExecute         Function = 0x04
	FunctionFetch             Function = 0x05
	FunctionLogoff            Function = 0x09
	FunctionCommit            Function = 0x0E
	FunctionRollback          Function = 0x0F
	FunctionVersion           Function = 0x3B
	FunctionReExecuteAndFetch Function = 0x4E
	FunctionExecute           Function = 0x5E
	FunctionLob               Function = 0x60
	FunctionCloseCursors      Function = 0x69
	FunctionAuthTwo           Function = 0x73
	FunctionAuthOne           Function = 0x76
	FunctionCancelCursors     Function = 0x78
	FunctionEndToEnd          Function = 0x87
	FunctionPing              Function = 0x93
	FunctionCurrentSchema     Function = 0x98
)

// Dialect is what the negotiation settled about the shape of the messages.
type Dialect struct {
	// FieldVersion is the TTC field version, the smaller one of both sides.
	FieldVersion uint8
	// PrefixedText says that the client sends character data with a length in front.
	PrefixedText bool
	// NativeScale says that a column's scale is one signed byte; otherwise it is a compressed integer.
	NativeScale bool
}
