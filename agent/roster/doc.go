// Package roster knows which plugins there are: the built-in ones, and those of
// others in the one directory that the configuration names. It holds each of
// these against the lock file of the configuration, which the operator owns,
// and starts none that is not in it or differs from it.
//
// Listing starts nothing. [Roster.Lock] starts a plugin that is not locked yet,
// once, to learn its version: that is what who calls it agrees to.
package roster
