package main

import (
	"sync/atomic"
	"time"
)

// ending is how a command ends after a signal. The zero value is that of most:
// at once, and with exit status 130.
type ending struct {
	extra   atomic.Int64 // nanoseconds that it may take beside the usual grace
	orderly atomic.Bool  // it is asked to stop by signals: its own exit status stands
}

// mayFinish gives a command more time to end after a signal.
func (e *ending) mayFinish(within time.Duration) { e.extra.Store(int64(within)) }

// staysUntilSignal says that the command ends by signals, as a daemon does.
func (e *ending) staysUntilSignal() { e.orderly.Store(true) }

// grace is how long the process may live after a signal: plugins are killed
// within two seconds.
func (e *ending) grace() time.Duration {
	return 4*time.Second + time.Duration(e.extra.Load())
}
