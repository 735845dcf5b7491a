// Package rendezvous is where input, processor and output of one stream find each other, through the runtime's
// resources: settings taken over, processors and outputs present, the recorded stop. It is the only channel between
// them besides the messages.
//
// The input creates its meeting point in its constructor; processor and output look it up when they first need it, since
// the runtime builds them later. It owns no goroutine.
package rendezvous
