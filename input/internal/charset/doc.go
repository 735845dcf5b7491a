// Package charset turns the bytes of a value, as a database stores them, into UTF-8: by the tables that the driver converts values
// with, so that a value has one text whichever way it came (R47).
//
// It is exact or it fails: a byte that the character set does not assign is refused and never replaced. It knows single-byte sets,
// AL32UTF8, UTF8 (which is CESU-8) and AL16UTF16; a name that it does not know gives no Set. It is called by decode, which reads
// bytes, and by the engine, which names the sets. It is pure and owns no goroutine; a Set is shared.
package charset
