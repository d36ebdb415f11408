// Package crashdisk is a disk in memory that keeps to the promises of package
// disk and to nothing else: what was not synced is forgotten in a crash, or is
// kept in part. It is how the log, and whatever is built on it, is tested
// against crashes at every point.
//
// A [Disk] is a disk.FS. Three things can happen to it, and all open files end
// in each:
//
//   - [Disk.Kill]: the process dies, the system goes on. Nothing is lost, and
//     nothing is durable that was not.
//   - [Disk.Crash]: everything that was not synced is gone, names too.
//   - [Disk.CrashAfter] and [Disk.CrashScattered]: some of it is still there, a
//     write torn at any byte, or any sectors without those before them.
//
// [Disk.Fault] makes single operations fail: a write that stops in the middle,
// a sync that fails or that only says it was done. [Disk.Limit] makes it run
// full. Folders need not be made, and are not lost.
package crashdisk
