//go:build unix

package qmgr

import (
	"io/fs"
	"syscall"
)

// ownerOf gives whose a file is.
func ownerOf(info fs.FileInfo) owning {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return owning{}
	}
	return owning{User: s.Uid, Group: s.Gid, Known: true}
}
