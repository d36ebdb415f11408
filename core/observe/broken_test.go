package observe

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// Whatever happens to one answer of a good system, nothing may go that would
// not have gone. Three kinds of breakage can't be told from another good
// answer, and are looked at apart:
//
//   - whole rows that are missing from the holds (a shorter list of holds is a
//     list of holds), from the notices on a message queue (operators clear
//     them) and from a list of remote journals without a count;
//   - a value that became another valid value and that nothing else confirms:
//     on a system without names, links and words an attach time, the time of
//     the recovery point or a status code;
//   - the host's answers that are missing altogether: a transcript without
//     such a block has none (docs/transcript.md).
func systems() map[string]*system {
	return map[string]*system{"full": full(), "bare": bare(), "archived": archived()}
}

var strategies = []recovery.Strategy{recovery.Conservative, recovery.FastStartup, recovery.Aggressive}

type plans map[recovery.Strategy]map[recovery.SegmentID]recovery.VerdictKind

func plansOn(t *testing.T, s *system) (plans, JournalFacts) {
	t.Helper()
	s.spaces = 0
	facts := s.read(t)
	all := make(plans)
	for _, strategy := range strategies {
		all[strategy] = goes(facts, strategy)
	}
	return all, facts
}

// beyond says what a plan lets go that the good one did not; a delete where
// the good plan saves first is such a thing too.
func (good plans) beyond(broken plans) string {
	for _, strategy := range strategies {
		for id, kind := range broken[strategy] {
			if was, ok := good[strategy][id]; !ok || kind == recovery.Delete && was != recovery.Delete {
				return fmt.Sprintf("%s: %s %s", strategy, id, kind)
			}
		}
	}
	return ""
}

func (good plans) nothing() bool {
	for _, strategy := range strategies {
		if len(good[strategy]) > 0 {
			return false
		}
	}
	return true
}

// needed are the answers without which nothing may go.
var needed = []string{"journal", "space", "receivers"}

func TestAnswerMissing(t *testing.T) {
	for name, s := range systems() {
		good, _ := plansOn(t, s)
		for key := range s.answers {
			if key == "holds" {
				continue // none, by the rule of the host's answers
			}
			broken, facts := plansOn(t, s.without(key))
			if more := good.beyond(broken); more != "" {
				t.Errorf("%s without %s: %s", name, key, more)
			}
			if slices.Contains(needed, key) && (!broken.nothing() || !hasCode(facts, finding.NotAnswered)) {
				t.Errorf("%s without %s: %v, open %s", name, key, broken, open(facts))
			}
		}
	}
}

func TestAnswerFails(t *testing.T) {
	bodies := map[string]finding.Code{
		"SQL0204 JOURNAL_RECEIVER_INFO in QSYS2 type *FILE not found.\n":     finding.ServiceMissing,
		"[SQL0206] Column NUMBER_JOURNAL_RECEIVERS not in specified tables.": finding.ServiceMissing,
		"SQLSTATE 42704":           finding.ServiceMissing,
		"SQL0551 Not authorized.":  finding.FactsUnreadable,
		"CPF2105 Object not found": finding.FactsUnreadable,
		"":                         finding.FactsUnreadable,
	}
	for name, s := range systems() {
		good, _ := plansOn(t, s)
		for key := range s.answers {
			for body, code := range bodies {
				broken, facts := plansOn(t, s.failing(key, body))
				if more := good.beyond(broken); more != "" {
					t.Errorf("%s, %s fails with %q: %s", name, key, body, more)
				}
				if key == "store" {
					code = finding.StoreUnreadable // the store's fault, whatever it says
				}
				must := slices.Contains(needed, key) || slices.Contains([]string{"store", "holds", "history"}, key)
				if must && (!broken.nothing() || !hasCode(facts, code)) {
					t.Errorf("%s, %s fails with %q: %v, open %s", name, key, body, broken, open(facts))
				}
			}
		}
	}
}

// The second reading of AMQJRNINF counts as much as the first.
func TestSecondReadingBroken(t *testing.T) {
	for name, s := range systems() {
		for _, broken := range []*system{s.failing("space again", "CPF9801"), s.with("space again", ""), s.with("space again", "AMQA000008LIBA")} {
			if plan, facts := plansOn(t, broken); !plan.nothing() {
				t.Errorf("%s: %v, open %s", name, plan, open(facts))
			}
		}
	}
}

// Nothing an answer is cut to lets more go. A list of holds that ends between
// two lines is a shorter list of holds.
func TestAnswerCutAtEveryByte(t *testing.T) {
	for name, s := range systems() {
		good, _ := plansOn(t, s)
		for key, body := range s.answers {
			if triedOnFull(name, key, body) {
				continue
			}
			for i := 0; i < len(body); i += stride {
				if key == "holds" && (i == 0 || body[i-1] == '\n' || body[i] == '\n' && strings.Count(body[:i], "\n") == 0) {
					continue
				}
				broken, facts := plansOn(t, s.with(key, body[:i]))
				if more := good.beyond(broken); more != "" {
					t.Fatalf("%s, %s cut at %d (%q): %s; open %s", name, key, i, tail(body[:i]), more, open(facts))
				}
				if slices.Contains(needed, key) && strings.TrimSpace(body[:i]) == "" && !broken.nothing() {
					t.Fatalf("%s, %s empty: %v", name, key, broken)
				}
			}
		}
	}
}

// triedOnFull tells whether an answer need not be broken byte by byte once
// more, since the full system gives the same. What the store holds matters
// where something is archived.
func triedOnFull(name, key, body string) bool {
	return name == "archived" && key != "store" && body == full().answers[key]
}

func tail(body string) string { return body[max(0, len(body)-40):] }

func TestAnswerLosesALine(t *testing.T) {
	for name, s := range systems() {
		good, _ := plansOn(t, s)
		for key, body := range s.answers {
			lines := strings.SplitAfter(strings.TrimSuffix(body, "\n"), "\n")
			for i := range lines {
				if key == "holds" && i > 0 {
					continue
				}
				rest := strings.Join(slices.Concat(lines[:i], lines[i+1:]), "")
				if i == 0 && slices.Contains([]string{"holds", "store", "history"}, key) && rest == "" {
					continue // an empty answer of the host is none
				}
				broken, facts := plansOn(t, s.with(key, rest))
				if more := good.beyond(broken); more != "" {
					t.Errorf("%s, %s without line %d (%s): %s; open %s", name, key, i+1, lines[i], more, open(facts))
				}
			}
		}
	}
}

// unconfirmed are the answers of the bare system that nothing else confirms.
var unconfirmed = []string{"space", "receivers"}

// bitsOf gives which bits of a byte to turn: all of them in the answers that
// say what is needed, else one.
func bitsOf(key string, random *rand.Rand) []int {
	if key == "space" || key == "status" {
		return []int{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return []int{random.IntN(8)}
}

// Any single bit of any answer may be wrong. On a system that tells all it
// can nothing more goes; on the bare one only where a byte of a value that
// nothing confirms became another valid value.
func TestAnswerWithAWrongBit(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, s := range systems() {
		good, _ := plansOn(t, s)
		for key, body := range s.answers {
			if key == "holds" || triedOnFull(name, key, body) || name == "bare" && slices.Contains(unconfirmed, key) {
				continue
			}
			for i := 0; i < len(body); i += stride {
				for _, bit := range bitsOf(key, random) {
					wrong := []byte(body)
					wrong[i] ^= 1 << bit
					broken, facts := plansOn(t, s.with(key, string(wrong)))
					if more := good.beyond(broken); more != "" {
						t.Errorf("%s, %s with %q for %q behind %q: %s; open %s", name, key, wrong[i], body[i], tail(body[:i]), more, open(facts))
					}
				}
			}
		}
	}
}

// On the bare system, too, what a wrong bit does to the receivers and to the
// recovery point never lets go what is being written or is not listed, and
// under fast-startup, which has no restart point there, nothing at all.
func TestBareAnswerWithAWrongBit(t *testing.T) {
	s := bare()
	good, _ := plansOn(t, s)
	for _, key := range unconfirmed {
		body := s.answers[key]
		for i := 0; i < len(body); i += stride {
			for bit := range 8 {
				wrong := []byte(body)
				wrong[i] ^= 1 << bit
				broken, facts := plansOn(t, s.with(key, string(wrong)))
				if len(broken[recovery.FastStartup]) > 0 {
					t.Errorf("%s: %q at %d: %v", key, wrong[i], i, broken)
				}
				for _, r := range facts.Receivers {
					for _, strategy := range strategies {
						if _, ok := broken[strategy][r.ID]; ok && (r.State == recovery.Current || r.State == recovery.StateUnknown) {
							t.Errorf("%s: %q at %d: %s goes, which is %s", key, wrong[i], i, r.ID, r.State)
						}
					}
				}
				if good.beyond(broken) != "" && !(ofValue(body[i]) && (ofValue(wrong[i]) || wrong[i] == '\f' || wrong[i] == '\v')) {
					t.Errorf("%s: %q for %q at %d: %s", key, wrong[i], body[i], i, good.beyond(broken))
				}
			}
		}
	}
}

// ofValue tells whether a byte may stand in a name, a time or a code. A form
// feed in front of a cell is white space, and what is left a shorter name.
func ofValue(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || strings.IndexByte("$#@_.", b) >= 0
}

// Whole answers of rubbish, and good answers given to the wrong question.
func TestAnswerIsRubbish(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, s := range systems() {
		good, _ := plansOn(t, s)
		others := slices.Sorted(maps.Keys(s.answers))
		for _, key := range others {
			for n := range 40 {
				body := make([]byte, random.IntN(200))
				for i := range body {
					body[i] = byte(random.Uint32())
				}
				if n < len(others) {
					body = []byte(s.answers[others[n]])
				}
				if key == "holds" && len(strings.TrimSpace(string(body))) == 0 {
					continue
				}
				broken, facts := plansOn(t, s.with(key, string(body)))
				if more := good.beyond(broken); more != "" {
					t.Errorf("%s, %s is %q: %s; open %s", name, key, body, more, open(facts))
				}
			}
		}
	}
}
