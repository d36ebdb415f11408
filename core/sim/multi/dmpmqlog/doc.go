// Package dmpmqlog prints the log of a queue manager that is down, as the
// command of that name does: the log file header, and each record with its
// fields (SEED 7.6; reference, Multiplatforms 5). The names of fields and
// records are those of the seed; how they are spaced is from memory, which
// record.go keeps in one table. A number stands behind the name of a record
// type where it is known.
//
// What the lines "lrecsize" of the records from one LSN to another say sums to
// the difference of the two: an LSN is a position in bytes.
package dmpmqlog
