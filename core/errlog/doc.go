// Package errlog reads the error logs of IBM MQ on Multiplatforms.
//
// [Scan] reads one log, record for record, in every layout that a queue manager
// or its container writes: the text of 7.x (AMQERR01.LOG), with the host and
// queue manager since 7.5 and with Time(...Z) and inserts since 9.0, JSON with
// one object a line (AMQERR01.json), and the console of a container ("basic",
// with or without the stamp of whoever collected it). The layout is found for
// each record, so files may be mixed. Nothing is found by words: the language,
// the encoding, the width of a line and the length of a name may be any.
//
// A record that is torn contributes nothing, and reading goes on behind it: a
// [Damage] says where. The last record of a log that is still being written is
// such a one.
//
// [Watermarks] reads all the logs of a queue manager and gives the newest
// restart and media recovery points that they tell (AMQ7467, AMQ7468), with the
// record each comes from and what a caller needs to judge whether it is stale,
// and what else in them a person should know.
package errlog
