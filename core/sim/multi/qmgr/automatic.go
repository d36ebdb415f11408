package qmgr

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// The attributes of the queue manager about media images, with what a queue
// manager without them does (reference, Multiplatforms 1.3; the defaults of
// the last two are not verified).
var imagingDefaults = map[string]string{
	"IMGSCHED": "MANUAL", "IMGINTVL": "60", "IMGLOGLN": "OFF", "IMGRCOVO": "YES", "IMGRCOVQ": "YES",
}

// learnImaging takes over those of the queue manager object. They are kept
// outside it too, since a start asks for them before it has read it.
func (m *Manager) learnImaging(e *engine.Engine) {
	if o, err := e.Object(m.ownRef()); err == nil && !o.Damaged {
		m.setImaging(o.Attributes)
	}
}

func (m *Manager) setImaging(attributes map[string]string) {
	set := maps.Clone(imagingDefaults)
	for name := range set {
		if value, ok := attributes[name]; ok {
			set[name] = value
		}
	}
	m.imaging.Store(&set)
}

// imagingOf gives one of the attributes.
func (m *Manager) imagingOf(name string) string {
	if set := m.imaging.Load(); set != nil {
		return (*set)[name]
	}
	return imagingDefaults[name]
}

// recoverable tells whether an object can be rebuilt from the log: on a linear
// one, if its kind is (channels are not: SEED 7.5.1) and neither the queue
// manager nor the queue says otherwise (reference, Multiplatforms 1.3 item 12).
func (m *Manager) recoverable(ref engine.Ref, attributes map[string]string) bool {
	switch {
	case !m.linear() || ref.Kind == objects.ClientChannelTable || ref.Kind == objects.Queue && isTemporary(attributes):
		return false
	case ref.Kind == objects.Catalogue || ref.Kind == objects.SyncFile:
		return true
	}
	var manager map[string]string
	if set := m.imaging.Load(); set != nil {
		manager = *set
	}
	return objects.Recoverable(ref, attributes, manager)
}

// isTemporary tells whether a queue is a temporary dynamic one, which is not
// logged.
func isTemporary(attributes map[string]string) bool { return attributes["DEFTYPE"] == "TEMPDYN" }

// imageAutomatically records the images that are due: with IMGSCHED(AUTO), of
// the objects whose last image is older than IMGINTVL minutes or IMGLOGLN MB of
// log. Both are targets (reference, Multiplatforms 1.3 item 14).
func (m *Manager) imageAutomatically(ctx context.Context, e *engine.Engine) error {
	if !m.linear() || m.imagingOf("IMGSCHED") != "AUTO" {
		return nil
	}
	status := e.Status()
	var due []engine.Object
	for _, o := range e.Objects() {
		if !o.Damaged && m.recoverable(o.Ref, o.Attributes) && m.imageDue(o, status) {
			due = append(due, o)
		}
	}
	if len(due) == 0 {
		return nil
	}
	// The deepest last: what is cheap is done before the log may be full.
	slices.SortStableFunc(due, func(a, b engine.Object) int { return a.Depth - b.Depth })
	if _, err := m.imageEach(ctx, e, due); err != nil {
		return err
	}
	m.working.Lock()
	defer m.working.Unlock()
	return m.checkpoint(ctx, e)
}

// imageDue tells whether an image of an object is.
func (m *Manager) imageDue(o engine.Object, s engine.Status) bool {
	if minutes, err := strconv.Atoi(m.imagingOf("IMGINTVL")); err == nil {
		if m.site.Now().Sub(o.Media.Time) >= time.Duration(minutes)*time.Minute {
			return true
		}
	}
	if megabytes, err := strconv.Atoi(m.imagingOf("IMGLOGLN")); err == nil {
		return int64(s.End-o.Media.LSN) >= int64(megabytes)<<20
	}
	return false
}
