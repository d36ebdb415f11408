// Package os400 is the part of an IBM i system that a journal needs: libraries
// and their objects, journals with their receivers, message queues and their
// inquiries, save files, user spaces, stream files, and the storage they take.
// It knows nothing of IBM MQ: who writes a journal is a [Writer].
//
// A receiver is a file that package wal writes, as a segment of the log. What
// the system knows about it stands in system.json and, as far as it has changed
// since that was written, in system.changes: a line for each change, durable
// before the change is acknowledged. A message queue is a file of lines that
// grows; a save file is its index and the receivers in it.
//
// A receiver goes from the directory before its file goes from the disk, and
// comes to the disk before it comes to the directory. So a crash leaves files
// without a receiver at most: they are listed in the state, or go when a
// receiver of their name is made.
//
// Deletions alone may wait for the disk together ([System.DeleteReceiverLater],
// [System.Force]). A crash undoes those that were not forced, whole: their
// files go behind the force. Changes are in the file in the order in which they
// were made, so what is durable never lies behind what is not.
//
// The next receiver is promised ([Log.Next]) before it is begun, and attached
// when it was ([Log.Begun]): while a crash or a full disk keeps the writer from
// it, the one before it stays attached and no rule lets it go.
//
// Names, states, messages and rules are those of the reference: IBM i,
// sections 1, 2.3, 3.3 to 3.7. What no source confirms is in one table,
// package wording.
package os400
