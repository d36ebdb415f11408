package run

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// KeptSchema is the version of a kept plan as it is written. A plan of any
// other version is not read: it is carried out word for word or not at all.
const KeptSchema = "mqhk.plan/v1"

// Kept is a plan that was put away to be read, approved and carried out once.
type Kept struct {
	Schema string        `json:"schema"`
	ID     string        `json:"id"`   // SHA-256 of all the rest, in hexadecimal
	Made   time.Time     `json:"made"` // by the clock of the host that made it
	Host   string        `json:"host"`
	Totals ledger.Totals `json:"totals"` // of all tasks
	Tasks  []KeptTask    `json:"tasks"`
}

// KeptTask is what one task of one policy would do on one target, and what it
// was planned on.
type KeptTask struct {
	Target       string            `json:"target"`
	Platform     string            `json:"platform"`
	Policy       string            `json:"policy"`
	PolicyDigest string            `json:"policy_digest"`
	Task         string            `json:"task"`
	Plugin       ledger.Plugin     `json:"plugin"`
	Strategy     string            `json:"strategy"`
	Promise      ledger.Promise    `json:"promise"`
	Totals       ledger.Totals     `json:"totals"`
	Findings     []finding.Finding `json:"findings"`
	Managers     []KeptManager     `json:"queue_managers"`
	Actions      []KeptAction      `json:"actions"`
}

// KeptManager is how one queue manager's log stood when the plan was made.
type KeptManager struct {
	Name        string     `json:"name"`
	Incarnation string     `json:"incarnation"`
	Observed    string     `json:"observed"` // RFC 3339, by its own clock; empty: not known
	Marks       []KeptMark `json:"marks"`
	// Line names the segments from the oldest mark to the newest of all, in
	// the order in which they were written. A hole without a name is empty.
	Line []string `json:"line"`
}

// KeptMark is a recovery point.
type KeptMark struct {
	Kind    string `json:"kind"`
	Segment string `json:"segment"` // as MQ named it; empty: it named none
	Entry   string `json:"entry"`   // the time of the oldest entry, as MQ gave it
	Source  string `json:"source"`  // where to check it by hand
	// Position is the mark's place in the line, from 0. Positions are
	// comparable within one kept plan and nowhere else.
	Position int `json:"position"`
}

// ErrNotKept says that tasks can't be put away as a plan that is carried out
// word for word.
var ErrNotKept = errors.New("the plan can't be kept")

// KeepPlan makes a plan of what tasks would do. An error wraps ErrNotKept: a
// task without a plugin's hash, an action that does not name its segment, a
// name that the file could not give back as it is.
func KeepPlan(made time.Time, host string, tasks []KeptTask) (Kept, error) {
	k := Kept{Schema: KeptSchema, Made: made.UTC().Round(0), Host: host, Tasks: slices.Clone(tasks)}
	for _, t := range k.Tasks {
		add(&k.Totals, t.Totals)
	}
	if err := k.check(); err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	var err error
	if k.ID, err = k.digest(); err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	text, err := k.Text()
	if err != nil {
		return Kept{}, fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	// JSON replaces what is not UTF-8, and another name is another segment.
	if read, err := parseKept(text); err != nil || !reflect.DeepEqual(read, k) {
		return Kept{}, fmt.Errorf("%w: a name or a text in it is not UTF-8", ErrNotKept)
	}
	return k, nil
}

// Find gives what the plan holds of a task on a target.
func (k Kept) Find(policy, task, target string) (KeptTask, bool) {
	for _, t := range k.Tasks {
		if t.Policy == policy && t.Task == task && t.Target == target {
			return t, true
		}
	}
	return KeptTask{}, false
}

func (t KeptTask) String() string { return t.Policy + "/" + t.Task + " on " + t.Target }
