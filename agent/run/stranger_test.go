package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
	"github.com/mqhk/mqhk/plugins/serve"
)

// envStranger makes the test binary a plugin process that behaves as it says;
// envMarker names a file in which it leaves what the test is to know.
const (
	envStranger = "MQHK_TEST_STRANGER"
	envMarker   = "MQHK_TEST_MARKER"
)

// beStranger serves the plugin that the environment asks for, if it does.
func beStranger() {
	behaviour := os.Getenv(envStranger)
	switch {
	case behaviour == "":
		return
	case strings.HasPrefix(behaviour, "lie "):
		serve.Plugin(stranger{behaviour: behaviour, journal: true})
	default:
		serve.Plugin(stranger{behaviour: behaviour})
	}
	os.Exit(0)
}

// stranger is a plugin in a process of its own.
type stranger struct {
	behaviour string
	journal   bool // it takes the place of the journal plugin
}

func (s stranger) Describe() plugins.Description {
	if s.journal {
		d := liar{}.Describe()
		d.Languages = observe.Languages()
		return d
	}
	return plugins.Description{Name: "keeper", Version: "1", Languages: observe.Languages(), Actions: []plugins.Kind{plugins.KindDelete}}
}

func (s stranger) Plan(ctx context.Context, request plugins.Request, h plugins.Host) (plugins.Plan, error) {
	if s.journal {
		plan, err := journal.Plugin{Version: "1"}.Plan(ctx, request, h)
		if i := slices.IndexFunc(hostile(), func(l lie) bool { return "lie "+l.name == s.behaviour }); err == nil && i >= 0 {
			hostile()[i].lie(ctx, &plan, h)
		}
		return plan, err
	}
	switch s.behaviour {
	case "asks tricks":
		return plugins.Plan{}, askTricks(ctx, request.Target.Name, h)
	case "dies once":
		if _, err := os.Stat(os.Getenv(envMarker)); err != nil {
			dieLeavingAChild()
		}
	case "says an error":
		return plugins.Plan{}, errors.New("I do not like " + request.Target.Name)
	case "hangs":
		<-ctx.Done()
	}
	return plugins.Plan{}, nil
}

// hostile are all plans that must not be carried out.
func hostile() []lie { return slices.Concat(malformed, outside, tricks) }

// tricks are questions that hold more than a question, as plans that ask them.
var tricks = []lie{{"tricks", finding.QuestionRefused, "", func(ctx context.Context, _ *plugins.Plan, asker observe.Asker) {
	_ = askTricks(ctx, "ORDERS", asker)
}}}

// trickyQuestions are texts in which a second command, or what is no display,
// stands behind something that is one.
var trickyQuestions = []observe.Question{
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\nSET LOG ARCHIVED(S0000001.LOG)"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\r\nRESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000001.LOG)"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\rALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\u0085ALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\u2028ALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\x0bALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS\x00ALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS; ALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS +\n* no comment here\nALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QMSTATUS +\n\nALTER QMGR"},
	{Language: observe.MQSC, Text: "DISPLAY QUEUE('A)\nALTER QMGR"},
	{Language: observe.MQSC, Text: "dis qmstatus +\nall;set log archived(S1.LOG)"},
	{Language: observe.MQSC, Text: "ALTER QMGR"},
	{Language: observe.MQSC, Text: "+CSQ1 DISPLAY LOG"},
	{Language: observe.CL, Text: "DSPLIB A\nDLTJRNRCV A/B"},
	{Language: observe.CL, Text: "DSPLIB A /* x */\n/* y */ DLTJRNRCV A/B"},
	{Language: observe.CL, Text: "DSPLIB A /* unclosed\nDLTJRNRCV A/B"},
	{Language: observe.CL, Text: "DSPLIB LIB(A) +\n\nDLTJRNRCV A/B"},
	{Language: observe.CL, Text: "DSPLIB LIB(DLTJRNRCV)"},
	{Language: observe.CL, Text: "QSYS/CALL QCMDEXC ('DSPLIB A' 8)"},
	{Language: observe.CL, Text: "DSPOBJD OBJ(A/B) OUTPUT(*OUTFILE) OUTFILE(A/C)"},
	{Language: observe.CL, Text: "MYLIB/DSPLIB A"},
	{Language: observe.CTL, Text: "dspmq; rm -f /var/mqm/log/QM1/active/S0000001.LOG"},
	{Language: observe.CTL, Text: "dspmq\nrm -f x"},
	{Language: observe.CTL, Text: "dspmq | sh"},
	{Language: observe.CTL, Text: "dspmq $(rm x)"},
	{Language: observe.CTL, Text: "dspmq && rm x"},
	{Language: observe.CTL, Text: "dspmq > /etc/passwd"},
	{Language: observe.CTL, Text: "sh -c dspmq"},
	{Language: observe.CTL, Text: "./dspmq"},
	{Language: observe.CTL, Text: "rcdmqimg -m QM1 -t all '*'"},
	{Language: observe.SQL, Text: "CALL QSYS2.QCMDEXC('DLTJRNRCV A/B')"},
	{Language: observe.SQL, Text: "QSYS2.JOURNAL_INFO JOURNAL_NAME='A'; DROP TABLE X"},
	{Language: observe.SQL, Text: "QSYS2.JOURNAL_INFO JOURNAL_NAME='A'' OR ''1''=''1' OR 1=1"},
	{Language: observe.SQL, Text: "SYSTOOLS.DELETE_OLD_JOURNAL_RECEIVERS"},
	{Language: observe.DB2, Text: "CSQ.ADMIN_B_STRBACKUP -- x"},
	{Language: observe.IDCAMS, Text: "LISTCAT ALL\n DELETE (A)"},
	{Language: observe.IDCAMS, Text: "LISTCAT /* ALL */ /* */ -\n DELETE (A)"},
	{Language: observe.IDCAMS, Text: "LISTCAT ALL; DELETE (A)"},
	{Language: observe.MVS, Text: "D T;R 1,Y"},
	{Language: observe.MVS, Text: "D T\nSETXCF FORCE,STRUCTURE,STRNAME=X"},
	{Language: observe.MVS, Text: "RO *ALL,D T"},
	{Language: observe.Job, Text: "CSQJU003 HIGHRBA"},
	{Language: observe.Job, Text: "CSQJU004\n//S EXEC PGM=CSQJU003"},
	{Language: observe.File, Text: "/var/mqm/qmgrs/QM1/qm.ini\nrm"},
	{Language: observe.LogDir, Text: "/var/mqm/log/QM1/active\x00; rm"},
	{Language: "SHELL", Text: "dspmq"},
}

// askTricks asks every tricky question. The error says which was not refused.
func askTricks(ctx context.Context, qmgr string, asker observe.Asker) error {
	for _, q := range trickyQuestions {
		q.QueueManager = qmgr
		if _, err := asker.Ask(ctx, q); !errors.As(err, new(*observe.Refused)) {
			return fmt.Errorf("%s %q was not refused: %w", q.Language, q.Text, err)
		}
	}
	return nil
}

// processes starts strangers, each in its process, and counts them.
type processes struct {
	behaviour string
	env       []string
	settings  host.Settings
	starts    *atomic.Int64
}

func newProcesses(behaviour string, env ...string) processes {
	return processes{behaviour, env, host.Settings{}, new(atomic.Int64)}
}

func (p processes) Start(ctx context.Context, name string) (Plugin, error) {
	p.starts.Add(1)
	source := host.SelfExec(name)
	source.Env = append([]string{envStranger + "=" + p.behaviour}, p.env...)
	process, err := host.Start(ctx, source, p.settings)
	if err != nil {
		return nil, err
	}
	return inProcessOfItsOwn{process}, nil
}

// inProcessOfItsOwn is a plugin process as a run sees it.
type inProcessOfItsOwn struct{ *host.Process }

func (p inProcessOfItsOwn) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, _ func(string)) (plugins.Plan, error) {
	return p.Process.Plan(ctx, request, asker, host.Events{})
}

func (p inProcessOfItsOwn) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, _ func(string)) (plugins.Result, error) {
	return p.Process.Confirm(ctx, action, asker, host.Events{})
}

func (p inProcessOfItsOwn) Perform(ctx context.Context, action plugins.Action, asker observe.Asker,
	do func(context.Context, plugins.Command) (observe.Answer, error), _ func(string)) (plugins.Result, error) {
	return p.Process.Perform(ctx, action, asker, do, host.Events{})
}

const onePolicy = `
policy "one" {
  task "keeper" "all" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}
`

// No question with more in it than a question gets to a target: each is refused,
// the finding says so, and nothing of the plan is done.
func TestTrickyQuestionsOfAProcess(t *testing.T) {
	o := order(t, onePolicy, newKeepers())
	o.Plugins = newProcesses("asks tricks")
	record, err := Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	target := record.Targets[0]
	if target.Error != "" || len(target.Unanswered) > 0 {
		t.Errorf("%s; asked of the target: %v", target.Error, target.Unanswered)
	}
	more := fmt.Sprintf("so are %d more questions", len(trickyQuestions)-mostRefusals)
	if f := target.Findings; len(f) <= mostRefusals || f[0].Code != finding.QuestionRefused || !strings.Contains(f[mostRefusals].Text, more) {
		t.Errorf("findings %v, want %d and that %s", f, mostRefusals, more)
	}
}

// What a plugin in a process of its own plans beyond what is allowed, with a
// command in disguise or for another's log, is not done in part: neither by a dry
// run nor by an apply, and the estate is left as it was, byte by byte.
func TestHostileProcess(t *testing.T) {
	manyProcesses(t)
	s := newStation(t, 30)
	s.cl(changeReceiver, recordImages)
	s.run(connect.Plan, "conservative")
	before := digest(t, s.dir)
	for _, l := range hostile() {
		for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
			o := s.order(mode, "conservative")
			o.Plugins = newProcesses("lie " + l.name)
			record, err := Run(t.Context(), o)
			s.must(err)
			target := record.Targets[0]
			if len(target.Findings) == 0 && target.Failure != FailedPlugin || len(target.Findings) > 0 && target.Findings[0].Code != l.code {
				t.Errorf("%s: %s: findings %v", l.name, target.Error, target.Findings)
			}
			for _, a := range target.Actions {
				if a.Outcome != string(plugins.Skipped) {
					t.Errorf("%s: action %s is %s", l.name, a.ID, a.Outcome)
				}
			}
		}
	}
	if digest(t, s.dir) != before {
		t.Error("something has changed in the estate")
	}
}

// thousand is a transcript of so many targets.
func thousand(t *testing.T, n int) *transcript.Transcript {
	t.Helper()
	var b strings.Builder
	b.WriteString(">>> CLOCK 2026-05-28T02:00:00+02:00\n")
	for i := range n {
		fmt.Fprintf(&b, ">>> QMGR QM%d ibmi\n", i)
	}
	script, err := transcript.Parse("thousand", strings.NewReader(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// One run over 1,000 targets starts its plugin once.
func TestThousandTargetsOneStart(t *testing.T) {
	const n = 1000
	script := thousand(t, n)
	dial := map[string]connect.Dialer{}
	for _, target := range script.Targets() {
		dial[target.Name] = connect.Transcript(script)
	}
	o := order(t, onePolicy, newKeepers())
	started := newProcesses("plans nothing")
	o.Targets, o.Gate, o.Plugins = script.Targets(), connect.New(connect.Plan, dial), started
	record, err := Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(record.Targets) != n || started.starts.Load() != 1 || len(record.Run.Plugins) != 1 {
		t.Errorf("%d targets by %d starts of %v", len(record.Targets), started.starts.Load(), record.Run.Plugins)
	}
	for _, target := range record.Targets {
		if target.Error != "" {
			t.Fatalf("%s: %s", target.Name, target.Error)
		}
	}
}

// A plugin that says an error, or does not end in time, lives: it is not started
// again, and what it says is the error of the target. The limit is that of the
// starter's settings.
func TestPluginThatFailsIsNotStartedAgain(t *testing.T) {
	for behaviour, says := range map[string]string{"says an error": "I do not like QM1", "hangs": "did not end within"} {
		o := order(t, onePolicy, newKeepers())
		started := newProcesses(behaviour)
		started.settings.CallLimit = time.Second
		o.Plugins = started
		record, err := Plan(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if target := record.Targets[0]; target.Failure != FailedPlugin || !strings.Contains(target.Error, says) || started.starts.Load() != 1 {
			t.Errorf("%s: %d starts, %s: %s", behaviour, started.starts.Load(), target.Failure, target.Error)
		}
	}
}

// The time that a run has is the time that its plugins have.
func TestDeadlineGoesThrough(t *testing.T) {
	o := order(t, onePolicy, newKeepers())
	o.Plugins = newProcesses("hangs")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	began := time.Now()
	if _, err := Plan(ctx, o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}
