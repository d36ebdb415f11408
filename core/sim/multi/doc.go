// Package multi is a simulated machine with an installation of IBM MQ for
// Multiplatforms: its queue managers, mqs.ini, and the control commands.
//
// A [Host] keeps its files under var/mqm of a disk. [Host.Run] carries out
// crtmqm, strmqm, rcdmqimg and the others as a shell would, and gives what they
// print and their exit code. Ids and exit codes are those of the reference
// where it has them; what no source gives stands in tables with its origin.
package multi
