// Package disk is the file layer under a log and under every other file whose
// content must survive a crash: the few operations that durability is made
// of, as an interface, and [At], which does them on the real file system.
//
// It names what each operation promises after a crash, no more:
//
//   - a write is durable when a later [File.Sync] of that file has returned nil;
//   - a new name, a rename and a removal are durable when a later [FS.SyncDir]
//     of the folder has returned nil; a rename is whole or not at all;
//   - a [File.Sync] that failed promises nothing, and neither does one that is
//     tried again after it: the system may have thrown the data away and
//     forgotten that it did.
//
// Package crashdisk beside it keeps to the same promises and to nothing
// else; what runs on it and survives relies on them alone.
package disk
