//go:build unix

package ledger

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// foreign says why a folder is another user's; empty: it is this process's
// own. What root writes there the owner could not write any more.
func foreign(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Geteuid() {
		return ""
	}
	return fmt.Sprintf("the folder belongs to user %d, and this is user %d: run mqhk as its owner (sudo -u)", stat.Uid, os.Geteuid())
}
