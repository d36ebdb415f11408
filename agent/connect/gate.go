// Package connect reaches queue managers, and holds the gate through which
// everything that could change one must pass.
package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
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

// Writer changes a target. It is handed out by an applying gate only. Its
// methods may be called from any goroutine; they are carried out one after the
// other.
//
// Of every command the state says what became of it: Done (the system said
// so), Failed (the system refused, or it was never sent), or Unknown (nobody
// can tell: a [*Timeout], a connection that broke). For the last two the error
// says why; the answer holds what the system said.
type Writer interface {
	// Do sends one command that changes something. What is no change
	// ([observe.Classify]) is *observe.Refused, above all a release of log
	// pieces, however it is wrapped: that is for Remove. So is what is not aimed
	// at the target's own objects ([Aimed]).
	Do(context.Context, plugins.Command) (observe.Answer, plugins.State, error)
	// Remove lets one segment go, by the statements of [Statements]. The
	// caller has asked the guard, and calls Force before it believes it.
	Remove(context.Context, Removal) (observe.Answer, plugins.State, error)
	// MarkArchived tells the queue manager that a copy of a segment is kept, so
	// that it may remove or reuse it (SET LOG ARCHIVED). The copy is durable
	// before, and the caller has asked the guard.
	MarkArchived(ctx context.Context, id recovery.SegmentID) (observe.Answer, plugins.State, error)
	// Force makes durable what Remove has let go: a power failure before it may
	// undo the newest of that, and whoever recorded it as done was wrong.
	Force(context.Context) error
	// Save has the system write a segment where it can be read whole, and
	// reads it from there. Closing the content takes away what was written
	// for it (IBM i: the save file).
	Save(ctx context.Context, id recovery.SegmentID, store Store) (Content, error)
	// Discard takes away what a Save or a Restore has left that was cut short
	// (IBM i: the save file of the name that is the segment's own); nothing
	// there is no error.
	Discard(ctx context.Context, id recovery.SegmentID, store Store) error
	// Restore brings a segment back to where it was, from the content of a
	// copy. Save and Restore begin with a Discard where it is needed.
	Restore(ctx context.Context, copied recovery.Copy, store Store, content io.Reader) (observe.Answer, error)
	io.Closer
}

// Removal is a segment that is to go.
type Removal struct {
	Segment recovery.SegmentID
	// Fingerprint is that of the segment as it was judged. Where the system does
	// not make sure of it itself the writer looks again before it acts.
	Fingerprint string
	Unsaved     bool // it was never saved, and may go so
}

// Content is a segment as a system hands it out.
type Content struct {
	io.ReadCloser
	Bytes    int64  // length of what is read
	SaveFile bool   // it is an IBM i save file that holds the segment
	Origin   string // where it was read from, for people: LIBRARY/NAME of the save file, or a path
	Log      string // a path of this machine on the file system of the log; empty: it is on another machine
	// Fingerprint is that of what is read, as the segment's own is written;
	// empty: it is not told.
	Fingerprint string
}

// Timeout says that a command did not end in its time.
type Timeout struct {
	Command plugins.Command
	After   time.Duration
	// Ended tells that its job was ended, so that it can't be carried out
	// later (case 6).
	Ended bool
	Err   error // what it waited for: CPA7025 ...
}

func (e *Timeout) Error() string {
	text := fmt.Sprintf("%s did not end in %s", e.Command.Text, e.After)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Ended {
		text += "; its job was ended"
	}
	return text
}

func (e *Timeout) Unwrap() error { return e.Err }

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

// Mode tells what the run may do.
func (g Gate) Mode() Mode { return g.mode }

// beside is a dialer that knows where this machine has the log of its target.
type beside interface{ LogHere(path string) string }

// LogHere gives the path at which this machine has the log of a target, of which
// the target tells the path. It is empty where the log is elsewhere, in a
// container or in a transcript: then nobody knows what it lies beside.
func (g Gate) LogHere(target observe.Target, path string) string {
	dialer := g.dial[target.Name]
	for {
		switch d := dialer.(type) {
		case *Recording:
			dialer = d.dialer
		case hosted:
			dialer = d.Dialer
		case beside:
			return d.LogHere(path)
		default:
			return ""
		}
	}
}

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
// known, whatever the connection could do. What the writer is told of another
// target, and what is no change, never gets to the connection.
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
	read := func(ctx context.Context) (Reader, error) { return g.Reader(ctx, target) }
	return &gated{writer, target, newHome(target, read)}, nil
}
