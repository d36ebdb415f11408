// Package recovery holds the rule that decides which pieces of a queue
// manager's log may go.
//
// It is pure: facts and a promise go in, a verdict and a reason for each
// [Segment] come out. There is no I/O, no clock and no platform in it; the
// order of the segments and the place of each recovery point in that order
// are settled by core/observe before it is asked.
//
// The rule in one sentence: a recovery reads from its recovery point (a
// [Need]) to the newest entry without a hole, so whatever lies at or after
// the oldest need that the strategy keeps on the system stays, and what goes
// goes oldest first ([Decide]). Where the facts leave no bound nothing goes.
package recovery
