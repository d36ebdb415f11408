package sim

import (
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// Status is an estate as it is shown.
type Status struct {
	Folder   string          `json:"folder"`
	Time     time.Time       `json:"time"`
	Zone     string          `json:"zone"`
	NoSync   bool            `json:"no_sync"`
	Managers []ManagerStatus `json:"queue_managers"`
}

// ManagerStatus is a queue manager with its log.
type ManagerStatus struct {
	Name     string           `json:"name"`
	Platform observe.Platform `json:"platform"`
	System   string           `json:"system"`
	Clock    time.Time        `json:"clock"` // of the system, with what somebody did to it
	State    string           `json:"state"`
	// Problem says why its files can't be read; empty: they can.
	Problem string `json:"problem,omitempty"`
	*JournalStatus
	// Log is that of Multiplatforms.
	Log *LogStatus `json:"log,omitempty"`
	// Bytes that the log takes.
	Bytes int64 `json:"bytes"`
	// Free bytes of the ASP, or of the file system; nil: it has no limit.
	Free *int64 `json:"free,omitempty"`

	// Work is nil while it does not run: nobody can tell then.
	Work *Work `json:"work,omitempty"`
	// Waiting are jobs that wait for a reply.
	Waiting []string `json:"waiting,omitempty"`
	// Workload names the profile of its applications; empty: none work.
	Workload string `json:"workload,omitempty"`
}

// JournalStatus is the journal of an IBM i queue manager.
type JournalStatus struct {
	Journal string `json:"journal"`
	// Attached receiver, and how many the journal has.
	Attached  string `json:"attached"`
	Receivers int    `json:"receivers"`
	// Unsaved counts those that are detached and were not saved since.
	Unsaved int `json:"unsaved"`
	// Startup and Media are the recovery points as they were published last.
	Startup Point `json:"startup"`
	Media   Point `json:"media"`
}

// LogStatus is the log of a queue manager on Multiplatforms. Blank names are
// those of a circular log, and of points that were not told yet.
type LogStatus struct {
	Path       string `json:"path"`       // of the extents
	Type       string `json:"type"`       // CIRCULAR or LINEAR
	Management string `json:"management"` // of a linear one: Manual, Automatic or Archive
	Current    string `json:"current"`
	Extents    int    `json:"extents"` // S files
	Reusable   int    `json:"reusable"`
	Restart    string `json:"restart"`
	Media      string `json:"media"`
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
		for _, m := range s.managers() {
			st.Managers = append(st.Managers, e.show(s, m))
		}
	}
	for _, l := range e.lost() {
		st.Managers = append(st.Managers, e.showLost(l))
	}
	return st
}

func (e *Estate) show(s *system, m manager) ManagerStatus {
	st := ManagerStatus{Name: m.Name(), Platform: m.target().Platform, System: s.name, Clock: s.clock.Now()}
	st.State, _ = m.state()
	m.show(&st)
	if w := e.workloads[m.Name()]; w != nil {
		st.Workload = w.Profile().Name
	}
	return st
}

// Targets gives the queue managers as targets of a plan: also those whose files
// can't be read, behind the others.
func (e *Estate) Targets() []observe.Target {
	var all []observe.Target
	for _, s := range e.systems {
		for _, m := range s.managers() {
			all = append(all, m.target())
		}
	}
	for _, l := range e.lost() {
		all = append(all, e.lostTarget(l))
	}
	for i := range all {
		all[i].Zone = e.state.Zone
	}
	return all
}
