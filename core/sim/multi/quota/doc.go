// Package quota is a file system of limited size over a part of a disk: what
// does not fit is an error that wraps syscall.ENOSPC, and nothing was written.
//
//	logs := quota.New(d, "var/mqm/log", 64<<20)
//	logs.Size(), logs.Used(), logs.Free()
//
// It is the whole disk, and names outside its folder pass through without a
// limit, so that one stands on the other where there are several file systems.
package quota
