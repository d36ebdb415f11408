//go:build unix

package main

import (
	"errors"
	"io/fs"
	"syscall"
)

// linksOf tells under how many names a file is known.
func linksOf(info fs.FileInfo) (uint64, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errors.New("nothing tells how many names it has")
	}
	return uint64(stat.Nlink), nil //nolint:unconvert // its type differs between systems
}
