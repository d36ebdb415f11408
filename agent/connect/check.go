package connect

import (
	"context"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/internal/shell"
)

// Use is what something is needed for.
type Use string

// The uses.
const (
	ForPlan    Use = "plan"
	ForDelete  Use = "delete"
	ForSave    Use = "save"    // to a store
	ForImages  Use = "images"  // recording media images
	ForRestore Use = "restore" // from a store
)

// Uses gives all of them, in the order in which they come in a site's life.
func Uses() []Use { return []Use{ForPlan, ForDelete, ForSave, ForImages, ForRestore} }

// Verdict says whether something that is needed is there.
type Verdict string

// The verdicts.
const (
	Yes     Verdict = "yes"
	No      Verdict = "no"
	Unknown Verdict = "unknown" // nobody could tell
)

// Needs says for what a target is checked.
type Needs struct {
	Uses   []Use   // empty: all
	Stores []Store // that segments are saved to and restored from
	// User is the profile that the grants are for; empty: the system is asked
	// who asks.
	User string
}

// uses tells whether something is checked for a use.
func (n Needs) uses(u Use) bool { return len(n.Uses) == 0 || slices.Contains(n.Uses, u) }

// Checked is one fact or authority that was tested without changing anything.
type Checked struct {
	What string `json:"what"`
	For  []Use  `json:"for"`
	// Wanted: without it mqhk works, and says in each plan what it could not
	// check.
	Wanted    bool     `json:"wanted,omitempty"`
	Verdict   Verdict  `json:"verdict"`
	Detail    string   `json:"detail,omitempty"` // what was answered
	Log       string   `json:"log,omitempty"`    // the directory of the extents, in the row that found it
	Questions []string `json:"questions"`        // the displays that tested it
	// Grant is what somebody with the authority for it submits so that the
	// verdict becomes yes. It names all that mqhk needs of the object, not only
	// what is missing: on IBM i a user who is granted one thing in person has no
	// more of what everybody may.
	Grant []string `json:"grant,omitempty"`
}

// Check tests what a target needs to be worked on for some uses. It asks
// displays alone. An error is returned when ctx ends, and for a platform of
// which mqhk does not know what is needed.
func Check(ctx context.Context, target observe.Target, reader observe.Asker, needs Needs) ([]Checked, error) {
	c := &checker{ctx: ctx, target: target, reader: reader, needs: needs}
	var all []Checked
	switch target.Platform {
	case observe.IBMi:
		all = c.ibmi()
	case observe.Multiplatforms:
		all = c.multiplatforms()
	default:
		return nil, fmt.Errorf("checking %s: what is needed on %s is not known", target, target.Platform)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("checking %s: %w", target, err)
	}
	for i := range all {
		all[i].showable()
	}
	return all, nil
}

// unshowable is why a grant is not printed.
const unshowable = "what would grant it holds a name that can't be shown, so it is not printed"

// showable takes back what a person would be told to submit without seeing all
// of it: names come from answers, and what holds a control character is no name.
// Half of what is needed would help nobody.
func (row *Checked) showable() {
	if !slices.ContainsFunc(row.Grant, func(text string) bool { return text == "" || !shell.Printable(text) }) {
		return
	}
	row.Grant = nil
	if row.Detail != "" {
		row.Detail += "; "
	}
	row.Detail += unshowable
}

// checker asks one target.
type checker struct {
	ctx    context.Context
	target observe.Target
	reader observe.Asker
	needs  Needs
	who    profile
}

// ask asks a question and notes it.
func (c *checker) ask(row *Checked, language observe.Language, text string) ([]byte, error) {
	q := observe.Question{Language: language, QueueManager: c.target.Name, Text: text}
	row.Questions = append(row.Questions, q.String())
	answer, err := c.reader.Ask(c.ctx, q)
	return answer.Body, err
}
