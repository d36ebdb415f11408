// Package os400 is the part of an IBM i system that a journal needs: libraries
// and their objects, journals with their receivers, message queues and their
// inquiries, save files, user spaces, stream files, and the storage they take.
// It knows nothing of IBM MQ: who writes a journal is a [Writer].
//
// A receiver is a file that package wal writes, as a segment of the log. What
// the system knows about it stands in system.json, which is replaced as a
// whole, durably, before a change is acknowledged. A message queue is a file of
// lines that grows; a save file is its index and the receivers in it.
//
// A receiver goes from the directory before its file goes from the disk, and
// comes to the disk before it comes to the directory. So a crash leaves files
// without a receiver at most: they are listed in system.json, or go when a
// receiver of their name is made.
//
// The next receiver is promised ([Log.Next]) before it is begun, and attached
// when it was ([Log.Begun]): while a crash or a full disk keeps the writer from
// it, the one before it stays attached and no rule lets it go.
//
// Names, states, messages and rules are those of the reference: IBM i,
// sections 1, 2.3, 3.3 to 3.7. What no source confirms is in one table,
// package wording.
package os400
