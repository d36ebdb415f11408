package sim

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// Status is an estate as it is shown.
type Status struct {
	Folder   string          `json:"folder"`
	Time     time.Time       `json:"time"`
	Zone     string          `json:"zone"`
	NoSync   bool            `json:"no_sync"`
	Managers []ManagerStatus `json:"queue_managers"`
}

// ManagerStatus is a queue manager with its journal.
type ManagerStatus struct {
	Name    string    `json:"name"`
	System  string    `json:"system"`
	Clock   time.Time `json:"clock"` // of the system, with what somebody did to it
	State   string    `json:"state"`
	Journal string    `json:"journal"`
	// Attached receiver; Receivers and Bytes are those of the journal.
	Attached  string `json:"attached"`
	Receivers int    `json:"receivers"`
	Bytes     int64  `json:"bytes"`
	// Unsaved counts those that are detached and were not saved since.
	Unsaved int `json:"unsaved"`
	// Free bytes of the ASP; nil: it has no limit.
	Free *int64 `json:"free,omitempty"`
	// Startup and Media are the recovery points as they were published last.
	Startup Point `json:"startup"`
	Media   Point `json:"media"`

	// Work is nil while it does not run: nobody can tell then.
	Work *Work `json:"work,omitempty"`
	// Waiting are jobs that wait for a reply.
	Waiting []string `json:"waiting,omitempty"`
	// Workload names the profile of its applications; empty: none work.
	Workload string `json:"workload,omitempty"`
}

// Work is what queues and applications of a queue manager have.
type Work struct {
	Queues      int `json:"queues"`
	Messages    int `json:"messages"`
	Damaged     int `json:"damaged"`
	UnitsOfWork int `json:"units_of_work"`
	// Oldest unit of work; zero: none is in the journal.
	Oldest time.Time `json:"oldest_unit_of_work,omitzero"`
}

// Point is a published recovery point. A receiver of ten asterisks is not on
// the system.
type Point struct {
	Receiver string    `json:"receiver"`
	Time     time.Time `json:"time,omitzero"`
}

// Status shows the estate.
func (e *Estate) Status() Status {
	st := Status{Folder: e.dir, Time: e.Now(), Zone: e.state.Zone, NoSync: e.state.NoSync}
	for _, s := range e.systems {
		for _, m := range s.machine.Managers() {
			st.Managers = append(st.Managers, e.show(s, m))
		}
	}
	return st
}

func (e *Estate) show(s *system, m *qmgr.Manager) ManagerStatus {
	points := m.Points()
	st := ManagerStatus{
		Name: m.Name(), System: s.name, Clock: s.clock.Now(), State: m.Status().State, Journal: m.Journal().String(),
		Startup: Point{points.Startup.Receiver, points.Startup.Time}, Media: Point{points.Media.Receiver, points.Media.Time},
	}
	for _, r := range s.os.Receivers(m.Journal()) {
		st.Receivers++
		st.Bytes += r.Size
		switch r.Status {
		case os400.Attached:
			st.Attached = r.Name
		case os400.Online:
			st.Unsaved++
		}
	}
	if room := s.os.Storage(); room.Total > 0 {
		st.Free = &room.Free
	}
	if st.State == string(qmgr.Running) {
		st.Work = showWork(m)
	}
	for _, w := range s.os.Waiting() {
		st.Waiting = append(st.Waiting, fmt.Sprintf("%s: message %d about %s", w.Job.Name, w.Key, w.Receiver))
	}
	if w := e.workloads[m.Name()]; w != nil {
		st.Workload = w.Profile().Name
	}
	return st
}

func showWork(m *qmgr.Manager) *Work {
	w := &Work{}
	for _, q := range m.Queues() {
		w.Queues++
		w.Messages += q.Depth
		if q.Damaged {
			w.Damaged++
		}
	}
	for _, t := range m.Transactions() {
		w.UnitsOfWork++
		if !t.Started.IsZero() && (w.Oldest.IsZero() || t.Started.Before(w.Oldest)) {
			w.Oldest = t.Started
		}
	}
	return w
}
