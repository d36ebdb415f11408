package observe_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
)

// The questions by which the tests change an answer.
const (
	qmstatus  = "MQSC QM1: DISPLAY QMSTATUS ALL"
	qmid      = "MQSC QM1: DISPLAY QMGR QMID"
	dspmq     = "CTL QM1: dspmq -m QM1 -o status -x"
	dspmqinf  = "CTL QM1: dspmqinf QM1"
	mqsini    = "FILE QM1: /var/mqm/mqs.ini"
	qmini     = "FILE QM1: /var/mqm/qmgrs/QM1/qm.ini"
	active    = "LOGDIR QM1: /var/mqm/log/QM1/active"
	above     = "LOGDIR QM1: /var/mqm/log/QM1"
	errorLog  = "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR01.LOG"
	manifests = "STORE QM1: manifests"
	holds     = "HOLD QM1: holds"
	notes     = "NOTE QM1: notes"
	seen      = "HISTORY QM1: segments"
)

// script is a transcript that tests change block by block.
type script struct {
	clock  string
	blocks [][2]string // header, body
}

// text writes the transcript.
func (s script) text() string {
	var b strings.Builder
	if s.clock != "" {
		fmt.Fprintf(&b, ">>> CLOCK %s\n", s.clock)
	}
	b.WriteString(">>> QMGR QM1 multiplatforms\n")
	for _, block := range s.blocks {
		fmt.Fprintf(&b, ">>> %s\n%s\n", block[0], strings.TrimSuffix(block[1], "\n"))
	}
	return b.String()
}

// without gives a copy that lacks every block of a question.
func (s script) without(headers ...string) script {
	s.blocks = slices.DeleteFunc(slices.Clone(s.blocks), func(b [2]string) bool {
		return slices.Contains(headers, strings.TrimPrefix(b[0], "ERROR "))
	})
	return s
}

// with gives a copy with other answers to a question: asked again the second.
func (s script) with(header string, bodies ...string) script {
	s = s.without(header)
	for _, body := range bodies {
		s.blocks = append(s.blocks, [2]string{header, body})
	}
	return s
}

// failing gives a copy in which a question fails.
func (s script) failing(header, body string) script {
	s = s.without(header)
	s.blocks = append(s.blocks, [2]string{"ERROR " + header, body})
	return s
}

func (s script) body(t *testing.T, header string) string {
	t.Helper()
	for _, b := range s.blocks {
		if b[0] == header {
			return b[1]
		}
	}
	t.Fatalf("there is no block %s", header)
	return ""
}

// edit gives a copy in one of whose answers a text is replaced, which must stand
// in it.
func (s script) edit(t *testing.T, header, old, replacement string) script {
	t.Helper()
	body := s.body(t, header)
	if !strings.Contains(body, old) {
		t.Fatalf("%q does not stand in %s", old, header)
	}
	return s.with(header, strings.ReplaceAll(body, old, replacement))
}

// again gives a copy whose second reading of DISPLAY QMSTATUS differs.
func (s script) again(t *testing.T, old, replacement string) script {
	t.Helper()
	first := s.body(t, qmstatus)
	return s.with(qmstatus, first, s.edit(t, qmstatus, old, replacement).body(t, qmstatus))
}

const statusText = `AMQ8705I: Display Queue Manager Status Details.
   QMNAME(QM1)                             STATUS(RUNNING)
   ARCHLOG( )                              CURRLOG(%s)
   LOGPATH(/var/mqm/log/QM1/active/)       LOGTYPE(LINEAR)
   LOGPRIM(3)                              LOGSEC(2)
   LOGINUSE(31)                            LOGUTIL(40)
   LOGSTRDA(2024-01-01)                    LOGSTRTI(12.00.00)
   LOGSTRL(0:0:0:4820)                     STANDBY(NOPERMIT)
   MEDIALOG(%s)                  RECLOG(%s)
   STARTDA(2026-05-20)                     STARTTI(08.00.00)
`

const iniText = `#* Module Name: qm.ini
Log:
   LogPrimaryFiles=3
   LogSecondaryFiles=2
   LogFilePages=4096
   LogType=LINEAR
   LogBufferPages=0
   LogPath=/var/mqm/log/QM1/
   LogWriteIntegrity=TripleWrite
Service:
   Name=AuthorizationService
`

const mqsText = `AllQueueManagers:
   DefaultPrefix=/var/mqm
QueueManager:
   Name=QM1
   Prefix=/var/mqm
   Directory=QM1
   InstallationName=Installation1
`

// file writes a line of LOGDIR.
func file(name string) string {
	return name + " 16785408 2026-05-27T20:00:00.123456789Z mqm:mqm -rw-rw----\n"
}

// files writes the extents from one number to another, which may wrap.
func files(from, to int) string {
	var b strings.Builder
	for n := from; ; n++ {
		b.WriteString(file(observe.ExtentName(n)))
		if observe.ExtentName(n) == observe.ExtentName(to) {
			return b.String()
		}
	}
}

// linear is a linear log of a queue manager on a system that tells all it can:
// with these extents, current, restart and media point.
func linear(directory string, current, restart, media string) script {
	return script{"2026-05-28T02:00:00+02:00", [][2]string{
		{qmstatus, fmt.Sprintf(statusText, current, media, restart)},
		{qmid, "AMQ8408I: Display Queue Manager details.\n   QMNAME(QM1)   QMID(QM1_2024-01-01_12.00.00)\n"},
		{dspmq, "QMNAME(QM1)                                               STATUS(Running)\n    INSTANCE(host1) MODE(Active)\n"},
		{mqsini, mqsText},
		{qmini, iniText},
		{active, directory},
		{above, "active 4096 2026-05-27T20:00:00Z mqm:mqm drwxrws---\namqhlctl.lfh 4096 2026-05-27T20:00:00Z mqm:mqm -rw-rw----\n"},
	}}
}

// usual is the log of most tests: 100 to 130, needed from 104 on by a rebuild and
// from 112 on by a restart, and two that are formatted ahead.
func usual() script {
	return linear(files(100, 132), "S0000130.LOG", "S0000112.LOG", "S0000104.LOG")
}

func (s script) player(tb testing.TB) observe.Asker {
	tb.Helper()
	parsed, err := transcript.Parse("test.mqt", strings.NewReader(s.text()), nil)
	if err != nil {
		tb.Fatalf("%v in\n%s", err, s.text())
	}
	return parsed.Player()
}

func (s script) read(tb testing.TB) observe.ExtentFacts {
	tb.Helper()
	facts, err := observe.ReadExtents(tb.Context(), s.player(tb), observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
	if err != nil {
		tb.Fatal(err)
	}
	return facts
}

// decided gives the segments of some verdict kinds, neighbours as a range.
func decided(facts observe.ExtentFacts, promise recovery.Promise, kinds ...recovery.VerdictKind) string {
	manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, promise).Managers[0]
	var list []string
	first, last := -1, -1
	flush := func() {
		segments := manager.Inventory.Segments
		if first >= 0 {
			text := segments[first].ID.Name[:8]
			if last > first {
				text += "-" + segments[last].ID.Name[:8]
			}
			list = append(list, text)
		}
		first = -1
	}
	for i, v := range manager.Verdicts {
		if !slices.Contains(kinds, v.Kind) {
			flush()
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	flush()
	return strings.Join(list, " ")
}

var conservative = recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}

func letGo(facts observe.ExtentFacts) string {
	return decided(facts, conservative, recovery.Delete, recovery.ArchiveDelete)
}

// openCodes gives the codes of what was not learned, in order.
func openCodes(facts observe.ExtentFacts) string {
	var codes []string
	for _, f := range facts.Inventory.Open {
		codes = append(codes, string(f.Code))
	}
	return strings.Join(codes, " ")
}

// extentCase is a log and what becomes of it under conservative.
type extentCase struct {
	name string
	log  script
	goes string
	open string // codes
}

const usualGoes = "S0000100-S0000103"

func runExtentCases(t *testing.T, cases []extentCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			facts := c.log.read(t)
			if got := letGo(facts); got != c.goes {
				t.Errorf("goes %q, want %q", got, c.goes)
			}
			if got := openCodes(facts); got != c.open {
				t.Errorf("open %q, want %q", got, c.open)
			}
			if worst, _ := finding.Worst(facts.Inventory.Open); worst == finding.Critical && c.goes != "" {
				t.Error("something goes beside a critical finding")
			}
			if t.Failed() {
				t.Log(facts.Inventory.Open)
			}
		})
	}
}

// The handed cases, with the right values that they give.
func TestExtentCases(t *testing.T) {
	runExtentCases(t, []extentCase{
		{"12: the media point is at extent 0", linear(files(0, 65), "S0000057.LOG", "S0000056.LOG", "S0000000.LOG"), "", ""},
		{"16: one of the two is missing", usual().edit(t, qmstatus, "MEDIALOG(S0000104.LOG)", ""), "", "mark-missing"},
		{"17: the numbers begin anew", linear(files(9999995, 3), "S0000003.LOG", "S0000001.LOG", "S9999998.LOG"), "S9999995-S9999997", ""},
		{"18: restart older than media", linear(files(100, 130), "S0000130.LOG", "S0000112.LOG", "S0000120.LOG"), "S0000100-S0000111", ""},
		{"21: times say nothing", linear(strings.Replace(files(100, 130), "S0000130.LOG 16785408 2026", "S0000130.LOG 16785408 2020", 1), "S0000130.LOG", "S0000112.LOG", "S0000104.LOG"), usualGoes, ""},
		{"24: no type anywhere", usual().edit(t, qmini, "   LogType=LINEAR\n", "").edit(t, qmstatus, "LOGTYPE(LINEAR)", ""), "", "log-kind-unknown"},
		{"24: blanks, and replicated", usual().edit(t, qmini, "LogType=LINEAR", "LogType          = REPLICATED\r\n   LogManagement    = Automatic").edit(t, qmstatus, "LOGTYPE(LINEAR)", "LOGTYPE(REPLICATED)"), "", ""},
	})
}

// Case 13: R extents count, control files are known, and other names are never
// touched.
func TestFilesBesideExtents(t *testing.T) {
	listing := files(0, 9) + file("amqhlctl.lfh") + file("nativeha.ini")
	s := linear(listing, "S0000009.LOG", "S0000008.LOG", "S0000004.LOG")
	replicated := s.with(active, listing+file("R0000009.LOG")).edit(t, qmini, "LogType=LINEAR", "LogType=REPLICATED").edit(t, qmstatus, "LOGTYPE(LINEAR)", "LOGTYPE(REPLICATED)")
	for _, c := range []struct {
		log   script
		reuse int
		goes  string
		open  string
	}{
		{s, 0, "S0000000-S0000003", ""},
		{s.with(active, listing+file("R0000009.LOG")), 1, "S0000000-S0000003", "not-checked"},
		{replicated, 1, "", ""},
	} {
		facts := c.log.read(t)
		if len(facts.Extents) != 10 || len(facts.Reuse) != c.reuse || len(facts.Foreign) != 0 || letGo(facts) != c.goes || openCodes(facts) != c.open {
			t.Errorf("%d S, %d R, %d others, %s goes, open %v", len(facts.Extents), len(facts.Reuse), len(facts.Foreign), letGo(facts), facts.Inventory.Open)
		}
	}
	strange := []string{"s0000001.log", "S000001.LOG", "S00000001.LOG", "S0000001.LOG.gz", "xS0000001.LOG", "S000000A.LOG", "core", "R00000.LOG", "\"a b\""}
	for _, name := range strange {
		facts := s.with(active, listing+file(name)).read(t)
		if len(facts.Foreign) != 1 || letGo(facts) != "S0000000-S0000003" || openCodes(facts) != "foreign-files" {
			t.Errorf("%s: %v, %s goes, open %v", name, facts.Foreign, letGo(facts), facts.Inventory.Open)
		}
	}
}

// What the facts say of the log beside its segments.
func TestLogFacts(t *testing.T) {
	log := usual().with("SPACE QM1: /var/mqm/log/QM1/active", "size 1000\nfree 10\n").
		edit(t, qmini, "Service:", "QMErrorLog:\n   ExcludeMessage=7468,7234\nService:").read(t).Log
	want := observe.Log{
		Directory: "/var/mqm/log/QM1/active", Owner: "mqm:mqm", Mode: "drwxrws---", Type: observe.Linear, Management: observe.Manual, Host: observe.HostRunning,
		Current: "S0000130.LOG", Restart: "S0000112.LOG", Media: "S0000104.LOG",
		Primary: 3, Secondary: 2, InUse: 31, Utilised: 40, Size: 1000, Free: 10, Suppressed: []string{"AMQ7468"},
	}
	if fmt.Sprint(log) != fmt.Sprint(want) {
		t.Errorf("%+v\nwant %+v", log, want)
	}
	incarnation := usual().read(t).Inventory.Incarnation
	if incarnation != "qmid=QM1_2024-01-01_12.00.00; log=/var/mqm/log/QM1; begun=2024-01-01 12.00.00 0:0:0:4820" {
		t.Error(incarnation)
	}
	log = usual().edit(t, qmstatus, "STANDBY(NOPERMIT)", "LOGFSSZ(1000) LOGFSUSE(75)").read(t).Log
	if log.Size != 1000<<20 || log.Free != 1000<<20/4 {
		t.Errorf("size %d, free %d", log.Size, log.Free)
	}
}
