// Package qsg asks a queue-sharing group on z/OS for its facts: members,
// coupling facility structures with their backups, and shared message data
// sets.
//
// [Read] asks every question at most once, whoever needs its answer, and says
// of what was not answered that it is not known. Nothing here decides: what may
// go, and whether a recovery would work, plugins say from a [Group].
//
// Layouts come from the manuals and from published examples, and columns are
// found by their headings; what a release prints otherwise is read as not known.
package qsg
