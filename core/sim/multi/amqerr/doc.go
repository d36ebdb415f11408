// Package amqerr writes the error logs of a simulated queue manager on
// Multiplatforms, AMQERR01.LOG to AMQERR03.LOG and the .json beside them, and
// holds the one table of the messages that are in them and that commands print.
//
// A [Writer] writes in the layout of a release: that of 7.0, that of 7.5 with
// host and queue manager, or that of 9.x with the time in UTC and the inserts.
// Package core/errlog reads each of them.
package amqerr
