package ttc

// MaxFieldVersion is the field version offered: 12, that of 19c, passes with every client of the reference
// (tns-server 2).
const MaxFieldVersion = 12

const (
	capFieldVersion = 7
	capTypeWidth    = 27
	runTimeZone     = 1 // bit 0x01: an 11-byte time zone block travels in the data type message
)

// CompileTime is the compile-time capabilities of the server for a field version (reference tns-server 2).
// A caller may change what it got.
func CompileTime(fieldVersion uint8) []byte {
	c := make([]byte, 53)
	c[0] = 6
	c[4] = 0x2A // O5LOGON; 0x20 is mandatory for go-ora with the 12c verifier
	c[capFieldVersion] = fieldVersion
	c[8] = 1
	c[15] = 0x09 // end of call status in messages 4 and 9
	c[16] = 0x11 // end-to-end sequence in messages 4 and 9
	c[23] = 0xC7
	c[capTypeWidth] = 1 // type codes of two bytes
	c[37] = 0x20        // lengths of chunks are compressed integers
	return c
}

// RunTime is the run-time capabilities of the server. A caller may change what it got.
func RunTime() []byte {
	c := make([]byte, 11)
	c[0] = 2
	c[runTimeZone] = 1
	c[6] = 4 // strings of 32 KB
	return c
}
