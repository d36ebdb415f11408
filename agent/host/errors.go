package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrInsidePlugin is what a plugin gets that tries to be a host. A program
// that starts itself would otherwise do so for ever.
var ErrInsidePlugin = errors.New("this process is itself a plugin and starts none")

// ErrStopped is what a call gets when the process was stopped meanwhile.
var ErrStopped = errors.New("the plugin was stopped")

// StartError says that a plugin could not be started.
type StartError struct {
	Plugin string
	Exit   string   // how the process ended by itself; empty: it did not
	Stderr []string // the last lines it wrote
	Err    error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("starting %s: %v%s", strings.TrimSpace("plugin "+e.Plugin), e.Err, aftermath(e.Exit, e.Stderr))
}

func (e *StartError) Unwrap() error { return e.Err }

// CrashError says that a plugin's process, or its connection, went away in
// the middle of a call.
type CrashError struct {
	Plugin string
	Call   string
	Exit   string   // "exit status 2", "signal: killed"; empty: it still runs
	Stderr []string // the last lines it wrote, a panic's first
	Err    error    // what the connection said
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("plugin %s died in %s%s", e.Plugin, e.Call, aftermath(e.Exit, e.Stderr))
}

func (e *CrashError) Unwrap() error { return e.Err }

// DeadlineError says that a call did not end in time.
type DeadlineError struct {
	Plugin string
	Call   string
	After  time.Duration // since the call began
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("plugin %s: %s did not end within %s", e.Plugin, e.Call, e.After.Round(time.Millisecond))
}

// Unwrap makes it a context.DeadlineExceeded.
func (e *DeadlineError) Unwrap() error { return context.DeadlineExceeded }

// PluginError says that a plugin answered a call with an error, or with
// something that makes no sense. The process lives.
type PluginError struct {
	Plugin string
	Call   string
	Err    error // a *wire.Error, or the error of a question; what was wrong with the answer
}

func (e *PluginError) Error() string {
	return fmt.Sprintf("plugin %s: %s: %v", e.Plugin, e.Call, e.Err)
}

func (e *PluginError) Unwrap() error { return e.Err }

// LimitError says that a plugin took, sent or asked more than it may. It
// stands in a *PluginError where the process lives on. Call is empty when it
// happened at no call.
type LimitError struct {
	Plugin, Call string
	What         string // "bytes of resident memory", "bytes of a plan", "questions"
	Limit, Got   int64
}

func (e *LimitError) Error() string {
	call := ""
	if e.Call != "" {
		call = e.Call + ": "
	}
	return fmt.Sprintf("plugin %s: %s%d %s, and the limit is %d", e.Plugin, call, e.Got, e.What, e.Limit)
}

// aftermath tells what was left of a process.
func aftermath(exit string, stderr []string) string {
	var b strings.Builder
	if exit != "" {
		b.WriteString(" (" + exit + ")")
	}
	for _, line := range stderr {
		b.WriteString("\n    | " + line)
	}
	return b.String()
}
