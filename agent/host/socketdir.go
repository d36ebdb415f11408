package host

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// socketName is the length of the longest name that go-plugin gives its
// socket: "plugin" and a number of up to ten digits, with the slash before
// it. dirName is that of the directory made for one plugin.
const (
	socketName = 17
	dirName    = len("/mqhk-") + 10
)

// maxSocketPath is the length of the longest path of a socket on this system:
// 107 on Linux, 103 on macOS.
const maxSocketPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// socketDir makes a directory for the socket of one plugin, open to nobody
// else. A path that is too long would fail only at times, by the digits that
// the library draws (case 76), so it is measured first.
func socketDir(base string) (string, error) {
	named := base != ""
	base, err := filepath.Abs(cmp.Or(base, os.TempDir())) // the plugin is told of it
	if err != nil {
		return "", fmt.Errorf("making a socket directory: %w", err)
	}
	if !named && !shortEnough(base) && runtime.GOOS != "windows" { // there is no /tmp
		base = "/tmp"
	}
	if !shortEnough(base) {
		return "", fmt.Errorf("the socket directory %s is too long: with %d characters for the socket it has %d, and %d is the limit here",
			base, dirName+socketName, len(base)+dirName+socketName, maxSocketPath)
	}
	dir, err := os.MkdirTemp(base, "mqhk-") // 0700
	if err != nil {
		return "", fmt.Errorf("making a socket directory: %w", err)
	}
	return dir, nil
}

func shortEnough(base string) bool { return len(base)+dirName+socketName <= maxSocketPath }
