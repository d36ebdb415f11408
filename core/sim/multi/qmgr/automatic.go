package qmgr

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// learn takes over the attributes of the queue manager object.
func (m *Manager) learn(e *engine.Engine) {
	if o, err := e.Object(m.ownRef()); err == nil && !o.Damaged {
		m.own.Store(&o.Attributes)
	}
}

// attribute gives one of the queue manager, as it was last known.
func (m *Manager) attribute(name string) string {
	if own := m.own.Load(); own != nil {
		if value, ok := (*own)[name]; ok {
			return value
		}
	}
	return objects.Usual(objects.QueueManager, m.level, name)
}

// recoverable tells whether an object can be rebuilt from the log: on a linear
// one, if its kind is (channels are not: SEED 7.5.1) and neither the queue
// manager nor the queue says otherwise (reference, Multiplatforms 1.3 item 12).
func (m *Manager) recoverable(ref engine.Ref, attributes, manager map[string]string) bool {
	if !m.linear() || ref.Kind == objects.Queue && isTemporary(attributes) {
		return false
	}
	return objects.Recoverable(ref, attributes, manager)
}

// isTemporary tells whether a queue is a temporary dynamic one, which is not
// logged.
func isTemporary(attributes map[string]string) bool { return attributes["DEFTYPE"] == "TEMPDYN" }

// imageAutomatically records the images that are due: with IMGSCHED(AUTO), of
// the objects whose last image is older than IMGINTVL minutes or IMGLOGLN MB of
// log. Both are targets (reference, Multiplatforms 1.3 item 14): an image for which
// the log has no room waits, and no unit of work is rolled back for it.
func (m *Manager) imageAutomatically(ctx context.Context, e *engine.Engine) error {
	if !m.linear() || m.attribute("IMGSCHED") != "AUTO" {
		return nil
	}
	status := e.Status()
	var due []engine.Object
	for _, o := range e.Objects() {
		if !o.Damaged && o.Recoverable && m.imageDue(o, status) {
			due = append(due, o)
		}
	}
	if len(due) == 0 {
		return nil
	}
	// The deepest last: what is cheap is done before the log may be full.
	slices.SortStableFunc(due, func(a, b engine.Object) int { return a.Depth - b.Depth })
	recorded := 0
	for _, o := range due {
		fits, err := m.imageFits(ctx, e, o)
		if err != nil {
			return err
		}
		if !fits {
			continue
		}
		if _, err := m.imageEach(ctx, e, []engine.Object{o}); err != nil && !isLogFull(err) {
			return err
		}
		recorded++
	}
	if recorded == 0 {
		return nil
	}
	m.owner.unreported.Store(true)
	m.working.Lock()
	defer m.working.Unlock()
	return m.checkpoint(ctx, e)
}

// imageFits tells whether the log has room for an image, if need be after a
// checkpoint; where it has not, the error log tells that it is full.
func (m *Manager) imageFits(ctx context.Context, e *engine.Engine, o engine.Object) (bool, error) {
	need, err := m.imageNeeds(e, o)
	if err != nil {
		return false, nil // it is damaged or gone meanwhile
	}
	m.working.Lock()
	defer m.working.Unlock()
	if m.hasRoom(e, need) {
		return true, nil
	}
	if m.checkpointFrees(e) {
		if err := unlessLogFull(m.checkpoint(ctx, e)); err != nil || m.hasRoom(e, need) {
			return err == nil, err
		}
	}
	return false, m.tellFull(nil)
}

// imageDue tells whether an image of an object is.
func (m *Manager) imageDue(o engine.Object, s engine.Status) bool {
	if minutes, err := strconv.Atoi(m.attribute("IMGINTVL")); err == nil {
		if m.site.Now().Sub(o.Media.Time) >= time.Duration(minutes)*time.Minute {
			return true
		}
	}
	if megabytes, err := strconv.Atoi(m.attribute("IMGLOGLN")); err == nil {
		return int64(s.End-o.Media.LSN) >= int64(megabytes)<<20
	}
	return false
}
