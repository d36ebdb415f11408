// Package plugins says what a plugin is: pure values and a few small
// interfaces. It is all that an author needs beside plugins/serve.
//
// A plugin looks at a target through [Host], decides, and returns a [Plan]:
// findings and ordered actions. It has no hands; the host performs the
// actions, and performs none in a dry run.
package plugins

import (
	"context"
	"log/slog"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins/schema"
)

// Plugin is what every plugin implements. Beside it a plugin may implement
// [Checker], [Confirmer] and [Performer].
type Plugin interface {
	Describe() Description
	// Plan looks at the target and says what should be done. It changes
	// nothing and can't: all it has is host. It is called concurrently for
	// different targets.
	Plan(ctx context.Context, request Request, host Host) (Plan, error)
}

// Checker is implemented by a plugin that checks a task's configuration
// beyond its schema, without asking any system.
type Checker interface {
	Check(ctx context.Context, request Request) []Complaint
}

// Confirmer is implemented by a plugin that can tell whether an action that
// was accepted has really been done.
type Confirmer interface {
	Confirm(ctx context.Context, action Action, host Host) (Result, error)
}

// Performer is implemented by a plugin that performs custom actions itself.
type Performer interface {
	Perform(ctx context.Context, action Action, hands Hands) (Result, error)
}

// Description is what a plugin says of itself.
type Description struct {
	Name      string // as tasks name it
	Version   string
	Doc       string // one sentence
	Platforms []observe.Platform
	Languages []observe.Language // that its questions are in
	Actions   []Kind             // that its plans may hold
	Schema    schema.Schema      // of a task's config block
}

// Host is what a plugin may use while it plans.
type Host interface {
	observe.Asker
	// Progress shows a person how far it is; total 0 means not known.
	Progress(done, total int64, what string)
	// Log gives a logger whose records arrive in the host with their level.
	Log() *slog.Logger
}

// Hands is what a plugin may use while it performs its own action.
type Hands interface {
	Host
	// Do sends the action's own command, and no other.
	Do(ctx context.Context, command Command) (observe.Answer, error)
}

// Request says what to plan.
type Request struct {
	Run, Task string
	Round     int // 1 for the first plan of a run
	Target    observe.Target
	Config    schema.Value
	Promise   recovery.Promise
	Store     string   // the task's store; empty: none
	Earlier   []Result // of the actions of earlier rounds
}

// Complaint is what a Checker does not like. Path names the setting; the
// host adds file, line and column.
type Complaint struct{ Path, Text string }

// Plan is what should be done with one target, and why.
type Plan struct {
	Decision recovery.Decision
	Objects  []Object
	Actions  []Action
	Findings []finding.Finding // those of Decision not repeated
	Pictures []Picture         // beside those that Decision gives
	Again    bool              // plan again after the actions
}

// Object is something beside log pieces that a plan speaks of.
type Object struct {
	Kind    string // structure, data-set, queue, member
	Name    string
	Owner   string
	Facts   map[string]string
	Verdict string
	Reason  string
}

// Kind says who does what in an action.
type Kind string

// The kinds of action. A release of a log piece is a delete or a
// mark-archived; as a command it is refused.
const (
	KindCommand      Kind = "command"       // a change, sent to a queue manager
	KindArchive      Kind = "archive"       // copy a segment to the store
	KindMarkArchived Kind = "mark-archived" // tell the queue manager that a segment is saved
	KindDelete       Kind = "delete"        // let a segment go
	KindAlert        Kind = "alert"         // tell a person
	KindCustom       Kind = "custom"        // the plugin's own Perform
)

// Command is a text for a queue manager.
type Command struct {
	Language     observe.Language
	QueueManager string
	Text         string
}

// MostWithin is how long one action may take. What takes longer, waiting for a
// Confirm included, would hold the claim on a target beyond the next night's run.
const MostWithin = 24 * time.Hour

// Action is one step of a plan. It starts when all in After are done; if one
// of them failed, is unknown or was skipped it is skipped.
type Action struct {
	ID           string // unique within the plan; a later round may use it again
	QueueManager string
	Kind         Kind
	Command      Command
	Object       string             // what it acts on, for people
	Items        []string           // custom: the things named; command: what a Confirm needs to know
	Segment      recovery.SegmentID // archive, mark-archived, delete
	Fingerprint  string             // of the segment, as it was planned with
	Store        string             // archive: where to
	After        []string           // IDs
	Within       time.Duration      // how long it may take, at most MostWithin; 0: the host's default
	Reason       string
}

// State says what became of an action.
type State string

// The states of an action.
const (
	Planned State = "planned"
	Done    State = "done"
	Failed  State = "failed"
	Pending State = "pending" // ask again after Result.After
	Retry   State = "retry"   // not done; may be sent again
	Unknown State = "unknown" // nobody can tell; never sent again blindly
	Skipped State = "skipped"
)

// Result is what became of one action.
type Result struct {
	Action   string // its ID
	State    State
	After    time.Duration // pending: when to ask again
	Evidence string        // how that is known
}
