package qmgr

import "github.com/mqhk/mqhk/core/sim/engine"

// What operations need of the log at most, for which room is made before they
// begin: the table of release.go, and what a boundary between two extents may
// waste.

// putNeeds is for a put.
func (m *Manager) putNeeds(msg engine.Message) int64 {
	if !msg.Persistent {
		return 0
	}
	part := m.part()
	pieces := (len(msg.Body) + part - 1) / part
	return int64(seedCosts.Put+len(msg.Body)+seedCosts.Part*pieces) + int64(min(len(msg.Body), part))
}

// attributesNeed is for a record with the attributes of an object, which the
// table's size is a least for.
func attributesNeed(least int, attributes map[string]string) int64 {
	n := least
	for name, value := range attributes {
		n += len(name) + len(value) + 4
	}
	return int64(n)
}

// imageNeeds is for an image: of a queue, of all its messages (reference,
// Multiplatforms 4.5 item 99).
func (m *Manager) imageNeeds(e *engine.Engine, o engine.Object) int64 {
	need := attributesNeed(seedCosts.Image+seedCosts.ImagePart, o.Attributes)
	if o.Ref.Kind != engine.Queue {
		return need
	}
	bytes := int64(o.Depth+o.Uncommitted) * 64
	_ = e.Browse(o.Ref.Name, func(msg engine.Message) bool { // one that is damaged or gone meanwhile has none
		if msg.Persistent {
			bytes += int64(len(msg.Body))
		}
		return true
	})
	if o.Uncommitted > 0 {
		// What units of work hide is in the file, or in the log of a restart.
		bytes += m.sizeOf(m.path(files{}.Object(o.Ref))) + int64(e.Status().End-e.Status().Marks.Restart.LSN)
	}
	pieces := bytes/int64(m.imagePart()) + 1
	return need + bytes + pieces*int64(seedCosts.ImagePart) + int64(m.imagePart())
}

// sizeOf gives the length of a file; 0: it is not there.
func (m *Manager) sizeOf(name string) int64 {
	f, err := m.disk().Open(name)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // it was only read
	n, err := f.Size()
	if err != nil {
		return 0
	}
	return n
}

// part and imagePart are the longest pieces of one record.
func (m *Manager) part() int      { return m.overhead().partFor(m.extentBytes()) }
func (m *Manager) imagePart() int { return int(min(imageSegment, m.extentBytes()/4)) }

func (m *Manager) overhead() overhead { return overheadOf(m.level) }

// extentBytes is how many bytes of records an extent takes.
func (m *Manager) extentBytes() int64 { return int64(m.config.log.FilePages) * 4096 }
