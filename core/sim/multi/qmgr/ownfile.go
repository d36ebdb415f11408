package qmgr

import (
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// OwnFile tells whether a file in a queue manager's data folder is the
// simulator's own: what it must know beside the queue manager, and what is kept
// of one that is suspended. No real queue manager has it.
func OwnFile(name string) bool {
	base := strings.TrimSuffix(path.Base(name), disk.NewSuffix)
	return base == stateFile || base == "suspended" || strings.HasPrefix(base, "sim-") || strings.HasSuffix(base, ".mem")
}
