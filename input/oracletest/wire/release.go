package wire

// release is what a database says of its version.
type release struct {
	number uint32 // major<<24 | minor<<16
	banner string
}

var releases = map[int]release{
	19: {
		number: 19<<24 | 3<<16,
		banner: "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nVersion 19.3.0.0.0",
	},
	23: {
		number: 23<<24 | 4<<16,
		banner: "Oracle Database 23ai Free Release 23.0.0.0.0 - Develop, Learn, and Run for Free\nVersion 23.4.0.0.0",
	},
}

// protocolBanner is the name of the platform in the protocol message.
const protocolBanner = "x86_64/Linux 2.4.xx"
