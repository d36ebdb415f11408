package qmgr

import (
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Gone is how MQ writes the name of a receiver that is not on the system
// (reference, IBM i 2.3).
const Gone = "**********"

// Point is a recovery point: the oldest journal entry that is needed for
// something.
type Point struct {
	// Receiver that holds the entry; [Gone] when it was not on the system,
	// empty when nothing was published yet.
	Receiver string
	// Library of the receiver; of one that is gone, the queue manager's.
	Library string
	// Time of the entry, in the system's zone, to the millisecond. An entry
	// never looks younger than it is: what is finer is cut off.
	Time time.Time
}

// Points are the recovery points as they were published last. The truth may
// have moved on since.
type Points struct {
	Startup   Point // AMQ7460
	Media     Point // AMQ7462
	Published time.Time
}

// Points gives what was published last; zero before the first start.
func (m *Manager) Points() Points {
	p := m.read().Points
	for _, t := range []*time.Time{&p.Startup.Time, &p.Media.Time, &p.Published} {
		if !t.IsZero() {
			*t = m.local(*t)
		}
	}
	return p
}

// pointAt shows a mark of the log as it is seen from outside now.
func (m *Manager) pointAt(mark engine.Mark) Point {
	p := Point{Receiver: Gone, Library: m.spec.Library, Time: m.local(mark.Time).Truncate(time.Millisecond)}
	if r, ok := m.holding(mark); ok {
		p.Receiver, p.Library = r.Name, r.Library
	}
	return p
}

// holding gives the receiver on the system that has a mark's entry.
func (m *Manager) holding(mark engine.Mark) (os400.Receiver, bool) {
	return m.sys.Holding(m.Journal(), mark.LSN)
}

// local gives a time as the system's clock would show it.
func (m *Manager) local(t time.Time) time.Time { return t.In(m.sys.Now().Location()) }

// spaceLength is how many bytes AMQJRNINF holds.
const spaceLength = 37

// information gives the content of AMQJRNINF for a recovery point: receiver
// and library in ten characters each and YYYYMMDDHHMMSSmmm, in EBCDIC
// (reference, IBM i 2.3).
func information(p Point) []byte {
	text := char10(p.Receiver) + char10(p.Library) + p.Time.Format("20060102150405") + milliseconds(p.Time)
	return ebcdic(text)
}
