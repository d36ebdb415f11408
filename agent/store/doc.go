// Package store keeps segments that leave a system, and says which are kept.
//
// A segment counts as saved when its manifest says so and only then. A copy
// becomes one in this order: it is written under a name of its own, synced,
// read back and compared by SHA-256, renamed, the folder synced; then the
// manifest goes the same way. Power lost at any moment leaves a whole copy
// that is listed, or none. [Directory.Put] returns after the last step, so
// that what it said can be followed by a delete.
//
// There are four kinds. [Directory] keeps the segments themselves, or save
// files that hold them. [Command] hands them to commands of the site's archive
// and keeps the manifests. [External] keeps nothing: the site saves, and
// the system's own list tells when that is proved.
//
// A copy that is compressed is a row of zstd frames with a table at its end. One
// engine compresses and reads back for all stores of the process, on several
// processors and in bounded memory; what reads a log of this machine does so at
// low priority.
//
// A copy is removed by [Directory.Remove] alone, and [Prunable] says which may
// be: those older than every range that a recovery needs. What is cleared away
// besides is what was never a copy, or is none any more: files of one that was
// cut short, in its making or in its removal.
package store
