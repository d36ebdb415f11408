// Package run does one run: it observes each target once, lets plugins plan
// under every policy asked for, and writes down what was seen and what would
// be done as a ledger.Record. It changes nothing: a plan is the same code
// stopped before there are hands.
package run
