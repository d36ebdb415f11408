package observe

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// system answers questions from texts. The keys are those that keyOf gives.
type system struct {
	at      time.Time
	answers map[string]string
	errors  map[string]string // what came back of questions that failed
	refuse  error             // what every question gets; nil: none
	spaces  int               // how often AMQJRNINF was read
}

// keyOf gives a short name to a question that ReadJournal or ReadPins asks.
func keyOf(q Question) string {
	for _, k := range []struct{ prefix, key string }{
		{"SQL QM1: QSYS2.JOURNAL_INFO ", "journal"},
		{"SQL QM1: QSYS2.JOURNAL_RECEIVER_INFO ", "receivers"},
		{"SQL QM1: QSYS2.REMOTE_JOURNAL_INFO ", "remote"},
		{"SQL QM1: QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='LIBA' MESSAGE_QUEUE_NAME='QMQMMSG'", "messages"},
		{"SQL QM1: QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QSYS' MESSAGE_QUEUE_NAME='QSYSOPR'", "operator"},
		{"SQL QM1: QSYS2.MESSAGE_QUEUE_INFO ", "journal queue"},
		{"FILE QM1: " + mqsIni, "ini"},
		{"USRSPC QM1: LIBA/AMQJRNINF", "space"},
		{"MQSC QM1: DISPLAY QMSTATUS ALL", "status"},
		{"MQSC QM1: DISPLAY CONN", "connections"},
		{"MQSC QM1: DISPLAY QSTATUS", "queues"},
		{"STORE QM1: manifests", "store"},
		{"HOLD QM1: holds", "holds"},
		{"HISTORY QM1: segments", "history"},
	} {
		if strings.HasPrefix(q.String(), k.prefix) {
			return k.key
		}
	}
	return q.String()
}

// Ask answers as a system or its host does. The second reading of AMQJRNINF
// is "space again" where there is such an answer.
func (s *system) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if s.refuse != nil {
		return Answer{}, s.refuse
	}
	key := keyOf(q)
	if key == "space" {
		if s.spaces++; s.spaces == 2 {
			if _, ok := s.answers["space again"]; ok || s.errors["space again"] != "" {
				key = "space again"
			}
		}
	}
	if body, failed := s.errors[key]; failed {
		return Answer{}, &Failed{q, []byte(body)}
	}
	body, ok := s.answers[key]
	if !ok && !q.Language.OfHost() {
		return Answer{}, &NotAnswered{q}
	}
	return Answer{[]byte(body), s.at}, nil
}

// with gives a copy of the system with one answer changed.
func (s *system) with(key, body string) *system {
	c := &system{at: s.at, answers: maps.Clone(s.answers), errors: maps.Clone(s.errors)}
	c.answers[key] = body
	return c
}

// without gives a copy that does not answer a question.
func (s *system) without(key string) *system {
	c := s.with(key, "")
	delete(c.answers, key)
	return c
}

// failing gives a copy on which a question fails.
func (s *system) failing(key, body string) *system {
	c := s.without(key)
	if c.errors == nil {
		c.errors = map[string]string{}
	}
	c.errors[key] = body
	return c
}

// edited gives a copy in one of whose answers a text is replaced, which must
// stand in it.
func (s *system) edited(t *testing.T, key, old, replacement string) *system {
	t.Helper()
	if !strings.Contains(s.answers[key], old) {
		t.Fatalf("%q does not stand in answer %s", old, key)
	}
	return s.with(key, strings.ReplaceAll(s.answers[key], old, replacement))
}

var theTarget = Target{Name: "QM1", Platform: IBMi}

func (s *system) read(t *testing.T) JournalFacts { return s.readAs(t, theTarget) }

func (s *system) readAs(t *testing.T, target Target) JournalFacts {
	t.Helper()
	facts, err := ReadJournal(t.Context(), s, target)
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// open gives the codes of what was not learned, in order; what was only not
// checked has a test of its own.
func open(facts JournalFacts) string {
	var codes []string
	for _, f := range facts.Inventory.Open {
		if f.Code != finding.NotChecked {
			codes = append(codes, string(f.Code))
		}
	}
	return strings.Join(codes, " ")
}

// lineOf writes the line of segments by their last three characters, those
// that are not on the system in brackets.
func lineOf(facts JournalFacts) string {
	var list []string
	for _, s := range facts.Inventory.Segments {
		short := s.ID.Name[max(0, len(s.ID.Name)-3):]
		if s.State == recovery.Absent {
			short = "[" + short + "]"
		}
		list = append(list, short)
	}
	return strings.Join(list, " ")
}

// needsOf writes the needs by kind and the segment in which they lie.
func needsOf(facts JournalFacts) string {
	var list []string
	for _, n := range facts.Inventory.Needs {
		at := slices.IndexFunc(facts.Inventory.Segments, func(s recovery.Segment) bool { return s.From == n.From })
		name := "nothing"
		if at >= 0 {
			name = facts.Inventory.Segments[at].ID.Name
		}
		list = append(list, n.Kind.String()+" "+name[max(0, len(name)-3):])
	}
	return strings.Join(list, ", ")
}

// goes gives what leaves the system under a strategy.
func goes(facts JournalFacts, strategy recovery.Strategy) map[recovery.SegmentID]recovery.VerdictKind {
	promise := recovery.Promise{Strategy: strategy, Unsaved: recovery.SaveUnsaved}
	found := make(map[recovery.SegmentID]recovery.VerdictKind)
	manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, promise).Managers[0]
	for i, v := range manager.Verdicts {
		if v.Kind.Goes() {
			found[manager.Inventory.Segments[i].ID] = v.Kind
		}
	}
	return found
}

func (s *system) goesShort(t *testing.T, strategy recovery.Strategy) string {
	t.Helper()
	var list []string
	for id, kind := range goes(s.read(t), strategy) {
		list = append(list, id.Name[len(id.Name)-3:]+" "+kind.String())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func hasCode(facts JournalFacts, code finding.Code) bool {
	return slices.ContainsFunc(facts.Inventory.Open, func(f finding.Finding) bool { return f.Code == code })
}
