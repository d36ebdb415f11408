package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/internal/group"
)

const (
	// mostOutput is how much is kept of what a command prints, in bytes.
	mostOutput = 4 << 10
	// lastWords is how long its output is waited for after it has ended.
	lastWords = 5 * time.Second
)

// command makes a command ready: its arguments filled in, its environment
// cleaned, ended with all that it started when the context ends.
func (k keptElsewhere) command(ctx context.Context, arguments []string, m Manifest) (*exec.Cmd, error) {
	filled, err := fill(arguments, m)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filled[0], filled[1:]...) //nolint:gosec // the operator's own program, without a shell
	cmd.Env = []string{}                                      // nil would be all of ours
	for _, name := range slices.Concat(DefaultEnv(), k.settings.Env) {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.WaitDelay = lastWords
	group.Own(cmd)
	return cmd, nil
}

// run runs a command to its end. An exit status other than 0 is an
// *exec.ExitError.
func (k keptElsewhere) run(ctx context.Context, what string, arguments []string, m Manifest, input io.Reader) error {
	limited, cancel := context.WithTimeout(ctx, k.settings.Timeout)
	defer cancel()
	cmd, err := k.command(limited, arguments, m)
	if err != nil {
		return err
	}
	said := &firstBytes{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, said, said
	return k.outcome(limited, what, cmd.Run(), said)
}

// outcome says how a command ended.
func (k keptElsewhere) outcome(ctx context.Context, what string, err error, said *firstBytes) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("command %s did not end in time: %w: %s", what, ctx.Err(), said)
	case ctx.Err() != nil:
		return fmt.Errorf("command %s: %w", what, ctx.Err())
	}
	return fmt.Errorf("command %s: %w: %s", what, err, said)
}

// start starts a command whose output is read.
func (k keptElsewhere) start(ctx context.Context, what string, arguments []string, m Manifest) (*process, error) {
	limited, cancel := context.WithTimeout(ctx, k.settings.Timeout)
	cmd, err := k.command(limited, arguments, m)
	if err != nil {
		cancel()
		return nil, err
	}
	p := &process{said: &firstBytes{}, cancel: cancel}
	cmd.Stderr = p.said
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("command %s: %w", what, err)
	}
	p.output = output
	p.wait = func() error { return k.outcome(limited, what, cmd.Wait(), p.said) }
	return p, nil
}

// process is the output of a command. It ends when the command ended well.
type process struct {
	output io.Reader
	said   *firstBytes
	wait   func() error
	cancel context.CancelFunc
	ended  error // what the last read gave; nil: the command may be running
}

func (p *process) Read(b []byte) (int, error) {
	if p.ended != nil {
		return 0, p.ended
	}
	n, err := p.output.Read(b)
	if err == nil {
		return n, nil
	}
	p.ended = p.wait()
	if p.ended == nil {
		p.ended = err
	}
	return n, p.ended
}

// Close ends the command when its output was not read to the end.
func (p *process) Close() error {
	p.cancel()
	if p.ended == nil {
		p.ended = errors.New("the output of the command was closed")
		_ = p.wait() // it was ended just now, which is no news
	}
	return nil
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct{ kept bytes.Buffer }

func (f *firstBytes) Write(b []byte) (int, error) {
	f.kept.Write(b[:min(len(b), mostOutput-f.kept.Len())])
	return len(b), nil
}

// String gives what was printed as one quoted line: it may hold anything.
func (f *firstBytes) String() string {
	if text := strings.TrimSpace(f.kept.String()); text != "" {
		return fmt.Sprintf("%q", text)
	}
	return "it printed nothing"
}
