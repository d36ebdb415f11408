// Package local reaches a queue manager on this machine, or in a container of
// it through a prefix such as docker exec -i NAME.
//
// Questions and changes go to the commands of IBM MQ in bindings mode: runmqsc,
// dspmq, rcdmqimg and their like, each with a time limit, in a process group of
// its own and without a shell. Files are looked at by this process itself; in a
// container by env, timeout, cat, ls, stat, unlink, ln, mv, sync and sh, which
// the container has to have (GNU coreutils).
//
// An answer counts when it is whole and this queue manager's: a half one, one in
// another language than English, one of another queue manager, or none in time
// is an error and never an answer.
package local
