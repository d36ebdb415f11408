package local

import (
	"cmp"
	"context"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
)

// Settings say how a queue manager is reached. The zero value reaches one on
// this machine.
type Settings struct {
	// Prefix is put in front of every command: docker exec -i NAME. Empty: the
	// queue manager is on this machine.
	Prefix []string
	// Bin is the folder of runmqsc and the other commands. Empty: that of PATH,
	// else the default folder of an installation; in a container, its own PATH.
	Bin string
	// Timeout is how long a question may take; zero: a minute.
	Timeout time.Duration
	// DataRoot is where mqs.ini is; empty: /var/mqm.
	DataRoot string
	// Rate is how many bytes a second of an extent are read to save it, so that
	// the disk of the log is left to the queue manager; zero: no limit.
	Rate int64
}

const (
	defaultTimeout = time.Minute
	defaultRoot    = "/var/mqm"
)

// Dial makes the connection. Nothing is run or opened yet.
func Dial(s Settings) connect.Dialer {
	s.Timeout = cmp.Or(s.Timeout, defaultTimeout)
	s.DataRoot = cmp.Or(s.DataRoot, defaultRoot)
	return newMachine(s)
}

// Reader gives who asks.
func (m *machine) Reader(context.Context) (connect.Reader, error) { return reader{m}, nil }

// Writer gives who changes. What it changes it learns itself when it is first
// told to.
func (m *machine) Writer(context.Context) (connect.Writer, error) { return newWriter(m), nil }
