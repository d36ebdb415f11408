// Package agent stays, and runs the tasks of policies on their schedules.
//
// A firing of a schedule is one run of one task over the targets that it
// matches. What a run does is not known here: the agent is given a [Runner].
// That a firing runs once, however many agents there are, is the ledger's doing:
// the runner claims it there by its key. What nobody ran is written there too,
// so that it shows, and an agent that starts learns from it what was missed.
package agent
