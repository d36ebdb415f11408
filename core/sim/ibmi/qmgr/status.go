package qmgr

import "time"

// Status is what DISPLAY QMSTATUS shows.
type Status struct {
	Name  string
	State string // a [State]
	// CurrLog is the attached receiver. RecLog and MediaLog are those of the
	// recovery points as they were published last; empty before that.
	CurrLog, RecLog, MediaLog string
	// LogPath is blank on IBM i (reference, IBM i 7.5).
	LogPath string
	// Started is when the queue manager was started last; zero: never.
	Started time.Time
}

// Status shows the queue manager, running or not.
func (m *Manager) Status() Status {
	k, points := m.read(), m.Points()
	s := Status{
		Name: k.Name, State: string(k.State),
		RecLog: points.Startup.Receiver, MediaLog: points.Media.Receiver,
	}
	if !k.Started.IsZero() {
		s.Started = m.local(k.Started)
	}
	if j, err := m.sys.Journal(m.Journal()); err == nil {
		s.CurrLog = j.Attached.Name
	}
	return s
}

// Suspended tells whether the queue manager waits for [Manager.Resume].
func (m *Manager) Suspended() bool { return m.read().Suspended }
