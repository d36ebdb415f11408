//go:build !linux

package store

// lowerPriority does nothing here. On AIX and macOS a nice value is that of the
// process and not of a thread: what keeps the leases of the runs would be
// lowered too. Start mqhk itself with nice(1), or START /LOW on Windows, and
// give the store a rate.
func lowerPriority() {}
