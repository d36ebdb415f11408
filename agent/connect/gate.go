// Package connect reaches queue managers, and holds the gate through which
// everything that could change one must pass.
package connect

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// Mode says what a run may do.
type Mode uint8

// The modes. The zero value is none: before the mode is known nothing may be
// changed.
const (
	NoMode Mode = iota
	Plan        // look only
	Apply       // look, then act
)

// ErrDryRun is what a gate says that was asked for a writer in a plan, or
// before its mode was known.
var ErrDryRun = errors.New("this is a dry run: nothing can be changed")

// ErrReadOnly is what a connection says that has no writer at all, such as a
// transcript.
var ErrReadOnly = errors.New("this connection can only be read")

// Reader asks one target questions until it is closed.
type Reader interface {
	observe.Asker
	io.Closer
}

// Writer changes a target. It is handed out by an applying gate only.
type Writer interface {
	// Do sends one command.
	Do(context.Context, plugins.Command) (observe.Answer, plugins.State, error)
	io.Closer
}

// Dialer reaches one target.
type Dialer interface {
	Reader(context.Context) (Reader, error)
	// Writer is an error that wraps ErrReadOnly where there is none.
	Writer(context.Context) (Writer, error)
}

// Gate hands out readers and writers by target. A run makes one from its
// mode; the zero Gate reaches nothing and refuses every writer.
type Gate struct {
	mode Mode
	dial map[string]Dialer // by name of the target
}

// New makes a gate of a mode.
func New(mode Mode, dial map[string]Dialer) Gate { return Gate{mode, dial} }

// Reader opens a target for questions.
func (g Gate) Reader(ctx context.Context, target observe.Target) (Reader, error) {
	dialer, ok := g.dial[target.Name]
	if !ok {
		return nil, fmt.Errorf("target %s: there is no connection to it", target)
	}
	reader, err := dialer.Reader(ctx)
	if err != nil {
		return nil, fmt.Errorf("target %s: connecting: %w", target, err)
	}
	return reader, nil
}

// Writer opens a target for changes: ErrDryRun in a plan and before a mode is
// known, whatever the connection could do.
func (g Gate) Writer(ctx context.Context, target observe.Target) (Writer, error) {
	if g.mode != Apply {
		return nil, fmt.Errorf("target %s: %w", target, ErrDryRun)
	}
	dialer, ok := g.dial[target.Name]
	if !ok {
		return nil, fmt.Errorf("target %s: there is no connection to it", target)
	}
	writer, err := dialer.Writer(ctx)
	if err != nil {
		return nil, fmt.Errorf("target %s: connecting to change it: %w", target, err)
	}
	return writer, nil
}
