package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// sequence is the actions of a plan with what each relies on.
type sequence struct {
	actions []ledger.Action
	files   bool // log pieces are files, and mqhk itself copies them
	byID    map[string]int
	saving  map[pieceKey][]int // the actions that save a log piece
	leaning map[pieceKey]bool  // by manager and name: what may go only since a copy is in a store
	done    []bool             // what is done, or was submitted
	left    map[string]string  // by queue manager: the oldest delete that is not
}

type pieceKey struct{ manager, object string }

// inStoreReason is the reason of the rule for a piece that is still needed and
// goes since a copy of it is in a store.
const inStoreReason = "in-store"

func newSequence(plan ledger.Target) sequence {
	s := sequence{
		actions: plan.Actions, files: observe.Platform(plan.Platform) == observe.Multiplatforms,
		byID: map[string]int{}, saving: map[pieceKey][]int{}, leaning: map[pieceKey]bool{},
		done: make([]bool, len(plan.Actions)), left: map[string]string{},
	}
	for _, segment := range plan.Segments {
		if segment.Verdict == recovery.Delete.String() && segment.Reason == inStoreReason {
			s.leaning[pieceKey{segment.QueueManager, segment.Name}] = true
		}
	}
	for i, action := range plan.Actions {
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

// objection says why a person must not submit action i, given what is settled
// before it; empty when nothing stands against it.
func (s sequence) objection(i int) string {
	action := s.actions[i]
	state := outcome(action)
	switch {
	case state == plugins.Done:
		return "mqhk has done it already."
	case state != plugins.Planned:
		return fmt.Sprintf("mqhk tried it or left it out (%s); look at the system first.", state)
	case action.Command == "" && s.files && plugins.Kind(action.Kind) == plugins.KindArchive:
		return "mqhk itself reads it, copies it to its store and reads the copy back: mqhk run --apply. A copy that is made otherwise has no manifest there, so nothing brings it back."
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
		if !s.done[j] {
			return fmt.Sprintf("it relies on %s %s, which is not done and for which there is no statement above.", s.actions[j].Kind, s.actions[j].Object)
		}
	}
	return s.deletion(i)
}

// deletion says what stands against a delete on top of what every action meets:
// nothing goes past one that stays (case 9), whatever a plan says waits for what,
// and a needed file goes only with a copy that was read just before.
func (s sequence) deletion(i int) string {
	action := s.actions[i]
	if plugins.Kind(action.Kind) != plugins.KindDelete {
		return ""
	}
	name := action.Object[strings.LastIndexByte(action.Object, '/')+1:]
	if s.files && s.leaning[pieceKey{action.QueueManager, name}] {
		return "a recovery still needs it, and it goes only once its copy in the store was read again, which only mqhk does: mqhk run --apply."
	}
	if before := s.left[action.QueueManager]; before != "" {
		return fmt.Sprintf("it stands behind delete %s, which is not done: the oldest go first.", before)
	}
	return ""
}

// settle says what became of action i.
func (s sequence) settle(i int, done bool) {
	action := s.actions[i]
	if s.done[i] = done; done || plugins.Kind(action.Kind) != plugins.KindDelete {
		return
	}
	if s.left[action.QueueManager] == "" {
		s.left[action.QueueManager] = action.Object
	}
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
