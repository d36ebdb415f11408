package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// writer changes queue managers of one machine, one thing after the other.
type writer struct {
	*machine
	turn   chan struct{}
	places map[string]*place // by queue manager; used by whose turn it is
	closed bool
}

var _ connect.Writer = (*writer)(nil)

func newWriter(m *machine) *writer {
	return &writer{machine: m, turn: make(chan struct{}, 1), places: map[string]*place{}}
}

// begin waits until nothing else is under way.
func (w *writer) begin(ctx context.Context) error {
	if ctx.Err() == nil {
		select {
		case w.turn <- struct{}{}:
			if !w.closed {
				return nil
			}
			<-w.turn
			return fmt.Errorf("%w: the writer: %w", connect.ErrNotSent, fs.ErrClosed)
		case <-ctx.Done():
		}
	}
	return fmt.Errorf("%w: %w", connect.ErrNotSent, ctx.Err())
}

func (w *writer) end() { <-w.turn }

// Close closes the folders, once nothing is under way.
func (w *writer) Close() error {
	w.turn <- struct{}{}
	defer w.end()
	if w.closed {
		return nil
	}
	w.closed = true
	return errors.Join(w.forget(), w.machine.Close())
}

// forget closes what was learned; it is learned anew when it is needed.
func (w *writer) forget() error {
	var errs []error
	for name, p := range w.places {
		errs = append(errs, p.Close())
		delete(w.places, name)
	}
	return errors.Join(errs...)
}

// Do sends MQSC changes by runmqsc, and has rcdmqimg run.
func (w *writer) Do(ctx context.Context, c plugins.Command) (observe.Answer, plugins.State, error) {
	class, _, err := observe.Classify(c.Language, c.Text)
	switch {
	case err != nil:
		return refuse(c, err.Error())
	case class != observe.Change:
		return refuse(c, "it is no change but "+class.String())
	case !managerName.MatchString(c.QueueManager):
		return refuse(c, fmt.Sprintf("%q is no name of a queue manager", c.QueueManager))
	}
	var argv []string
	switch c.Language {
	case observe.MQSC:
	case observe.CTL:
		if argv, err = w.images(c); err != nil {
			return refuse(c, err.Error())
		}
	default:
		return refuse(c, "changes here are MQSC and control commands")
	}
	if err := w.begin(ctx); err != nil {
		return observe.Answer{}, plugins.Failed, fmt.Errorf("%s: %w", c.Text, err)
	}
	defer w.end()
	if c.Language == observe.MQSC {
		return w.change(ctx, c)
	}
	began := time.Now()
	ctx, cancel := limited(ctx, imageWithin)
	defer cancel()
	result, err := w.run(ctx, argv, nil)
	if err == nil && result.code != 0 {
		err = programFailed(result)
	}
	return outcome(ctx, c, began, observe.Answer{Body: result.both(), At: w.now()}, err)
}

// refuse says why a command was not sent.
func refuse(c plugins.Command, why string) (observe.Answer, plugins.State, error) {
	q := observe.Question{Language: c.Language, QueueManager: c.QueueManager, Text: c.Text}
	return observe.Answer{}, plugins.Failed, &observe.Refused{Question: q, Why: why}
}

// images gives the argument list of rcdmqimg. Without -m it would be for the
// machine's default queue manager.
func (w *writer) images(c plugins.Command) ([]string, error) {
	words, err := observe.ControlWords(c.Text)
	switch {
	case err != nil:
		return nil, err
	case !strings.EqualFold(words[0], "rcdmqimg"):
		return nil, fmt.Errorf("%s is not run from here", words[0])
	}
	at := slices.Index(words, "-m")
	again := at >= 0 && slices.Contains(words[at+1:], "-m")
	if at < 0 || again || at+1 == len(words) || words[at+1] != c.QueueManager {
		return nil, fmt.Errorf("it does not name queue manager %s as -m %s", c.QueueManager, c.QueueManager)
	}
	return append([]string{w.program("rcdmqimg")}, words[1:]...), nil
}

// change sends one MQSC command.
func (w *writer) change(ctx context.Context, c plugins.Command) (observe.Answer, plugins.State, error) {
	began := time.Now()
	ctx, cancel := limited(ctx, w.settings.Timeout)
	defer cancel()
	answer, _, err := w.runmqsc(ctx, c.QueueManager, c.Text)
	return outcome(ctx, c, began, answer, err)
}

// imageWithin is how long rcdmqimg may take where nobody says: deep queues take
// long.
const imageWithin = time.Hour

// limited bounds a context that has no bound: no command is without one.
func limited(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, within)
}

// outcome tells what became of a command from the error of its running. A no of
// the system, and a program that could not be started, changed nothing; of
// anything else nobody knows. What was not done in time was ended, with its
// group.
func outcome(ctx context.Context, c plugins.Command, began time.Time, answer observe.Answer, err error) (observe.Answer, plugins.State, error) {
	var failed *failure
	switch {
	case err == nil:
		return answer, plugins.Done, nil
	case errors.As(err, &failed):
		answer.Body = failed.body
		return answer, plugins.Failed, &connect.MessageError{ID: failed.id, Text: failed.Error(), What: c.Text}
	case errors.As(err, new(*notRun)):
		return answer, plugins.Failed, fmt.Errorf("%s: %w: %w", c.Text, connect.ErrNotSent, err)
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return answer, plugins.Unknown, &connect.Timeout{Command: c, After: time.Since(began), Ended: true, Err: err}
	default:
		return answer, plugins.Unknown, fmt.Errorf("%s: %w", c.Text, err)
	}
}

// MarkArchived sends SET LOG ARCHIVED, and asks whether the queue manager still
// waits for the extent. Only under LogManagement=Archive does it wait for any
// (case 36).
//
// The ids of its messages are not known for sure, so what counts is the exit
// code, that there is a message and none says E, S or T, and ARCHLOG afterwards
// (reference, Multiplatforms 3.2). Where that is not told afterwards nobody knows:
// the state is unknown, and who asks looks again.
func (w *writer) MarkArchived(ctx context.Context, id recovery.SegmentID) (observe.Answer, plugins.State, error) {
	c, err := connect.MarkArchivedStatement(id)
	if err == nil {
		err = w.begin(ctx)
	}
	if err != nil {
		return observe.Answer{}, plugins.Failed, fmt.Errorf("reporting %s as archived: %w", id, err)
	}
	defer w.end()
	number, err := w.reportable(ctx, id)
	if err != nil {
		return observe.Answer{}, plugins.Failed, fmt.Errorf("reporting %s as archived: %w: %w", id, connect.ErrNotSent, err)
	}
	answer, state, err := w.change(ctx, c)
	if state != plugins.Done {
		return answer, state, err
	}
	waits, err := w.waiting(ctx, id.QueueManager)
	if err != nil {
		return answer, plugins.Unknown, fmt.Errorf("%s: it was accepted, and what the queue manager waits for now is not known: %w", c.Text, err)
	}
	if _, oldest, err := observe.ParseExtent(waits); err == nil && oldest == number {
		return answer, plugins.Failed, fmt.Errorf("%s: it was accepted, and the queue manager still waits for it: ARCHLOG(%s)", c.Text, waits)
	}
	return answer, plugins.Done, nil
}

// waiting asks for which extent the queue manager waits now; empty: for none.
func (w *writer) waiting(ctx context.Context, queueManager string) (string, error) {
	said, err := w.refresh(ctx, queueManager)
	if err != nil {
		return "", err
	}
	for _, object := range said.Objects {
		if name, shown := object.Get("ARCHLOG"); shown && aboutManager(object) {
			return name, nil
		}
	}
	return "", errNoWaiting
}

// errNoWaiting says that a level does not tell what it waits for: only from 9.0.2
// on there is LogManagement=Archive, and ARCHLOG with it.
var errNoWaiting = errors.New("DISPLAY QMSTATUS does not show ARCHLOG")

// reportable gives the number of an extent that a queue manager can wait for.
func (w *writer) reportable(ctx context.Context, id recovery.SegmentID) (int, error) {
	p, err := w.at(ctx, id.QueueManager)
	if err != nil {
		return 0, err
	}
	if management := p.settings.Management; !management.Known() || management.Value != mqini.Archive {
		return 0, fmt.Errorf("the queue manager waits for no extent: LogManagement is %s (%q)", management.State, management.Value)
	}
	told := w.newest(id.QueueManager)
	if !told.archives {
		return 0, errNoWaiting
	}
	return complete(id.Name, told)
}
