// Package verifier is the server's half of the 12c log-on (verifier 0x4815, reference tns-server 5.4): the
// challenge, the check of the password the client sends back, and the proof that the server knew it too.
//
// It is called by package wire. It owns no goroutine.
package verifier
