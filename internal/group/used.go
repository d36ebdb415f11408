package group

import "sync/atomic"

var used atomic.Bool

// Used tells whether any command of this process was made ready yet. Before
// that, no process that was left behind can be a command's.
func Used() bool { return used.Load() }
