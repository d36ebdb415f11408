// Package schedule says when a task runs.
//
// A schedule is a cron expression of five fields in a named time zone. The
// expression is read here, by rules that say no where the cron library says
// something else than the operator means: a date that never comes, a step
// longer than its field, a zone hidden in the expression (cases 65 and 66).
// Only what was read is handed to the library, as plain numbers.
package schedule
