package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// ErrSelection says that a type is none that rcdmqimg or rcrmqobj takes.
var ErrSelection = errors.New("not a type of objects")

// Selection is -t and the name of rcdmqimg and rcrmqobj: a type word (all, *,
// queue, qlocal, ...) and a name, which may be generic.
type Selection struct{ Type, Name string }

// Outcome is what became of one object.
type Outcome string

// The outcomes, with the exit codes that rcdmqimg has for them (reference,
// Multiplatforms 3.4 item 67).
const (
	Recorded       Outcome = "recorded"
	Recreated      Outcome = "recreated"
	Sound          Outcome = "not damaged"           // AMQ7082
	NotRecoverable Outcome = "not media recoverable" // 28
	IsDamaged      Outcome = "damaged"               // 132
	NoImage        Outcome = "media image missing"   // 66
	Busy           Outcome = "in use"                // 136
	Temporary      Outcome = "temporary"             // 135
)

// Imaged is one object of an rcdmqimg.
type Imaged struct {
	Ref     engine.Ref
	Outcome Outcome
}

// Recreation is one object of an rcrmqobj. Err is why it failed.
type Recreation struct {
	Ref     engine.Ref
	Outcome Outcome
	Err     error
}

// selected gives the objects that are meant, in the order of their definition.
// When there is none it is engine.ErrNoObject.
func (s Selection) selected(e *engine.Engine) ([]engine.Object, error) {
	kinds, ok := objects.ByWord(s.Type)
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrSelection, s.Type)
	}
	if len(kinds) > 1 && slices.Contains(kinds, objects.QueueManager) {
		// All objects are all that have images: not channels (SEED 7.5.1).
		kinds = slices.DeleteFunc(kinds, func(k engine.Kind) bool { return !objects.Of(k).Image })
		kinds = append(kinds, objects.Catalogue, objects.SyncFile)
	}
	var found []engine.Object
	for _, o := range e.Objects() {
		if slices.Contains(kinds, o.Ref.Kind) && s.means(o.Ref) {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s, type %s: %w", s.Name, s.Type, engine.ErrNoObject)
	}
	return found, nil
}

// means tells whether a name is meant. It may be left out for what a queue
// manager has once (reference, Multiplatforms 3.4 item 64).
func (s Selection) means(ref engine.Ref) bool {
	if objects.Once(ref.Kind) && s.Name == "" {
		return true
	}
	return objects.Fits(s.Name, ref.Name)
}

// generic tells whether the name stands for any number of objects.
func (s Selection) generic() bool { return strings.HasSuffix(s.Name, "*") }
