package qmgr

import (
	"context"
	"encoding/binary"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// loggerEventQueue is where logger events go (reference, Multiplatforms 3.3).
const loggerEventQueue = "SYSTEM.ADMIN.LOGGER.EVENT"

// The numbers of a logger event (reference, Multiplatforms 3.1 and 3.2 item 59;
// those of the header and of the parameter that names the queue manager are from
// memory).
const (
	pcfEvent        = 7  // MQCFT_EVENT
	pcfString       = 4  // MQCFT_STRING
	pcfLast         = 1  // MQCFC_LAST
	pcfWarning      = 1  // MQCC_WARNING
	pcfHeader       = 36 // bytes of MQCFH
	pcfStringHeader = 20 // bytes of MQCFST before the string
	loggerEvent     = 91 // MQCMD_LOGGER_EVENT
	loggerStatus    = 2411
	utf8            = 1208
)

const (
	pcfManager    = 2015 // MQCA_Q_MGR_NAME
	pcfCurrentLog = 3071 // MQCACF_CURRENT_LOG_EXTENT_NAME
	pcfRestartLog = 3072 // MQCACF_RESTART_LOG_EXTENT_NAME
	pcfMediaLog   = 3073 // MQCACF_MEDIA_LOG_EXTENT_NAME
	pcfLogPath    = 3074 // MQCACF_LOG_PATH
	pcfArchiveLog = 3208 // MQCACF_ARCHIVE_LOG_EXTENT_NAME
)

// parameter is a string of an event.
type parameter struct {
	id    uint32
	value string
}

// eventsOn tells whether the queue manager writes logger events: LOGGEREV, and
// only of a linear log.
func (m *Manager) eventsOn() bool { return m.linear() && m.attribute("LOGGEREV") == "ENABLED" }

// event writes a logger event: when an extent was begun, at a start, when events
// are switched on, and after media images (reference, Multiplatforms 3.3 item
// 60). An event that its queue does not take is lost, as that of any queue
// manager: applications go on.
func (m *Manager) event(ctx context.Context, e *engine.Engine) {
	if !m.eventsOn() {
		return
	}
	msg := engine.Message{AsQueue: true, Priority: engine.PriorityAsQueue, Body: pcf(m.loggerStatus(e))}
	if !e.Persists(loggerEventQueue, msg) {
		_, _ = e.Put(ctx, loggerEventQueue, msg)
		return
	}
	need := m.putNeeds(msg)
	ok, wasFull := m.promise(e, need)
	if !ok {
		return // there is no room for it, and nobody is rolled back for an event
	}
	defer m.release(need)
	if wasFull {
		m.owner.fail(m.tell("AMQ7464", Inserts{C1: m.name}))
	}
	_, err := e.Put(ctx, loggerEventQueue, msg)
	m.counted(err, true)
}

// eventIfDue writes the one of an extent that was begun.
func (m *Manager) eventIfDue(ctx context.Context, e *engine.Engine) {
	if m.owner.unreported.Swap(false) {
		m.event(ctx, e)
	}
}

// loggerStatus gives the fields of an event (reference, Multiplatforms 3.3 item
// 61).
func (m *Manager) loggerStatus(e *engine.Engine) []parameter {
	log := m.owner.log.Status(e.Position())
	now, _ := m.owner.published()
	all := []parameter{
		{pcfManager, m.name}, {pcfCurrentLog, log.Current},
		{pcfRestartLog, now.Restart.Extent}, {pcfMediaLog, now.Media.Extent}, {pcfLogPath, m.LogPath()},
	}
	if log.Management == extents.Archive {
		all = append(all, parameter{pcfArchiveLog, log.Archived})
	}
	return all
}

// pcf gives an event message: MQCFH and a MQCFST for each parameter, in the
// numbers of a little-endian system. Structures are filled up to a multiple of
// four bytes.
func pcf(parameters []parameter) []byte {
	b := numbers(nil, pcfEvent, pcfHeader, 1, loggerEvent, 1, pcfLast, pcfWarning, loggerStatus, uint32(len(parameters)))
	for _, p := range parameters {
		fill := (4 - len(p.value)%4) % 4
		b = numbers(b, pcfString, uint32(pcfStringHeader+len(p.value)+fill), p.id, utf8, uint32(len(p.value)))
		b = append(append(b, p.value...), strings.Repeat("\x00", fill)...)
	}
	return b
}

func numbers(b []byte, all ...uint32) []byte {
	for _, n := range all {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}
