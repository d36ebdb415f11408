// Package extents is the log of a simulated queue manager on Multiplatforms:
// the extents in active/, the log control file beside it, and what becomes of
// an extent that no recovery needs. It is the half of an engine.Owner that
// names, makes and lists the segments; the records in them are package wal's.
//
//	l, err := extents.Create(d, "var/mqm/log/QM1", extents.Settings{Kind: extents.Linear, Primary: 3, Secondary: 2, FilePages: 4096})
//	l, err = extents.Open(d, "var/mqm/log/QM1", settings)   // of qm.ini, at each start
//	l.Segments(), l.Open, l.Next, l.Begun                   // for the engine
//	pass, err := l.Passed(restart, media)                   // at each checkpoint
//	err = l.Archived("S0000012.LOG")                        // SET LOG ARCHIVED
//
// # Kinds
//
// A circular log is a ring of files that keep their names: the primary files,
// and secondary ones while the restart needs more. A file is written again when
// no restart needs what is in it. A linear log begins a file of the next number
// each time, 9999999 followed by 0000000, and what becomes of the old ones is
// for its management:
//
//   - Manual: whoever looks after it removes them. The log only forgets those
//     that are gone and that neither restart nor media recovery needs.
//   - Automatic: extents that neither needs are emptied for reuse (named R) or
//     deleted.
//   - Archive: the same, but only of those that were reported archived. It is
//     done from the oldest on, so that what is there has no gap.
//
// The records that a restart needs may span at most LogPrimaryFiles and
// LogSecondaryFiles together, of a linear log too (reference, Multiplatforms
// 4.3 item 92); then [Log.Next] says [ErrFull].
//
// # What a crash leaves
//
// The control file is written in one of two places in turn, each with a
// checksum, so that it needs no room on a file system that is full and has
// always one whole state. Whatever goes from active/ leaves the list first,
// durably; whatever comes is prepared first. So a crash at any point leaves
// every extent of the list in its place.
//
// What is in active/ decides what a linear log has. [Open] lists again what
// was there before its oldest extent, or behind its newest, and joins it by its
// header; another log's extent, a gap or a header that does not fit ends that. The
// files of a ring are found by their headers too, where the control file is older.
// An extent that was begun behind the list and does not join it is [ErrGap].
//
// Only a file that the log has made is written, renamed or removed by it: a
// stranger's that has the name of the next extent is [ErrOccupied].
//
// Before the first [Log.Passed] after Open the log is not held to its limit and
// gives nothing up: it is the restart's first checkpoint that tells where the
// log stands.
package extents
