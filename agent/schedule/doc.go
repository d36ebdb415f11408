// Package schedule says when a task runs, and waits for it.
//
// A schedule is a cron expression of five fields in a named time zone. The
// expression is read here, by rules that say no where the cron library says
// something else than the operator means: a date that never comes, a step
// longer than its field, a zone hidden in the expression (cases 65 and 66).
// Only what was read is handed to the library, as plain numbers, and the
// library is asked about dates alone. What a change of the clocks does to
// them is decided here:
//
//   - A schedule with fixed hours runs once for each time of day that it is
//     written for: a time that the day does not have at the end of the gap, a
//     time that the day has twice in its first hour.
//   - A schedule with * or */n hours runs on elapsed time: at each minute that
//     the clocks really show, in both passes of a doubled hour.
//
// [Loop] starts what is due. It knows neither ledger nor policy: what a firing
// means, and whether it was claimed already, is for its [Handler].
package schedule
