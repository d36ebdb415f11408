package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/internal/group"
)

const (
	// mostOutput is how much a command may print, and a file that is asked for
	// may hold, in bytes.
	mostOutput = 64 << 20
	// mostSaid is how much is kept of what a command says beside its answer.
	mostSaid = 64 << 10
	// The exit codes of timeout, which bounds commands in a container.
	timedOut, timedOutKilled = 124, 137
	// grace is how long a command may take to end that was told to.
	grace = 2 * time.Second
)

// What kept a command from ending as it should.
var (
	errTooLong = fmt.Errorf("it printed more than %d MiB", mostOutput>>20)
	errHeld    = errors.New("what it started holds its output open, so that nobody knows whether that is all")
)

// ended is a command that came to its end by itself.
type ended struct {
	output []byte // standard output
	said   []byte // standard error, its beginning
	code   int
}

// both gives all that was printed, the answer first.
func (e ended) both() []byte { return append(bytes.Clone(e.output), e.said...) }

// notRun says that a command could not be started.
type notRun struct{ err error }

func (e *notRun) Error() string { return e.err.Error() }
func (e *notRun) Unwrap() error { return e.err }

// run runs a command to its end. Its group is told to end when the context
// does, and is killed [grace] later. The error says that it did not end by
// itself, or that its output is not whole: *notRun, errTooLong, errHeld, or that
// of the context. An exit code is no error.
func (m *machine) run(ctx context.Context, argv []string, input io.Reader) (ended, error) {
	if m.runner != nil {
		return m.answered(ctx, argv, input)
	}
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd, err := m.command(limited, argv)
	if err != nil {
		return ended{}, err
	}
	output := &bounded{most: mostOutput, over: func() { cancel(errTooLong) }}
	said := &bounded{most: mostSaid}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, output, said
	err = cmd.Run()
	result := ended{output.kept.Bytes(), said.kept.Bytes(), cmd.ProcessState.ExitCode()}
	if limited.Err() != nil || errors.Is(err, exec.ErrWaitDelay) {
		group.Kill(cmd)
	}
	var exit *exec.ExitError
	switch {
	case limited.Err() != nil:
		return result, context.Cause(limited)
	case output.full.Load():
		return result, errTooLong
	case cmd.ProcessState == nil:
		return result, &notRun{err}
	case errors.Is(err, exec.ErrWaitDelay):
		return result, errHeld
	case len(m.settings.Prefix) > 0 && (result.code == timedOut || result.code == timedOutKilled):
		return result, context.DeadlineExceeded
	case err == nil, errors.As(err, &exit) && exit.Exited():
		return result, nil
	default: // ended by a signal, or its output could not be read
		return result, err
	}
}

// answered has a simulated machine carry out a command.
func (m *machine) answered(ctx context.Context, argv []string, input io.Reader) (ended, error) {
	var text []byte
	if input != nil {
		var err error
		if text, err = io.ReadAll(input); err != nil {
			return ended{}, &notRun{err}
		}
	}
	result, err := m.runner.Run(ctx, argv, text)
	switch {
	case errors.Is(err, connect.ErrNotSent):
		return ended{}, &notRun{err}
	case err == nil && len(result.Output) > mostOutput:
		err = errTooLong
	}
	return ended{result.Output, result.Said[:min(len(result.Said), mostSaid)], result.Code}, err
}

// command makes a command ready: found, its environment cleaned, in a group of
// its own.
func (m *machine) command(ctx context.Context, argv []string) (*exec.Cmd, error) {
	argv = m.wrapped(ctx, argv)
	path, err := m.find(argv[0])
	if err != nil {
		return nil, &notRun{err}
	}
	cmd := exec.CommandContext(ctx, path, argv[1:]...) //nolint:gosec // words of the tables, without a shell
	cmd.Env = m.environment()
	cmd.WaitDelay = grace
	group.Asked(cmd)
	return cmd, nil
}

// bounded keeps the beginning of what is written to it, and tells when there is
// more.
type bounded struct {
	kept bytes.Buffer
	most int
	full atomic.Bool
	over func()
}

func (b *bounded) Write(p []byte) (int, error) {
	b.kept.Write(p[:min(len(p), b.most-b.kept.Len())])
	if b.over != nil && b.kept.Len() == b.most && !b.full.Swap(true) {
		b.over()
	}
	return len(p), nil
}
