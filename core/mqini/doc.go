// Package mqini reads the configuration files of IBM MQ on Multiplatforms:
// qm.ini, mqs.ini, and what dspmqinf prints, as stanzas or as an addmqinf
// command.
//
// [Parse] reads any of them and refuses nothing: a line that it can't read is a
// [Problem], and the rest is read all the same. Typed readers stand above it:
// [Log], [MessageServices], [Managers].
//
// A setting is known, not given, or unclear: never guessed. A file that says
// two things of one attribute says nothing of it. What a housekeeper deletes
// depends on the kind of log, and a log's kind that is only likely is none
// (case 24).
package mqini
