//go:build unix

package main

import (
	"golang.org/x/sys/unix"

	"github.com/mqhk/mqhk/agent/connect"
)

// writable tells whether this user may make files in a folder, without making
// one.
func writable(dir string) connect.Verdict {
	if unix.Access(dir, unix.W_OK|unix.X_OK) == nil {
		return connect.Yes
	}
	return connect.No
}
