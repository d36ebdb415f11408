package workload

import "slices"

// Report says what a run did. Puts and gets that were backed out later are
// counted too, those that failed are not.
type Report struct {
	// Units of work that were committed.
	Units Units `json:"units"`
	// Outside counts persistent puts, and gets, outside a unit of work.
	Outside int `json:"outside"`
	Puts    int `json:"puts"`
	Gets    int `json:"gets"`
	// Persistent is how many of the puts were.
	Persistent int `json:"persistent"`
	// Bytes of the bodies that were put.
	Bytes int64 `json:"bytes"`
	// Backouts are units of work that were backed out, for whatever reason.
	Backouts int `json:"backouts"`
	// Empty counts gets that found no message.
	Empty  int `json:"empty"`
	Bursts int `json:"bursts"`
	// Long units of work that were begun, prepared, ended, and that were not
	// there any more when they should have gone on: a restart backs out those
	// that are open.
	LongBegun    int `json:"long_begun"`
	LongPrepared int `json:"long_prepared"`
	LongEnded    int `json:"long_ended"`
	LongLost     int `json:"long_lost"`
	// Failures in the order in which they came up first.
	Failures []Failure `json:"failures,omitempty"`
}

// Units are numbers of committed units of work, by what they were for.
type Units struct {
	Put int `json:"put"`
	Get int `json:"get"`
	// Load filled a queue that is kept deep.
	Load int `json:"load"`
	Long int `json:"long"`
}

// Failure is an operation that failed, once or more.
type Failure struct {
	// Operation: define, depth, begin, put, get, commit, backout, prepare,
	// unit or force.
	Operation string `json:"operation"`
	// Queue it was about, or that its unit of work was about; empty: none.
	Queue string `json:"queue,omitempty"`
	Count int    `json:"count"`
	// First is the text of the first error.
	First string `json:"first"`
}

// fail counts failures of an operation on a queue.
func (r *Report) fail(f Failure) {
	i := slices.IndexFunc(r.Failures, func(known Failure) bool {
		return known.Operation == f.Operation && known.Queue == f.Queue
	})
	if i < 0 {
		r.Failures = append(r.Failures, f)
		return
	}
	r.Failures[i].Count += f.Count
}

// Add adds what a later run did.
func (r *Report) Add(later Report) {
	r.Units.Put += later.Units.Put
	r.Units.Get += later.Units.Get
	r.Units.Load += later.Units.Load
	r.Units.Long += later.Units.Long
	r.Outside += later.Outside
	r.Puts += later.Puts
	r.Gets += later.Gets
	r.Persistent += later.Persistent
	r.Bytes += later.Bytes
	r.Backouts += later.Backouts
	r.Empty += later.Empty
	r.Bursts += later.Bursts
	r.LongBegun += later.LongBegun
	r.LongPrepared += later.LongPrepared
	r.LongEnded += later.LongEnded
	r.LongLost += later.LongLost
	for _, f := range later.Failures {
		r.fail(f)
	}
}
