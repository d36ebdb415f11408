package plugintest

import (
	"context"
	"log/slog"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// Subject is a plugin that the checks start again and again: one in memory
// ([InMemory]), or a file that a host starts as a process.
type Subject interface {
	Start(ctx context.Context, options StartOptions) (Running, error)
}

// StartOptions are what a check wants of a start.
type StartOptions struct {
	// Stdout gets each line that the plugin writes to standard output after the
	// handshake; nil: nobody looks.
	Stdout func(line string)
}

// Running is a plugin that was started.
type Running interface {
	Describe() plugins.Description
	// Confirms tells whether the plugin can confirm actions, Performs whether
	// it can perform custom ones.
	Confirms() bool
	Performs() bool
	Check(ctx context.Context, request plugins.Request) ([]plugins.Complaint, error)
	Plan(ctx context.Context, request plugins.Request, asker observe.Asker, events Events) (plugins.Plan, error)
	Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, events Events) (plugins.Result, error)
	Perform(ctx context.Context, action plugins.Action, asker observe.Asker, do Do, events Events) (plugins.Result, error)
	// Gone tells that the plugin ended though nobody asked it to.
	Gone() bool
	// Stop asks the plugin to end and waits until it has. An error says that it
	// did not, or had to be killed.
	Stop() error
}

// Events are told what a plugin says during a call; both may be nil.
type Events struct {
	Progress func(done, total int64, what string)
	Log      slog.Handler
}

// Do sends the command of the action that is performed.
type Do func(context.Context, plugins.Command) (observe.Answer, error)

// Refuser is an asker that is told of the questions that were refused before
// they got to it.
type Refuser interface{ Refused(*observe.Refused) }

// EndLimit is how long a plugin may take to end when it is asked to, and a
// call when it is cancelled: after it a host kills the process.
const EndLimit = 2 * time.Second
