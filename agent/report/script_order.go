package report

import (
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// sequence is the actions of a plan with what each relies on.
type sequence struct {
	actions []ledger.Action
	byID    map[string]int
	saving  map[pieceKey][]int // the actions that save a log piece
}

type pieceKey struct{ manager, object string }

func newSequence(actions []ledger.Action) sequence {
	s := sequence{actions: actions, byID: map[string]int{}, saving: map[pieceKey][]int{}}
	for i, action := range actions {
		s.byID[action.ID] = i
		if kind := plugins.Kind(action.Kind); kind == plugins.KindArchive || kind == plugins.KindMarkArchived {
			piece := pieceKey{action.QueueManager, action.Object}
			s.saving[piece] = append(s.saving[piece], i)
		}
	}
	return s
}

// requires gives the positions of the actions that have to be done before
// action i: those that it names, and whatever saves the log piece that it
// deletes, named or not. unknown is an ID that no action has.
func (s sequence) requires(i int) (before []int, unknown string) {
	action := s.actions[i]
	for _, id := range action.After {
		at, ok := s.byID[id]
		if !ok {
			unknown = id
			continue
		}
		before = append(before, at)
	}
	if plugins.Kind(action.Kind) == plugins.KindDelete {
		before = append(before, s.saving[pieceKey{action.QueueManager, action.Object}]...)
	}
	return before, unknown
}

// order gives the positions in the order of the plan, but for those that
// would stand before something they rely on. Actions that rely on each other
// in a circle stay where they are; [sequence.objection] stops them.
func (s sequence) order() []int {
	var result []int
	seen := make([]bool, len(s.actions))
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		before, _ := s.requires(i)
		for _, j := range before {
			visit(j)
		}
		result = append(result, i)
	}
	for i := range s.actions {
		visit(i)
	}
	return result
}

// objection says why a person must not submit action i, given what is done
// or was submitted before it; empty when nothing stands against it.
func (s sequence) objection(i int, done []bool) string {
	action := s.actions[i]
	state := outcome(action)
	switch {
	case state == plugins.Done:
		return "mqhk has done it already."
	case state != plugins.Planned:
		return fmt.Sprintf("mqhk tried it or left it out (%s); look at the system first.", state)
	case action.Command == "":
		return noStatement(plugins.Kind(action.Kind))
	}
	for _, text := range statements(action) {
		if why := unsafeStatement(observe.Language(action.Language), text); why != "" {
			return why
		}
	}
	before, unknown := s.requires(i)
	if unknown != "" {
		return fmt.Sprintf("it is to come after action %s, which this plan does not have.", unknown)
	}
	for _, j := range before {
		if !done[j] {
			return fmt.Sprintf("it relies on %s %s, which is not done and for which there is no statement above.", s.actions[j].Kind, s.actions[j].Object)
		}
	}
	return ""
}

// statements gives what is submitted for an action: what prepares it, such as
// the creation of a save file, and its own statement.
func statements(action ledger.Action) []string {
	return append(slices.Clone(action.Prepare), action.Command)
}

func noStatement(kind plugins.Kind) string {
	switch kind {
	case plugins.KindArchive:
		return "mqhk itself copies it to the store and reads it back; there is no statement for that."
	case plugins.KindAlert:
		return "it only tells a person."
	case plugins.KindCustom:
		return "the plugin does it itself; there is no statement for that."
	default:
		return "the plan has no statement for it."
	}
}
