// Package ibmi is a simulated IBM i system with its queue managers, as one
// meets it from outside: by CL commands and by questions.
//
// [Machine.Run] carries out one CL command. The table of commands says which
// there are, their parameters with values and defaults, and who carries them
// out; the files commands_*.go hold it, by subject. What a person would see is
// a [Result], an *os400.Error for an escape message, or an *os400.Waiting for
// a job that waits for a reply.
//
// [Machine.Ask] answers the questions of package observe: services as CSV from
// the tables of services_*.go, MQSC displays in the layout of runmqsc, user
// spaces, stream files, the room in the ASP, and CL displays.
//
// Commands, columns and layouts are those of the reference, IBM i sections 3,
// 5 and 7. Ids of messages that no source confirms are marked in package wording.
package ibmi
