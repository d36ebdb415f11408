package observe_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"pgregory.net/rapid"
)

// world is a journal as it really is: what happened when, by a clock that
// never goes back. The system shows only its wall clock.
type world struct {
	attached []time.Time // real times, rising; the last receiver is attached still
	states   []string    // words of the system; the last is ATTACHED
	present  []bool      // on the system
	stored   []bool      // a verified copy is in the store
	restart  int         // receiver that holds the restart entry
	media    int
	marks    [2]time.Time // real times of both entries
	now      time.Time

	local  func(time.Time) time.Time // the wall clock, as if it were UTC
	zone   string                    // empty: not told
	named  bool                      // MQ names receivers
	timed  bool                      // MQ gives times
	linked bool                      // receivers name their neighbours; else the answer is sorted by attach time
	shared bool                      // AMQ7460 and AMQ7462 are on the queue

	numbered bool          // receivers and copies have sequence numbers
	parted   int           // the receiver with which another life of the queue manager begins that the store has too
	shift    time.Duration // by which that attached its later receivers at other times; 0: there is none
}

// ends are places and the day before summer time ends there in 2026: in the
// night, at midnight, by half an hour, by two hours.
var ends = []struct {
	zone string
	day  time.Time
}{
	{"Europe/Berlin", time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)},
	{"America/Santiago", time.Date(2026, 4, 4, 12, 0, 0, 0, time.UTC)},
	{"Africa/Cairo", time.Date(2026, 10, 29, 6, 0, 0, 0, time.UTC)},
	{"Australia/Lord_Howe", time.Date(2026, 4, 4, 0, 0, 0, 0, time.UTC)},
	{"Antarctica/Troll", time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)},
}

// drawWorld draws a journal. Clocks are of three kinds: one whose zone is
// told, one whose zone is not, both every other time over the end of summer
// time, and one that was set back by hand. What no attach time shows of that
// only names can see through.
func drawWorld(t *rapid.T) world {
	w := world{named: true, timed: true, linked: rapid.IntRange(0, 3).Draw(t, "linked") > 0, shared: rapid.Bool().Draw(t, "messages")}
	place := rapid.SampledFrom(ends).Draw(t, "place")
	location, err := time.LoadLocation(place.zone)
	if err != nil {
		t.Fatal(err)
	}
	at := place.day
	if rapid.Bool().Draw(t, "any day") {
		at = at.AddDate(0, 0, -int(spread(rapid.Uint64().Draw(t, "day"))%365))
	}
	at = at.Add(time.Duration(spread(rapid.Uint64().Draw(t, "start"))%1800) * time.Minute)
	zoned := func(r time.Time) time.Time { return observe.LocalStamp(r.In(location)).Time }
	n := rapid.IntRange(1, 24).Draw(t, "receivers")
	for range n {
		w.attached = append(w.attached, at)
		at = at.Add(30*time.Second + time.Duration(spread(rapid.Uint64().Draw(t, "life"))%(5*3600))*time.Second)
	}
	w.now = at
	byHand := false
	switch rapid.IntRange(0, 2).Draw(t, "clock") {
	case 0:
		w.local, w.zone = zoned, place.zone
		w.named = rapid.Bool().Draw(t, "named")
	case 1:
		w.local = zoned
		w.named = rapid.Bool().Draw(t, "named")
	case 2:
		byHand = true
		step := w.attached[0].Add(time.Duration(rapid.IntRange(0, int(w.now.Sub(w.attached[0])/time.Second)).Draw(t, "step at")) * time.Second)
		back := time.Duration(rapid.IntRange(1, 5*3600).Draw(t, "step")) * time.Second
		w.local = func(r time.Time) time.Time {
			if r.Before(step) {
				return r
			}
			return r.Add(-back)
		}
		w.named = !w.shown() || rapid.Bool().Draw(t, "named")
	}
	if w.named && rapid.IntRange(0, 4).Draw(t, "untimed") == 0 {
		w.timed = false // AMQJRNINF has a time always; the messages may lack it
	}
	w.drawStates(t, n)
	w.drawOtherLife(t, n)
	w.marks[0] = w.drawEntry(t, "restart")
	w.marks[1] = w.drawEntry(t, "media")
	w.restart, w.media = w.holder(w.marks[0]), w.holder(w.marks[1])
	if byHand {
		// A name sees through any step; ten asterisks leave a time alone,
		// which a step that no attach time shows makes worthless
		// (docs/limits.md).
		w.present[w.restart], w.present[w.media] = true, true
	}
	return w
}

func (w *world) drawStates(t *rapid.T, n int) {
	gone := max(0, rapid.IntRange(-n, n-1).Draw(t, "gone"))
	odd := rapid.IntRange(0, 3).Draw(t, "odd states") == 0
	words := []string{"SAVED", "SAVED", "SAVED", "ONLINE"}
	if odd {
		words = append(words, "FREED", "PARTIAL", "GESICHERT")
	}
	for i := range n {
		state := "ATTACHED"
		if i < n-1 {
			state = rapid.SampledFrom(words).Draw(t, "state")
		}
		w.states = append(w.states, state)
		w.present = append(w.present, i >= gone)
		w.stored = append(w.stored, i < n-1 && rapid.IntRange(0, 9).Draw(t, "stored") < 7)
	}
	if hole := rapid.IntRange(0, 9*n).Draw(t, "hole"); hole > gone && hole < n-1 {
		w.present[hole] = false
	}
}

// drawOtherLife draws a state to which the queue manager was put back: up to
// the receiver that was attached then both lives are one. Or nothing is shared,
// and it was made anew under the same name.
func (w *world) drawOtherLife(t *rapid.T, n int) {
	w.numbered = rapid.Bool().Draw(t, "numbered")
	if !rapid.Bool().Draw(t, "other life") {
		return
	}
	w.parted = rapid.IntRange(-1, n-1).Draw(t, "parted")
	w.shift = time.Duration(2+spread(rapid.Uint64().Draw(t, "shift"))%(8*3600)) * time.Second
	if rapid.Bool().Draw(t, "earlier") {
		w.shift = -w.shift
	}
}

// otherLife gives the manifests of the other life: the same names, and numbers
// that are the same too where the same was done.
func (w *world) otherLife(b *strings.Builder) {
	if w.shift == 0 {
		return
	}
	wall := func(i int) time.Time {
		at := w.now
		if i < len(w.attached) {
			at = w.attached[i]
		}
		if i > w.parted {
			at = at.Add(w.shift)
		}
		return w.local(at).Truncate(time.Second)
	}
	for i := max(w.parted, 0); i < len(w.attached); i++ {
		own, err := time.Parse("2006-01-02-15.04.05.000000", w.end(i))
		if err == nil && wall(i+1).Sub(own).Abs() <= time.Second {
			continue // a wall clock that went back made them one for whoever has only it
		}
		fmt.Fprintf(b, "vault,QMQM1,%s,%s,%s,%s,YES\n", name(i), stamp(wall(i)), stamp(wall(i+1)), w.numbers(i))
	}
}

// numbers gives the first and the last sequence number of a receiver.
func (w *world) numbers(i int) string {
	if !w.numbered {
		return ","
	}
	return fmt.Sprintf("%d,%d", i*10+1, i*10+10)
}

// shown tells whether attach times show that the clock went back.
func (w *world) shown() bool {
	for i := 1; i < len(w.attached); i++ {
		if w.local(w.attached[i]).Before(w.local(w.attached[i-1]).Truncate(time.Second)) {
			return true
		}
	}
	return false
}

// drawEntry draws the real time of an entry: anywhere in a receiver, and one
// time in ten in the second in which it or the next one was attached.
func (w *world) drawEntry(t *rapid.T, what string) time.Time {
	i := rapid.IntRange(0, len(w.attached)-1).Draw(t, what)
	end := w.now
	if i+1 < len(w.attached) {
		end = w.attached[i+1]
	}
	span := int(end.Sub(w.attached[i]) / time.Millisecond)
	offset := int(spread(rapid.Uint64().Draw(t, what+" offset")) % uint64(span))
	switch spread(rapid.Uint64().Draw(t, what+" edge")) % 20 {
	case 0:
		offset %= 1000
	case 1:
		offset = span - 1 - offset%1000
	}
	return w.attached[i].Add(time.Duration(offset) * time.Millisecond)
}

// spread makes draws, which favour small numbers, uniform (splitmix64).
func spread(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// holder gives the receiver that really holds an entry.
func (w *world) holder(entry time.Time) int {
	for i := len(w.attached) - 1; i > 0; i-- {
		if !w.attached[i].After(entry) {
			return i
		}
	}
	return 0
}

func name(i int) string { return fmt.Sprintf("AMQA%06d", (99990+i)%100000) } // wraps within the chain

func stamp(t time.Time) string { return t.Format("2006-01-02-15.04.05.000000") }

// Ask answers as the system would.
func (w *world) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	answer := observe.Answer{At: w.at()}
	switch {
	case strings.HasPrefix(q.Text, "QSYS2.JOURNAL_INFO"):
		answer.Body = w.journalInfo()
	case strings.HasPrefix(q.Text, "QSYS2.JOURNAL_RECEIVER_INFO"):
		answer.Body = w.receiverInfo()
	case strings.HasSuffix(q.Text, "MESSAGE_QUEUE_NAME='QMQMMSG'") && w.shared:
		answer.Body = w.messages()
	case q.Language == observe.UsrSpc:
		older := 0
		if w.marks[1].Before(w.marks[0]) {
			older = 1
		}
		answer.Body = []byte(w.tokens(older, true))
	case q.Language == observe.Store:
		answer.Body = w.manifests()
	case q.Language.OfHost():
	default:
		return answer, &observe.NotAnswered{Question: q}
	}
	return answer, nil
}

// at gives the present time with the offset of the wall clock.
func (w *world) at() time.Time {
	offset := w.local(w.now).Sub(w.now)
	return w.now.In(time.FixedZone("", int(offset/time.Second)))
}

func (w *world) journalInfo() []byte {
	count := 0
	for _, p := range w.present {
		if p {
			count++
		}
	}
	return fmt.Appendf(nil, "JOURNAL_NAME,JOURNAL_LIBRARY,JOURNAL_TYPE,ATTACHED_JOURNAL_RECEIVER_NAME,NUMBER_JOURNAL_RECEIVERS,NUMBER_REMOTE_JOURNALS\nAMQAJRN,QMQM1,LOCAL,%s,%d,0\n",
		name(len(w.attached)-1), count)
}

func (w *world) end(i int) string {
	if i+1 == len(w.attached) {
		return ""
	}
	return stamp(w.local(w.attached[i+1]).Truncate(time.Second))
}

func (w *world) receiverInfo() []byte {
	var b strings.Builder
	b.WriteString("JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,STATUS,SIZE,ATTACH_TIMESTAMP,DETACH_TIMESTAMP,FIRST_SEQUENCE_NUMBER,LAST_SEQUENCE_NUMBER,PREVIOUS_JOURNAL_RECEIVER,NEXT_JOURNAL_RECEIVER\n")
	for _, i := range w.listing() {
		previous, next := "", ""
		if i > 0 && w.linked {
			previous = name(i - 1)
		}
		if i+1 < len(w.attached) && w.linked {
			next = name(i + 1)
		}
		fmt.Fprintf(&b, "QMQM1,%s,%s,100,%s,%s,%s,%s,%s\n", name(i), w.states[i], stamp(w.local(w.attached[i]).Truncate(time.Second)), w.end(i), w.numbers(i), previous, next)
	}
	return []byte(b.String())
}

// listing gives the receivers in the order of the answer: with links the
// newest first, since it must not matter; without, sorted by attach time, as
// people ask.
func (w *world) listing() []int {
	var list []int
	for i := len(w.attached) - 1; i >= 0; i-- {
		if w.present[i] {
			list = append(list, i)
		}
	}
	if !w.linked {
		slices.SortFunc(list, func(a, b int) int { return w.local(w.attached[a]).Compare(w.local(w.attached[b])) })
	}
	return list
}

// tokens gives what MQ publishes of one entry.
func (w *world) tokens(mark int, space bool) string {
	holder := []int{w.restart, w.media}[mark]
	receiver, entry := "", w.local(w.marks[mark]).Format("20060102150405.000")
	switch {
	case !w.present[holder]:
		receiver = "**********"
	case w.named:
		receiver = name(holder)
	}
	if !w.timed && !space {
		entry = ""
	}
	return fmt.Sprintf("%-10s%-10s%s", receiver, "QMQM1", strings.Replace(entry, ".", "", 1))
}

func (w *world) messages() []byte {
	sent := stamp(w.local(w.now))
	return fmt.Appendf(nil, "MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TOKENS\nAMQ7460,%s,%s\nAMQ7462,%s,%s\n", sent, w.tokens(0, false), sent, w.tokens(1, false))
}

func (w *world) manifests() []byte {
	var b strings.Builder
	b.WriteString("STORE,LIBRARY,SEGMENT,OPENED,CLOSED,FIRST,LAST,VERIFIED\n")
	w.otherLife(&b)
	for i, stored := range w.stored {
		if stored {
			fmt.Fprintf(&b, "vault,QMQM1,%s,%s,%s,%s,YES\n", name(i), stamp(w.local(w.attached[i]).Truncate(time.Second)), w.end(i), w.numbers(i))
		}
	}
	return []byte(b.String())
}

// readable tells whether a recovery can read a receiver on the system.
func (w *world) readable(i int) bool {
	return w.present[i] && (w.states[i] == "ATTACHED" || w.states[i] == "ONLINE" || w.states[i] == "SAVED")
}

// recoverable tells whether a recovery that reads from a receiver on would
// work, when those below gone have left the system, the ones of saved into
// the store: from the system alone, or with what the store brings back.
func (w *world) recoverable(from, gone int, saved func(int) bool, restore bool) bool {
	for i := from; i < len(w.attached); i++ {
		onSystem := w.readable(i) && i >= gone
		if !onSystem && !(restore && (w.stored[i] || saved(i))) {
			return false
		}
	}
	return true
}

// most is the oracle: it tries to let go one receiver after the other, from
// the oldest on, until a recovery that the strategy promises would fail, or
// one that it promises after a restore could not be had.
func (w *world) most(promise recovery.Promise) int {
	older := min(w.restart, w.media)
	works := func(gone int) bool {
		saved := func(i int) bool { return w.readable(i) && i < gone }
		direct := map[recovery.Strategy]int{recovery.Conservative: older, recovery.FastStartup: w.restart, recovery.Aggressive: len(w.attached) - 1}
		return w.recoverable(direct[promise.Strategy], gone, saved, false) && w.recoverable(older, gone, saved, true)
	}
	count := 0
	for i := range w.attached {
		if !w.present[i] {
			continue
		}
		known := w.states[i] != "GESICHERT"
		copied := w.states[i] == "SAVED" || w.states[i] == "FREED" || w.stored[i] || promise.Unsaved != recovery.HoldUnsaved || i >= older
		if i == len(w.attached)-1 || !known || !copied || !works(i+1) {
			return count
		}
		count++
	}
	return count
}

// check holds a decision against what really is.
func (w *world) check(t *rapid.T, decision recovery.Decision, promise recovery.Promise) int {
	byName := make(map[string]recovery.Verdict)
	for i, s := range decision.Managers[0].Inventory.Segments {
		byName[s.ID.Name] = decision.Managers[0].Verdicts[i]
	}
	older, goes, stopped := min(w.restart, w.media), 0, false
	nowhere := false
	for i := older; i < len(w.attached); i++ {
		nowhere = nowhere || !w.readable(i) && !w.stored[i]
	}
	for i := range w.attached {
		verdict := byName[name(i)]
		if !w.present[i] {
			continue
		}
		if !verdict.Kind.Goes() {
			stopped = true
			continue
		}
		goes++
		archived := verdict.Kind == recovery.ArchiveDelete && w.readable(i) || w.stored[i]
		switch {
		case stopped:
			t.Fatalf("%s goes past one that stays", name(i))
		case nowhere:
			t.Fatalf("%s goes although a needed receiver is nowhere", name(i))
		case i == len(w.attached)-1 || w.states[i] == "GESICHERT":
			t.Fatalf("%s goes, which is %s", name(i), w.states[i])
		case promise.Strategy == recovery.Conservative && i >= older:
			t.Fatalf("%s goes: a recovery needs it on the system", name(i))
		case promise.Strategy == recovery.FastStartup && i >= w.restart:
			t.Fatalf("%s goes: a restart needs it on the system", name(i))
		case i >= older && !archived:
			t.Fatalf("%s goes without a copy: a recovery needs it", name(i))
		case promise.Unsaved == recovery.HoldUnsaved && i < older && w.states[i] != "SAVED" && w.states[i] != "FREED" && !archived:
			t.Fatalf("%s goes unsaved", name(i))
		}
	}
	return goes
}

// Over random chains, marks, clocks and states nothing that an oracle needs
// is let go, whatever the wall clock showed, and at least 95 per cent of what
// the oracle lets go is let go. The oracle knows real times; it shares no
// code with the rule. A million histories: -rapid.checks=5000.
func TestAgainstOracle(t *testing.T) {
	let, could := 0, 0
	history := func(t *rapid.T) {
		w := drawWorld(t)
		promise := recovery.Promise{
			Strategy: rapid.SampledFrom([]recovery.Strategy{recovery.Conservative, recovery.FastStartup, recovery.Aggressive}).Draw(t, "strategy"),
			Unsaved:  rapid.SampledFrom([]recovery.Unsaved{recovery.HoldUnsaved, recovery.SaveUnsaved, recovery.DeleteUnsaved}).Draw(t, "unsaved"),
		}
		facts, err := observe.ReadJournal(t.Context(), &w, observe.Target{Name: "QM1", Platform: observe.IBMi, Zone: w.zone})
		if err != nil {
			t.Fatal(err)
		}
		decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, promise)
		goes, most := w.check(t, decision, promise), w.most(promise)
		goes = min(goes, most) // what a tie makes needed is saved first where the oracle would hold it
		if !w.linked {
			return // safe, but the order may be in doubt
		}
		if promise.Strategy != recovery.FastStartup || w.shared {
			let, could = let+goes, could+most
		} else if goes > 0 {
			t.Fatalf("fast-startup let %d go without a restart point", goes)
		}
	}
	rounds := 200 // enough for the share to mean something
	if testing.Short() {
		rounds = 20
	}
	for range rounds {
		rapid.Check(t, history)
	}
	t.Logf("let go %d of %d", let, could)
	if !testing.Short() && let*100 < could*95 {
		t.Errorf("only %d of the %d that the oracle lets go were let go", let, could)
	}
}
