// Package qsgtest makes transcripts of queue-sharing groups for tests,
// benchmarks and oracles.
//
// [Write] writes a transcript from facts, in one of the layouts in which a group
// answers; [Make] makes facts of a group of any size from a seed. What is made
// is consistent: a backup lies in its member's log, every log in the inventory
// that holds it, and the times in order. It is no simulator: nothing happens in
// it.
package qsgtest
