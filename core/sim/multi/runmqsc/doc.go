// Package runmqsc runs MQSC on a simulated queue manager and prints what runmqsc
// prints: banner, echo, replies in two columns, and the count at the end.
//
// [Run] takes a script as people and dmpmqcfg write them. Which keywords there
// are depends on the release: what a level does not have is AMQ8405, as on a real
// one. Objects are displayed, defined, altered and deleted by the tables of
// package objects; what the queue manager refuses is told with the message of
// package amqerr. Authorities are not kept, and a command about them fails and
// says so.
package runmqsc
