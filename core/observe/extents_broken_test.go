package observe_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"pgregory.net/rapid"
)

// told are the answers of one host; a question asked again gets the next one, the
// last from then on.
type told struct {
	bodies map[string][]string
	asked  map[string]int
}

func (a told) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	bodies, ok := a.bodies[q.String()]
	answer := observe.Answer{At: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
	switch {
	case !ok && q.Language.OfHost():
		return answer, nil
	case !ok:
		return answer, &observe.NotAnswered{Question: q}
	}
	answer.Body = []byte(bodies[min(a.asked[q.String()], len(bodies)-1)])
	a.asked[q.String()]++
	return answer, nil
}

// breakable is a host whose answers tests break one by one.
type breakable struct {
	name   string
	blocks [][2]string // header, body; one header may stand twice
	// valued tells the places of an answer where another value is as good as the
	// one that stands there, and nothing confirms it.
	valued *regexp.Regexp
}

// breakables are hosts that tell all they can, of each kind of log management,
// and one whose queue manager is not asked.
func breakables(t *testing.T) []breakable {
	copies := manifestColumns
	for n := 101; n < 108; n++ {
		copies += manifestOf(n)
	}
	u := usual().with(manifests, copies).
		with(notes, "ID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n1,2026-05-27T22:00:00Z,data-backup,,S0000103.LOG,,\n2,2026-05-27T22:00:00Z,saved,,S0000100.LOG,,\n").
		with(seen, "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T02:00:00Z,restart,,S0000110.LOG,\n2026-05-27T02:00:00Z,media,,S0000104.LOG,\n")
	twice := func(s script) [][2]string { return append(s.blocks, [2]string{qmstatus, s.body(t, qmstatus)}) }
	managed := u.edit(t, qmini, "   LogBufferPages", "   LogManagement=Archive\n   LogBufferPages").edit(t, qmstatus, "ARCHLOG( )", "ARCHLOG(S0000120.LOG)")
	return []breakable{
		{"manual", twice(u), nil},
		{"archive", twice(managed), regexp.MustCompile(`ARCHLOG\(S\d{7}\.LOG\)`)},
		{"from the error log", u.without(qmstatus).with(errorLog, loggedText).blocks, regexp.MustCompile(`S\d{7}|\d\d:\d\d|Time\S*|VRMF\S*`)},
	}
}

// goes gives what may go by the answers, under each strategy, and what is to be
// reported; nobody's word is better than the host's.
func (b breakable) goes(t interface{ Fatal(...any) }, blocks [][2]string) map[string]recovery.VerdictKind {
	a := told{make(map[string][]string), make(map[string]int)}
	for _, block := range blocks {
		a.bodies[block[0]] = append(a.bodies[block[0]], block[1])
	}
	facts, err := observe.ReadExtents(context.Background(), a, observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]recovery.VerdictKind)
	for _, strategy := range []recovery.Strategy{recovery.Conservative, recovery.FastStartup} {
		for _, unsaved := range []recovery.Unsaved{recovery.HoldUnsaved, recovery.SaveUnsaved} {
			promise := recovery.Promise{Strategy: strategy, Unsaved: unsaved, TrustErrorLog: true}
			manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, promise).Managers[0]
			for i, v := range manager.Verdicts {
				if key := strategy.String() + " " + unsaved.String() + " " + manager.Inventory.Segments[i].ID.Name; v.Kind.Goes() {
					all[key] = v.Kind
				} else if manager.ToReport(i) {
					all["report "+key] = v.Kind
				}
			}
		}
	}
	return all
}

// broken gives the blocks with another body in one place.
func (b breakable) broken(at int, body string) [][2]string {
	blocks := slices.Clone(b.blocks)
	blocks[at][1] = body
	return blocks
}

// beyond says what goes by broken answers that did not by the good ones, or
// goes without the copy that the good ones want first.
func beyond(good, broken map[string]recovery.VerdictKind) string {
	for _, key := range slices.Sorted(maps.Keys(broken)) {
		kind, was := broken[key], good[key]
		if _, there := good[key]; !there || kind == recovery.Delete && was != recovery.Delete {
			return key + " " + kind.String()
		}
	}
	return ""
}

// confirmed tells whether a break of an answer has to be noticed. The host's own
// notes and holds are as good whichever they are (docs/transcript.md).
func (b breakable) confirmed(at int) bool {
	header := b.blocks[at][0]
	return header != notes && header != holds
}

// An answer that is cut behind any of its lines, or lacks any of them, lets
// nothing go that the whole one keeps.
func TestExtentAnswersCut(t *testing.T) {
	for _, b := range breakables(t) {
		good := b.goes(t, b.blocks)
		if len(good) < 10 {
			t.Fatalf("%s: only %v: this shows nothing", b.name, good)
		}
		for at, block := range b.blocks {
			if !b.confirmed(at) {
				continue
			}
			lines := strings.SplitAfter(block[1], "\n")
			for i := range lines {
				for what, body := range map[string]string{
					"cut behind": strings.Join(lines[:i], ""), "lacking": strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""),
					"cut within": strings.Join(lines[:i], "") + lines[i][:len(lines[i])/2],
				} {
					if more := beyond(good, b.goes(t, b.broken(at, body))); more != "" {
						t.Errorf("%s: %s, %s line %d %q: %s", b.name, block[0], what, i+1, lines[i], more)
					}
				}
			}
			if more := beyond(good, b.goes(t, slices.Delete(slices.Clone(b.blocks), at, at+1))); more != "" {
				t.Errorf("%s: without %s: %s", b.name, block[0], more)
			}
		}
	}
}

// Whatever bits of an answer are turned, nothing goes that the good one keeps.
func TestExtentAnswersFlipped(t *testing.T) {
	worlds := breakables(t)
	good := make([]map[string]recovery.VerdictKind, len(worlds))
	for i, b := range worlds {
		good[i] = b.goes(t, b.blocks)
	}
	flip := func(t *rapid.T) {
		world := rapid.IntRange(0, len(worlds)-1).Draw(t, "world")
		b := worlds[world]
		at := int(spread(rapid.Uint64().Draw(t, "answer")) % uint64(len(b.blocks)))
		body := []byte(b.blocks[at][1])
		if !b.confirmed(at) {
			return
		}
		place := int(spread(rapid.Uint64().Draw(t, "place")) % uint64(len(body)))
		bit := rapid.IntRange(0, 7).Draw(t, "bit")
		if b.valued != nil {
			for _, span := range b.valued.FindAllIndex(body, -1) {
				if span[0] <= place && place < span[1] {
					return
				}
			}
		}
		body[place] ^= 1 << bit
		names := make(map[string]recovery.VerdictKind)
		for key, kind := range b.goes(t, b.broken(at, string(body))) {
			// A name that is not there is deleted by nobody.
			if strings.Contains(b.blocks[slices.IndexFunc(b.blocks, func(x [2]string) bool { return x[0] == active })][1], "\n"+key[strings.LastIndex(key, " ")+1:]) {
				names[key] = kind
			}
		}
		if more := beyond(good[world], names); more != "" {
			t.Fatalf("%s: %s with bit %d of byte %d turned, in %q: %s", b.name, b.blocks[at][0], bit, place, around(body, place), more)
		}
	}
	rounds := 60
	if testing.Short() {
		rounds = 5
	}
	for range rounds {
		rapid.Check(t, flip)
	}
}

func around(body []byte, place int) string {
	return string(body[max(0, place-20):min(len(body), place+20)])
}
