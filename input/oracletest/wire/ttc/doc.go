// Package ttc holds the messages inside the DATA packets, one file per message (reference tns-server 3 and
// 5 to 8), and the bytes of values. Requests decode themselves from a Reader, answers append themselves to
// a buffer. Decoders are strict: what they do not know is an error with the offset, never a guess.
//
// It knows nothing of packets, sessions or statements: that is package wire, which calls it. It owns no
// goroutine.
package ttc
