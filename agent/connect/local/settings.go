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
	// Commands answers the commands of a simulated machine, in place of
	// processes. It has a data root and a clock of its own, and neither prefix
	// nor folder of commands. Nil: commands are processes.
	Commands connect.Commands
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

// LogHere gives a path of the log as it is: it is this machine's, but for that of
// a container.
func (m *machine) LogHere(path string) string {
	if len(m.settings.Prefix) > 0 {
		return ""
	}
	return path
}

// Reader gives who asks.
func (m *machine) Reader(ctx context.Context) (connect.Reader, error) {
	if m.settings.Commands == nil {
		return reader{m}, nil
	}
	runner, err := m.settings.Commands.Look(ctx)
	if err != nil {
		return nil, err
	}
	return reader{m.over(runner)}, nil
}

// Writer gives who changes. What it changes it learns itself when it is first
// told to.
func (m *machine) Writer(ctx context.Context) (connect.Writer, error) {
	if m.settings.Commands == nil {
		return newWriter(m), nil
	}
	runner, err := m.settings.Commands.Change(ctx)
	if err != nil {
		return nil, err
	}
	return newWriter(m.over(runner)), nil
}
