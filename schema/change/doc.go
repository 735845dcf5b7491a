// Package change holds what capture hands on: events with their decoded row, their rendered bytes and their place in
// the redo, and the context key under which an event travels with its message through the runtime.
//
// An Event is not modified once it was handed on: the schema processor and the output read it from the message's
// context. It owns no goroutine.
package change
