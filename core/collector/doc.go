// Package collector prints scripts that write a transcript on the system that
// the transcript is about, for sites whose security allows no connection: an
// administrator reads the script, runs it with means the system has, and
// mails the file.
//
// A script only reads. The one thing it changes is its output file, which it
// makes and never replaces. What a service of an older level lacks becomes an
// ERROR block or an unknown column of the transcript, never the end of the
// script: a plan on such a transcript says what it misses.
package collector
