// Package bundle is the distribution as a list of imports: the runtime's own components that it carries and every plugin of
// this module. Importing it registers them all.
//
// It is imported by the programs of this module and by tests that need the whole distribution. It owns no goroutine.
package bundle
