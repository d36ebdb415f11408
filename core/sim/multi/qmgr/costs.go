package qmgr

import "github.com/mqhk/mqhk/core/sim/engine"

// What operations need of the log at most, for which room is made before they
// begin: the table of log overhead, and what a boundary between two extents may
// waste.

// putNeeds is for a put.
func (m *Manager) putNeeds(msg engine.Message) int64 {
	if !msg.Persistent && !msg.AsQueue {
		return 0
	}
	part := m.part()
	pieces := (len(msg.Body) + part - 1) / part
	return m.withWaste(int64(m.costs.Put+len(msg.Body)+m.costs.Part*pieces), min(len(msg.Body), part))
}

// withWaste adds what records of a length may leave unused at the end of each
// extent that they go over: a whole record, if others write between them. What no
// log of this size would take then is counted as written by nobody else: a message
// that fits is not refused for what might be.
func (m *Manager) withWaste(need int64, piece int) int64 {
	extent, lost := m.extentBytes(), int64(piece+m.costs.Put)
	most := need + (need/max(1, extent-lost)+1)*lost
	if most <= m.wholeLog()-slack || int64(piece)+aroundPart > extent {
		return most
	}
	record := int64(piece) + aroundPart
	lost = extent % record
	return min(most, need+(need/(extent-lost)+1)*lost+record)
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
func (m *Manager) imageNeeds(e *engine.Engine, o engine.Object) (int64, error) {
	need := attributesNeed(m.costs.Image+m.costs.ImagePart, o.Attributes)
	if o.Ref.Kind != engine.Queue {
		return need, nil
	}
	bytes, err := e.ImageBytes(o.Ref)
	if err != nil {
		return 0, err
	}
	piece := int64(m.imagePart())
	need += bytes + (bytes/piece+1)*int64(m.costs.ImagePart)
	return m.withWaste(need, int(min(bytes, piece))), nil
}
