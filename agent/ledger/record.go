// Package ledger holds the records of runs: what was seen, what was intended
// and what was done. A report renders the very record.
//
// The field names of these types are those of the JSON report, schema
// mqhk.report/v1, documented in docs/report.md. Fields may be added to v1;
// none is renamed or removed.
package ledger

import "github.com/mqhk/mqhk/core/finding"

// Schema is the version of the record as it is written.
const Schema = "mqhk.report/v1"

// Record is one run: everything a report shows.
type Record struct {
	Schema  string   `json:"schema"`
	DryRun  bool     `json:"dry_run"`
	Run     Run      `json:"run"`
	Targets []Target `json:"targets"`
	Totals  Totals   `json:"totals"`
}

// Run is what differs between two runs over identical observations.
type Run struct {
	ID       string   `json:"id"`
	Mode     string   `json:"mode"`
	Started  string   `json:"started"`
	Finished string   `json:"finished"`
	Outcome  string   `json:"outcome"`
	Host     string   `json:"host"`
	Plugins  []Plugin `json:"plugins"`
	// Simulated names the targets that are queue managers of a simulated
	// estate.
	Simulated []string `json:"simulated,omitempty"`
	// Key names the firing that the run answers, empty by hand; Late tells
	// that the firing was missed and is made up for.
	Key  string `json:"key,omitempty"`
	Late bool   `json:"late,omitempty"`
	// Skipped are the tasks that others had claimed, or had run before.
	Skipped []Skipped `json:"skipped,omitempty"`
	// Plan names the kept plan that was carried out.
	Plan string `json:"plan,omitempty"`
}

// Skipped is a task on a target that this run left to somebody else.
type Skipped struct {
	Target string `json:"target"`
	Task   string `json:"task"` // policy/task
	Why    string `json:"why"`
	Until  string `json:"until,omitempty"` // when the claim of the others is over, unless they renew it
	// Fired tells that the same firing was run by another agent: nothing is
	// left undone.
	Fired bool `json:"fired,omitempty"`
}

// Plugin is a plugin that the run started.
type Plugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

// Target is one task of one policy on one target. With several policies a
// target stands once for each, over one observation.
type Target struct {
	Name         string            `json:"name"`
	Platform     string            `json:"platform"`
	Policy       string            `json:"policy"`
	PolicyDigest string            `json:"policy_digest"`
	Task         string            `json:"task"`
	Plugin       string            `json:"plugin"`
	Strategy     string            `json:"strategy"`
	Allow        []string          `json:"allow,omitempty"`   // what the task lets its plugin plan, where that is not what is usual
	Observed     string            `json:"observed"`          // the target's own clock
	Error        string            `json:"error,omitempty"`   // why there is no plan, or why it went no further
	Failure      string            `json:"failure,omitempty"` // what kind of error: plugin, connection, claimed, plan-refused, other
	NoLog        bool              `json:"no_log,omitempty"`  // the plan says nothing of log pieces
	Recovery     Recovery          `json:"recovery"`
	Segments     []Segment         `json:"segments"`
	Objects      []Object          `json:"objects"`
	Actions      []Action          `json:"actions"`
	Findings     []finding.Finding `json:"findings"`
	Unanswered   []string          `json:"unanswered"`
	Pictures     []Picture         `json:"pictures"`
	ReadBack     *ReadBack         `json:"read_back,omitempty"` // after an apply
	Need         *Need             `json:"need,omitempty"`      // where room was asked for
	Totals       Totals            `json:"totals"`
}

// ReadBack is what was on the system when all was done.
type ReadBack struct {
	Observed   string  `json:"observed"` // the target's own clock
	Segments   int     `json:"segments"` // on the system
	Bytes      int64   `json:"bytes"`
	Deleted    int     `json:"deleted"`     // that this run let go and that are gone
	BytesFreed int64   `json:"bytes_freed"` // of these
	Outlook    Outlook `json:"outlook"`     // from what is there now
}

// Recovery says from where a recovery reads and what the policy promises.
type Recovery struct {
	Restart *Point  `json:"restart"` // nil: not known
	Media   *Point  `json:"media"`   // nil: not known
	Needs   []Point `json:"needs"`   // every range that was considered, where each was learned
	Promise Promise `json:"promise"`
	Outlook Outlook `json:"outlook"`
}

// Point is a recovery point.
type Point struct {
	Kind         string `json:"kind"` // restart, media, published, hold, ...
	QueueManager string `json:"queue_manager"`
	Segment      string `json:"segment"`  // where its oldest entry lies
	Position     string `json:"position"` // the entry as MQ gave it
	Source       string `json:"source"`   // where to check it by hand
}

// Promise is what the strategy promises after a failure: "at once" or
// "restore first".
type Promise struct {
	Restart       string `json:"restart"`
	Rebuild       string `json:"rebuild"`
	StartUpDamage string `json:"start_up_damage"`
}

// Outlook is what a recovery would meet after this plan was carried out.
type Outlook struct {
	Restart       Readiness `json:"restart"`
	Rebuild       Readiness `json:"rebuild"`
	StartUpDamage Readiness `json:"start_up_damage"`
}

// Readiness counts the segments that a recovery reads and where they would
// be found.
type Readiness struct {
	Ready    string `json:"ready"` // at once, restore first, impossible, unknown
	Needs    int    `json:"needs"`
	OnSystem int    `json:"on_system"`
	InStore  int    `json:"in_store"`
	Missing  int    `json:"missing"`
	First    string `json:"first,omitempty"` // oldest segment to restore
	Last     string `json:"last,omitempty"`
}

// Segment is one log piece with its verdict.
type Segment struct {
	Name         string `json:"name"`
	Library      string `json:"library,omitempty"`
	QueueManager string `json:"queue_manager"`
	Verdict      string `json:"verdict"` // keep, archive, delete, archive+delete, hold, archived, lost
	Reason       string `json:"reason"`  // slug
	Why          string `json:"why"`     // sentence
	Bytes        int64  `json:"bytes"`
	State        string `json:"state"`
	Opened       string `json:"opened,omitempty"` // its first entry, on the system's clock
}

// Object is something beside log pieces that the plan speaks of.
type Object struct {
	Kind    string            `json:"kind"`
	Name    string            `json:"name"`
	Owner   string            `json:"owner"`
	Facts   map[string]string `json:"facts"`
	Verdict string            `json:"verdict"`
	Reason  string            `json:"reason"`
}

// Action is one step. Command is the statement a person would submit; it is
// what the host would send.
type Action struct {
	ID           string   `json:"id"`
	Kind         string   `json:"kind"`
	Object       string   `json:"object"`
	QueueManager string   `json:"queue_manager"`
	Language     string   `json:"language,omitempty"` // of Command
	Command      string   `json:"command"`
	Prepare      []string `json:"prepare,omitempty"` // statements before it, such as CRTSAVF
	After        []string `json:"after"`
	Reason       string   `json:"reason"`
	Outcome      string   `json:"outcome"` // planned, done, failed, unknown, skipped
	Evidence     string   `json:"evidence"`
}

// Picture is a drawing as data. A timeline has Points in order, Marks among
// them, and the Cut before which everything goes; a series has Values by time
// and Limits across them; a window has Rows from From to To.
type Picture struct {
	Kind   string `json:"kind"` // timeline, series, window
	Title  string `json:"title"`
	Points []Dot  `json:"points"`
	Marks  []Mark `json:"marks"`
	Cut    int    `json:"cut"`    // index of the first kept point; 0: nothing goes
	Hidden int    `json:"hidden"` // points left out in the middle of long runs of one verdict

	Unit   string  `json:"unit,omitempty"` // of a series' values
	Values []Value `json:"values,omitempty"`
	Limits []Limit `json:"limits,omitempty"`

	From string `json:"from,omitempty"` // of a window; without it, that of the oldest span
	To   string `json:"to,omitempty"`
	Rows []Row  `json:"rows,omitempty"`
}

// Value is a value of a series. Low and High are there when it is a forecast:
// the interval it is expected in.
type Value struct {
	At    string   `json:"at"`
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Limit is a line across a series: a threshold, or an end.
type Limit struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Row is a line of a window: a structure, or a member's log.
type Row struct {
	Kind  string `json:"kind"` // structure, log
	Name  string `json:"name"`
	Text  string `json:"text,omitempty"`
	Spans []Span `json:"spans"`
}

// Span is a part of a row. Without From it begins, without To it ends, where
// the window does.
type Span struct {
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	State string `json:"state"` // needed, image, active, archive, expiring, missing
	Text  string `json:"text,omitempty"`
}

// Dot is a point of a picture: one segment.
type Dot struct {
	Name    string `json:"name"`
	At      string `json:"at"`
	Verdict string `json:"verdict"`
	State   string `json:"state"`
}

// Mark is a recovery point in a picture: it lies in the segment of point
// Point, at time At.
type Mark struct {
	Kind  string `json:"kind"`
	Point int    `json:"point"`
	At    string `json:"at"`
}

// Totals counts verdicts. Bytes are what leaves the system.
type Totals struct {
	Segments   int   `json:"segments"`    // on the system
	Delete     int   `json:"delete"`      // of these, that may go, those archived first included
	Archive    int   `json:"archive"`     // of these, to be saved first or only saved
	Keep       int   `json:"keep"`        // needed or kept by a count
	Hold       int   `json:"hold"`        // not needed, held for another reason
	Archived   int   `json:"archived"`    // needed, only in a store
	Lost       int   `json:"lost"`        // needed, nowhere
	BytesFreed int64 `json:"bytes_freed"` //
	BytesKept  int64 `json:"bytes_kept"`
	// Of Delete and BytesFreed, what stays all the same: no store takes what is
	// to be saved first, or it stands behind such a segment.
	Waiting      int   `json:"waiting,omitempty"`
	BytesWaiting int64 `json:"bytes_waiting,omitempty"`
}
