package observe_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"pgregory.net/rapid"
)

// extentWorld is a log as it really is. Extents are counted from the first that
// was ever written, without an end; the system shows their numbers only.
type extentWorld struct {
	base    int // the number of extent 0
	first   int // the oldest that is listed
	current int
	restart int
	media   int
	ahead   int // formatted ahead
	missing map[int]bool
	odd     map[int]string // size or owner of those that are not as the others
	stored  map[int]bool
	other   map[int]bool // copies of another log of the name
	reuse   int
	noted   int    // data backup from here; -1: none
	held    int    // by an operator from here; -1: not
	played  int    // another queue manager has replayed up to here; -1: there is none
	manages string // LogManagement
	waiting int    // the oldest that waits to be archived (ARCHLOG); -1: none
	runs    bool
	told    bool // by DISPLAY QMSTATUS; else by the error log
	age     time.Duration
	started time.Duration // before now
	moved   int           // how far the points went on, or back, between both readings
	asked   int
}

var worldNow = time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)

// drawExtents lives the life of a log: extents are written, points move, extents
// are archived and pruned, lost, restored by others; the host is the active one
// or not.
func drawExtents(t *rapid.T) *extentWorld {
	draw := func(low, high int, what string) int {
		return low + int(spread(rapid.Uint64().Draw(t, what))%uint64(high-low+1))
	}
	w := &extentWorld{missing: map[int]bool{}, odd: map[int]string{}, stored: map[int]bool{}, other: map[int]bool{}, noted: -1, held: -1, played: -1, waiting: -1, manages: "Manual", runs: true, told: true}
	w.base = draw(0, 9_999_999, "base")
	if draw(0, 1, "near the end") == 1 {
		w.base = 9_999_999 - draw(0, 60, "to the end")
	}
	w.current = draw(0, 60, "written")
	w.restart = draw(max(0, w.current-25), w.current, "restart")
	w.media = draw(max(0, w.current-50), w.current, "media")
	w.first = draw(0, min(w.current, min(w.restart, w.media)+5), "pruned")
	w.ahead, w.reuse = draw(0, 3, "ahead"), draw(0, 3, "reuse")
	for i := range w.current {
		if draw(0, 9, "stored") < 5 || i < w.first && draw(0, 9, "stored too") < 8 {
			w.stored[i] = true
		}
		if draw(0, 19, "of another log") == 0 {
			w.other[i] = true
		}
	}
	switch draw(0, 9, "damage") {
	case 0:
		w.missing[draw(0, w.current, "missing")] = true
	case 1:
		w.odd[draw(0, w.current, "odd")] = "4096 2026-05-27T20:00:00Z mqm:mqm -rw-rw----"
	case 2:
		w.odd[draw(0, w.current, "foreign")] = "16785408 2026-05-27T20:00:00Z root:root -rw-rw----"
	case 3:
		w.odd[draw(0, w.current, "link")] = "16785408 2026-05-27T20:00:00Z mqm:mqm lrwxrwxrwx"
	}
	switch draw(0, 7, "management") {
	case 0:
		w.manages = "Automatic"
	case 1:
		w.manages, w.waiting = "Archive", draw(w.first-1, w.current, "waiting")
	}
	if held := draw(w.first, w.current, "held"); draw(0, 7, "hold") == 0 && w.whole(held) {
		w.held = held
	}
	if w.current > 0 && draw(0, 7, "replayed") == 0 {
		w.played = draw(min(max(0, w.first-3), w.current-1), w.current-1, "played")
	}
	switch draw(0, 11, "trouble") {
	case 0:
		w.runs = false
	case 1, 2:
		w.told, w.age, w.started = false, time.Duration(draw(0, 30, "age"))*time.Hour, time.Duration(draw(0, 30, "started"))*time.Hour
	case 3:
		w.moved = draw(-3, 3, "moved")
	case 4:
		w.noted = draw(0, w.current, "noted")
	}
	return w
}

func (w *extentWorld) name(i int) string { return observe.ExtentName(w.base + i) }

func (w *extentWorld) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	answer := observe.Answer{At: worldNow}
	text := ""
	switch q.String() {
	case qmstatus:
		if !w.runs {
			return answer, &observe.Failed{Question: q, Body: []byte("AMQ8146E: not available\n")}
		}
		if !w.told {
			return answer, &observe.NotAnswered{Question: q}
		}
		moved := 0
		if w.asked++; w.asked > 1 {
			moved = w.moved
		}
		text = fmt.Sprintf(statusText, w.name(w.current+moved), w.name(w.media+moved), w.name(w.restart+moved))
		if w.waiting >= 0 {
			text = strings.Replace(text, "ARCHLOG( )", "ARCHLOG("+w.name(w.waiting)+")", 1)
		}
	case qmid:
		text = "QMNAME(QM1) QMID(QM1_2024-01-01_12.00.00)\n"
	case dspmq:
		text = "QMNAME(QM1) STATUS(Running)\n"
		if !w.runs {
			text = "QMNAME(QM1) STATUS(Running as standby)\n"
		}
	case mqsini:
		text = mqsText
	case qmini:
		text = strings.Replace(iniText, "   LogBufferPages", "   LogManagement="+w.manages+"\n   LogBufferPages", 1)
	case active:
		text = w.listing()
	case above:
		text = "active 4096 - mqm:mqm drwxrws---\namqhlctl.lfh 4096\n"
	case errorLog:
		text = w.errorLog()
	case manifests:
		text = w.manifests()
	case notes:
		text = "ID,AT,KIND,LIBRARY,SEGMENT,POSITION,TEXT\n"
		if w.noted >= 0 {
			text += "1,2026-05-20T18:00:00Z,data-backup,," + w.name(w.noted) + ",,\n"
		}
		if w.played >= 0 {
			text += "2,2026-05-20T18:00:00Z,replayed,," + w.name(w.played) + ",,\n"
		}
	case holds:
		if w.held >= 0 {
			text = "ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n7,2026-05-27T08:00:00Z,,," + w.name(w.held) + ",case 4711\n"
		}
	default:
		if !q.Language.OfHost() {
			return answer, &observe.NotAnswered{Question: q}
		}
	}
	answer.Body = []byte(text)
	return answer, nil
}

func (w *extentWorld) listing() string {
	var lines []string
	for i := w.first; i <= w.current+w.ahead; i++ {
		switch odd, ok := w.odd[i]; {
		case w.missing[i]:
		case ok:
			lines = append(lines, w.name(i)+" "+odd+"\n")
		default:
			lines = append(lines, file(w.name(i)))
		}
	}
	for i := range w.reuse {
		lines = append(lines, file("R"+w.name(w.first + i)[1:]))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func (w *extentWorld) errorLog() string {
	header := func(at time.Time) string {
		return at.Format("01/02/2006 03:04:05 PM") + " - Process(1.1) User(mqm) Program(amqzmuc0)\n                    Host(h) Installation(Installation1)\n                    VRMF(9.1.0.0) QMgr(QM1)\n                    Time(" + at.Format("2006-01-02T15:04:05.000Z") + ")\n\n"
	}
	record := func(at time.Time, text string) string {
		return header(at) + text + "\n\nEXPLANATION:\nx\nACTION:\nNone.\n----- amqzmuc0.c : 1 ----------------------------------------------------------\n"
	}
	marks := record(worldNow.Add(-w.age), "AMQ7467I: The oldest log file required to start queue manager QM1 is\n"+w.name(w.restart)+".") +
		record(worldNow.Add(-w.age), "AMQ7468I: The oldest log file required to perform media recovery of queue\nmanager QM1 is "+w.name(w.media)+".")
	start := record(worldNow.Add(-w.started), "AMQ8003I: IBM MQ queue manager QM1 started using V9.1.0.0.")
	if w.started > w.age {
		return start + marks
	}
	return marks + start
}

func (w *extentWorld) manifests() string {
	var b strings.Builder
	b.WriteString(manifestColumns)
	row := func(i int, of string) {
		fmt.Fprintf(&b, "vault,QM1,,%s,,,,,16785408,6f1e,YES,%s\n", w.name(i), of)
	}
	for _, i := range slices.Sorted(maps.Keys(w.stored)) {
		row(i, "qmid=QM1_2024-01-01_12.00.00; log=/var/mqm/log/QM1")
	}
	for _, i := range slices.Sorted(maps.Keys(w.other)) {
		row(i, "qmid=QM1_2020-01-01_12.00.00; log=/var/mqm/log/QM1")
	}
	return b.String()
}

// whole tells whether an extent is on the system as the queue manager can read
// it.
func (w *extentWorld) whole(i int) bool {
	_, odd := w.odd[i]
	return i >= w.first && !w.missing[i] && !odd
}

// sound tells whether anything may go at all: the points are those of now, this
// is the host, and what is needed is there.
func (w *extentWorld) sound(strategy recovery.Strategy) bool {
	stale := !w.told && (w.age > 24*time.Hour || w.started <= w.age)
	newest := w.current
	if !w.told && w.missing[newest] && w.ahead == 0 && max(w.restart, w.media) < newest {
		newest-- // the error log does not tell which one is written: a log that ends before it looks the same
	}
	if !w.runs || w.moved < 0 || stale || !w.whole(newest) {
		return false
	}
	direct := w.direct(strategy)
	for i := w.oldest(); i <= newest; i++ {
		if !w.whole(i) && (i >= direct || !w.stored[i] || strings.HasPrefix(w.linkMode(i), "l")) {
			return false
		}
	}
	return true
}

// direct is the oldest extent that the strategy has to find on the system.
func (w *extentWorld) direct(strategy recovery.Strategy) int {
	direct := w.restart
	switch strategy {
	case recovery.Conservative:
		direct = min(direct, w.media)
	case recovery.Aggressive:
		return w.current
	}
	if w.played >= 0 {
		direct = min(direct, w.played+1)
	}
	return direct
}

func (w *extentWorld) linkMode(i int) string {
	words := strings.Fields(w.odd[i])
	if len(words) == 0 || i < w.first {
		return ""
	}
	return words[len(words)-1]
}

// oldest is the oldest extent that any recovery reads.
func (w *extentWorld) oldest() int {
	oldest := min(w.restart, w.media)
	if w.noted >= 0 {
		oldest = min(oldest, w.noted)
	}
	if w.played >= 0 {
		oldest = min(oldest, w.played+1)
	}
	return oldest
}

// Over random logs nothing that an oracle needs is let go, and at least 95 per
// cent of what it lets go. Where the queue manager removes extents itself all are
// archived that nothing else keeps. The oracle counts extents without an end and sees what
// a recovery would read; it shares no code with the rule. And the numbers do not
// matter: the same log with every number moved gives the same plan.
func TestExtentsAgainstOracle(t *testing.T) {
	let, could := 0, 0
	history := func(t *rapid.T) {
		w := drawExtents(t)
		promise := recovery.Promise{
			Strategy:      rapid.SampledFrom([]recovery.Strategy{recovery.Conservative, recovery.FastStartup, recovery.Aggressive}).Draw(t, "strategy"),
			Unsaved:       rapid.SampledFrom([]recovery.Unsaved{recovery.SaveUnsaved, recovery.DeleteUnsaved}).Draw(t, "unsaved"),
			TrustErrorLog: rapid.Bool().Draw(t, "trust"),
		}
		verdicts := w.decide(t, promise)
		goes, most := w.check(t, verdicts, promise)
		let, could = let+goes, could+most
		shifted := *w
		shifted.base, shifted.asked = (w.base+rapid.IntRange(0, 9_999_999).Draw(t, "shift"))%10_000_000, 0
		if got := shifted.decide(t, promise); !slices.Equal(got, verdicts) {
			t.Fatalf("with other numbers: %v, was %v", got, verdicts)
		}
	}
	rounds := 30
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		rapid.Check(t, history)
	}
	t.Logf("let go %d of %d", let, could)
	if let*100 < could*95 {
		t.Errorf("only %d of the %d that the oracle lets go were let go", let, could)
	}
}

// decide gives the verdict of each extent up to the current one.
func (w *extentWorld) decide(t *rapid.T, promise recovery.Promise) []recovery.VerdictKind {
	facts, err := observe.ReadExtents(t.Context(), w, observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
	if err != nil {
		t.Fatal(err)
	}
	manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, promise).Managers[0]
	kinds := make([]recovery.VerdictKind, w.current+1)
	for i, s := range manager.Inventory.Segments {
		_, number, err := observe.ParseExtent(s.ID.Name)
		if err != nil {
			t.Fatal(err)
		}
		at := observe.ExtentDistance(w.base, number)
		switch kind := manager.Verdicts[i].Kind; {
		case at >= 0 && at <= w.current:
			kinds[at] = kind
		case kind.Goes():
			t.Fatalf("%s goes, which is no extent of the log", s.ID)
		}
	}
	return kinds
}

// check holds verdicts against what really is, and gives how many go, and how many
// may.
func (w *extentWorld) check(t *rapid.T, verdicts []recovery.VerdictKind, promise recovery.Promise) (goes, most int) {
	sound := w.sound(promise.Strategy) && (w.told || promise.TrustErrorLog)
	if w.manages != "Manual" {
		w.checkManaged(t, verdicts, sound)
		return 0, 0
	}
	sound = sound && promise.Strategy != recovery.Aggressive
	direct := w.direct(promise.Strategy)
	if w.held >= 0 {
		direct = min(direct, w.held)
	}
	blocked := false
	for i, kind := range verdicts {
		_, odd := w.odd[i]
		there := i >= w.first && !w.missing[i]
		may := sound && there && i < direct && !blocked && w.linkMode(i) != "lrwxrwxrwx"
		if odd && there && strings.Contains(w.odd[i], "root") {
			may, blocked = false, blocked || i < direct
		}
		if there && strings.HasPrefix(w.odd[i], "4096 ") && i < w.oldest() {
			may = false // whose it is nobody knows
		}
		if may {
			most++
		}
		if !kind.Goes() {
			continue
		}
		goes++
		switch {
		case !may:
			t.Fatalf("%s goes (%s): current %s, restart %s, media %s, oldest %s, %+v", w.name(i), kind, w.name(w.current), w.name(w.restart), w.name(w.media), w.name(w.oldest()), w)
		case i >= w.oldest() && kind == recovery.Delete && !w.stored[i]:
			t.Fatalf("%s goes without a copy, and a recovery needs it", w.name(i))
		case promise.Unsaved == recovery.SaveUnsaved && kind == recovery.Delete && !w.stored[i]:
			t.Fatalf("%s goes unsaved", w.name(i))
		}
	}
	return goes, most
}

// checkManaged holds verdicts against what really is where the queue manager
// removes extents itself: none is deleted; those that wait to be reported are
// archived, and all that only the site needs and that no store has: a data
// backup, another queue manager that replays the log, a hold.
func (w *extentWorld) checkManaged(t *rapid.T, verdicts []recovery.VerdictKind, sound bool) {
	complete := w.current
	if !w.told { // the error log does not tell which one is written, nor which wait
		complete = w.restart
	}
	from := func(i, of int) bool { return of >= 0 && i >= of }
	for i, kind := range verdicts {
		bound := w.played >= 0 && i > w.played || from(i, w.held) // no word of it yet: once copied it is only kept
		waits := w.told && from(i, w.waiting) && w.manages == "Archive" && i < w.current && !(bound && w.stored[i])
		site := i < complete && !w.stored[i] && (from(i, w.noted) || bound)
		want := sound && w.whole(i) && (waits || site)
		if kind.Goes() || (kind == recovery.Archive) != want {
			t.Fatalf("%s: %s, and it is to be archived: %t (waits %t, site %t): %+v", w.name(i), kind, want, waits, site, w)
		}
	}
}
