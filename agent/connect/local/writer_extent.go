package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// at gives the log of a queue manager, learned the first time.
func (w *writer) at(ctx context.Context, queueManager string) (*place, error) {
	if p, ok := w.places[queueManager]; ok {
		told := w.newest(queueManager)
		if told.path == "" || w.sameLog(told.path, p.path) {
			return p, nil
		}
		if err := w.forget(); err != nil {
			return nil, err
		}
	}
	if !managerName.MatchString(queueManager) {
		return nil, fmt.Errorf("%q is no name of a queue manager", queueManager)
	}
	p, err := w.place(ctx, queueManager)
	if err == nil {
		w.places[queueManager] = p
	}
	return p, err
}

// Remove unlinks one extent: an S file in the folder that the queue manager or
// its qm.ini named, not the current one nor one that a restart reads by the
// newest reading, and the very file that was judged.
func (w *writer) Remove(ctx context.Context, r connect.Removal) (observe.Answer, plugins.State, error) {
	if err := w.begin(ctx); err != nil {
		return observe.Answer{}, plugins.Failed, fmt.Errorf("deleting %s: %w", r.Segment, err)
	}
	defer w.end()
	gone, err := w.remove(ctx, r)
	switch {
	case err == nil:
		return observe.Answer{}, plugins.Done, nil
	case gone: // it was told to go, and nobody said what became of it
		return observe.Answer{}, plugins.Unknown, fmt.Errorf("deleting %s: %w", r.Segment, err)
	}
	return observe.Answer{}, plugins.Failed, fmt.Errorf("deleting %s: %w", r.Segment, err)
}

// remove tells with an error whether the file may be gone all the same.
func (w *writer) remove(ctx context.Context, r connect.Removal) (gone bool, err error) {
	p, err := w.at(ctx, r.Segment.QueueManager)
	if err != nil {
		return false, err
	}
	told := w.newest(r.Segment.QueueManager)
	if err := p.pruned(told); err != nil {
		return false, err
	}
	number, err := complete(r.Segment.Name, told)
	if err == nil {
		err = before(number, told)
	}
	if err == nil && r.Fingerprint == "" {
		err = fmt.Errorf("%w: it is not said what was judged", ErrChanged)
	}
	if err != nil {
		return false, err
	}
	err = p.folder.remove(ctx, r.Segment.Name, r.Fingerprint)
	var failed *failure
	decided := errors.As(err, &failed) || errors.As(err, new(*notRun)) || errors.As(err, new(*fs.PathError)) || errors.Is(err, ErrChanged) || errors.Is(err, errPlatform)
	return err != nil && !decided, err
}

// Force makes durable what was removed, and looks whether the folder is still
// the log's.
func (w *writer) Force(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	defer w.end()
	for _, p := range w.places {
		if err := p.force(ctx); err != nil {
			return fmt.Errorf("making durable what was deleted in %s: %w", p.path, err)
		}
		if err := p.proven(ctx); err != nil {
			return errors.Join(err, w.forget())
		}
	}
	return nil
}

// Save opens a complete extent to be read. Nothing is written for it.
func (w *writer) Save(ctx context.Context, id recovery.SegmentID, _ connect.Store) (connect.Content, error) {
	if err := w.begin(ctx); err != nil {
		return connect.Content{}, fmt.Errorf("saving extent %s: %w", id, err)
	}
	defer w.end()
	content, err := w.save(ctx, id)
	if err != nil {
		return connect.Content{}, fmt.Errorf("saving extent %s: %w", id, err)
	}
	return content, nil
}

func (w *writer) save(ctx context.Context, id recovery.SegmentID) (connect.Content, error) {
	p, err := w.at(ctx, id.QueueManager)
	if err != nil {
		return connect.Content{}, err
	}
	told := w.newest(id.QueueManager)
	if _, err := complete(id.Name, told); err != nil {
		return connect.Content{}, err
	}
	return p.folder.save(ctx, id.Name)
}

// Discard takes the part away that a Restore left which was cut short. A Save
// leaves nothing.
func (w *writer) Discard(ctx context.Context, id recovery.SegmentID, _ connect.Store) error {
	err := w.begin(ctx)
	if err == nil {
		defer w.end()
		err = w.discard(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("discarding what a restore of %s left: %w", id, err)
	}
	return nil
}

func (w *writer) discard(ctx context.Context, id recovery.SegmentID) error {
	if _, err := complete(id.Name, reading{}); err != nil {
		return err
	}
	p, err := w.at(ctx, id.QueueManager)
	if err != nil {
		return err
	}
	return p.folder.discard(ctx, id.Name)
}

// Restore puts an extent back from the content of a copy: of the size, owner and
// mode of its neighbours, under its name only when it is whole and durable. It
// works too where the queue manager has ended, since that is when a restart
// needs it. connect.ErrThere says that a file of the name is there,
// connect.ErrNotHere that another host may be writing that log.
func (w *writer) Restore(ctx context.Context, copied recovery.Copy, _ connect.Store, content io.Reader) (observe.Answer, error) {
	id := copied.Segment
	err := w.begin(ctx)
	if err == nil {
		defer w.end()
		err = w.restore(ctx, copied, content)
	}
	if err != nil {
		return observe.Answer{}, fmt.Errorf("restoring extent %s: %w", id, err)
	}
	return observe.Answer{At: w.now()}, nil
}

func (w *writer) restore(ctx context.Context, copied recovery.Copy, content io.Reader) error {
	p, err := w.at(ctx, copied.Segment.QueueManager)
	if err != nil {
		return err
	}
	told := w.newest(copied.Segment.QueueManager)
	if kind := cmp.Or(told.logType, string(p.settings.Type.Value)); kind == string(mqini.Circular) {
		return fmt.Errorf("%w: the log is circular", ErrManaged)
	}
	number, err := complete(copied.Segment.Name, told)
	if err == nil {
		err = w.ours(ctx, copied.Segment.QueueManager)
	}
	if err != nil {
		return err
	}
	neighbour, err := w.neighbour(ctx, p, number)
	if err != nil {
		return err
	}
	return p.folder.restore(ctx, copied.Segment.Name, neighbour, copied.Bytes, content)
}

// ours looks whether the log is this host's to write into now: another host may
// have taken it over since anybody looked. The error is connect.ErrNotHere.
func (w *writer) ours(ctx context.Context, queueManager string) error {
	target := observe.Target{Name: queueManager, Platform: observe.Multiplatforms}
	state, why := observe.ReadHost(ctx, reader{w.machine}, target)
	if err := ctx.Err(); err != nil {
		return err
	}
	if state != observe.HostRunning && state != observe.HostEnded {
		return fmt.Errorf("%w: %s", connect.ErrNotHere, why)
	}
	return nil
}

// neighbour gives the log extent that is nearest to a number.
func (*writer) neighbour(ctx context.Context, p *place, number int) (string, error) {
	names, err := p.names(ctx)
	if err != nil {
		return "", err
	}
	nearest, distance := "", 0
	for _, name := range names {
		kind, other, err := observe.ParseExtent(name)
		if err != nil || kind != observe.LogExtent || other == number {
			continue
		}
		if d := max(observe.ExtentDistance(number, other), observe.ExtentDistance(other, number)); nearest == "" || d < distance {
			nearest, distance = name, d
		}
	}
	if nearest == "" {
		return "", fmt.Errorf("%s holds no other extent, whose size and owner it would get", p.path)
	}
	return nearest, nil
}
