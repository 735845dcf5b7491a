// Package tns frames the stand-in's byte stream: TNS packets, the connect exchange and markers (reference
// tns-server 4). It knows nothing of the messages inside a DATA packet, which are package ttc's.
//
// It is called by package wire. It owns no goroutine.
package tns
