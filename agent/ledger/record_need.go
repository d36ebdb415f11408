package ledger

// Need is what can go of a target when a disk is filling, at the least loss of
// promise first. Nothing of it is planned: actions are those of the policy.
type Need struct {
	Bytes   int64      `json:"bytes"`             // that were asked for
	Met     bool       `json:"met"`               // all steps together free as much
	Blocked string     `json:"blocked,omitempty"` // why nothing can go, by whatever step
	Steps   []NeedStep `json:"steps"`             // by rising loss
	Rest    []NeedRest `json:"rest"`              // what no step frees
	Hints   []string   `json:"hints"`             // what pins the recovery points
}

// NeedStep is what can go beyond the steps before it.
type NeedStep struct {
	Cost       string   `json:"cost"` // nothing, strategy, limits, min-age, keep-newest, margin, unsaved, rebuild, restart
	Why        string   `json:"why"`  // what that means
	First      string   `json:"first"`
	Last       string   `json:"last"`
	Segments   int      `json:"segments"`
	Save       int      `json:"save"` // of these, to be saved first
	Bytes      int64    `json:"bytes"`
	TotalBytes int64    `json:"total_bytes"`       // with the steps before
	Enough     int      `json:"enough"`            // the oldest so many of Segments would do; 0: all are not enough, or the steps before are
	Store      string   `json:"store,omitempty"`   // that the task names, where segments are to be saved
	Missing    []string `json:"missing,omitempty"` // without which it can't be done
	Do         string   `json:"do"`                // what carries it out
	Outlook    Outlook  `json:"outlook"`           // after this step and those before
}

// NeedRest is what no step frees, for one reason.
type NeedRest struct {
	Reason   string `json:"reason"` // slug
	Why      string `json:"why"`    // sentence
	First    string `json:"first"`
	Last     string `json:"last"`
	Segments int    `json:"segments"`
	Bytes    int64  `json:"bytes"`
	Hint     string `json:"hint,omitempty"` // what a person can do about it
}
