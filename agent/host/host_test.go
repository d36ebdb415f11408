package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// begin starts a plugin of a behaviour and, when the test ends, stops it and
// asserts that nothing is left of it.
func begin(tb testing.TB, behaviour string, settings Settings) *Process {
	tb.Helper()
	base := tb.TempDir()
	if settings.SocketBase == "" && shortEnough(base) {
		settings.SocketBase = base
	}
	p, err := Start(context.Background(), source(behaviour), settings)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := p.Stop(); err != nil {
			tb.Error(err)
		}
		assertGone(tb, p)
	})
	return p
}

func assertGone(tb testing.TB, p *Process) {
	tb.Helper()
	select {
	case <-p.Exited():
	default:
		tb.Errorf("process %d is still there", p.PID())
	}
	if _, err := os.Stat(p.dir); !errors.Is(err, os.ErrNotExist) {
		tb.Errorf("the socket directory is still there: %v", err)
	}
}

// answers is an asker that repeats the question.
type answers func(context.Context, observe.Question) (observe.Answer, error)

func (a answers) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	return a(ctx, q)
}

var echo = answers(func(_ context.Context, q observe.Question) (observe.Answer, error) {
	return observe.Answer{Body: []byte(q.Text)}, nil
})

var request = plugins.Request{Run: "r1", Task: "receivers", Round: 1, Target: observe.Target{Name: "ORDERS", Platform: observe.IBMi}}

func TestWholeLife(t *testing.T) {
	t.Parallel()
	p := begin(t, "nothing", Settings{})
	if got := p.Protocol(); got != Protocol {
		t.Errorf("it speaks protocol %d", got)
	}
	want := stranger{}.Describe()
	if diff := cmp.Diff(want, p.Describe(), cmpopts.IgnoreUnexported(schema.Value{})); diff != "" {
		t.Error(diff)
	}
	if !p.Confirms() || !p.Performs() || len(p.SHA256()) != 64 || p.PID() <= 0 {
		t.Errorf("confirms %t, performs %t, hash %s, pid %d", p.Confirms(), p.Performs(), p.SHA256(), p.PID())
	}
	complaints, err := p.Check(t.Context(), request)
	if diff := cmp.Diff([]plugins.Complaint{{Path: "config.images", Text: "is true on ibmi/ORDERS"}}, complaints); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	plan, err := p.Plan(t.Context(), request, echo, Events{})
	if err != nil || !plan.Again || plan.Objects[0].Name != "ORDERS" {
		t.Errorf("plan %v, %v", plan, err)
	}
	action := plugins.Action{ID: "7", Kind: plugins.KindCustom, Command: plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "BACKUP CFSTRUCT(APP1)"}}
	result, err := p.Confirm(t.Context(), action, echo, Events{})
	if want := (plugins.Result{Action: "7", State: plugins.Pending, After: time.Minute, Evidence: "DISPLAY CFSTATUS(*)"}); err != nil || result != want {
		t.Errorf("confirmed %v, %v", result, err)
	}
	do := func(_ context.Context, c plugins.Command) (observe.Answer, error) {
		return observe.Answer{Body: []byte(c.Text)}, nil
	}
	result, err = p.Perform(t.Context(), action, echo, do, Events{})
	if want := (plugins.Result{Action: "7", State: plugins.Done, Evidence: "BACKUP CFSTRUCT(APP1)"}); err != nil || result != want {
		t.Errorf("performed %v, %v", result, err)
	}
}

func TestManyTargetsOnOneProcess(t *testing.T) {
	t.Parallel()
	p := begin(t, "questions", Settings{MaxQuestions: 4})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			plan, err := p.Plan(t.Context(), request, echo, Events{})
			if err != nil {
				t.Error(err)
				return
			}
			for i, object := range plan.Objects {
				if object.Name != fmt.Sprintf("DISPLAY QLOCAL(Q%d)", i) {
					t.Errorf("question %d was answered with %q", i, object.Name)
				}
			}
		})
	}
	group.Wait()
}

func TestEarlierResultsArrive(t *testing.T) {
	t.Parallel()
	p := begin(t, "big earlier", Settings{})
	r := request
	for i := range 20_000 {
		r.Earlier = append(r.Earlier, plugins.Result{Action: fmt.Sprint(i), State: plugins.Done, Evidence: strings.Repeat("CSQE121I ", 30)})
	}
	plan, err := p.Plan(t.Context(), r, echo, Events{})
	if err != nil || plan.Objects[0].Name != "20000" {
		t.Errorf("%v, %v", plan, err)
	}
}

func TestProgressAndLog(t *testing.T) {
	t.Parallel()
	p := begin(t, "log", Settings{})
	var got []string
	events := Events{
		Progress: func(done, total int64, what string) { got = append(got, fmt.Sprintf("%d/%d %s", done, total, what)) },
		Log:      newRecords(func(line string) { got = append(got, line) }),
	}
	if _, err := p.Plan(t.Context(), request, echo, events); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1/2 half",
		"level=WARN msg=late plugin=stranger target=ORDERS object=AMQAJRN receiver.name=AMQA000008 receiver.bytes=42",
		`level=DEBUG msg="not wanted" plugin=stranger target=ORDERS`,
		`2/2 all \x1b[2J`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestQuestionsFailToThePluginOnly(t *testing.T) {
	t.Parallel()
	question := observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY LOG"}
	p := begin(t, "fail in plan", Settings{})
	for _, want := range []error{
		&observe.NotAnswered{Question: question},
		&observe.Failed{Question: question, Body: []byte("AMQ8118E: Queue manager does not exist.\nmore")},
		&observe.TimedOut{Question: question, After: time.Minute},
	} {
		failing := answers(func(context.Context, observe.Question) (observe.Answer, error) { return observe.Answer{}, want })
		_, err := p.Plan(t.Context(), request, failing, Events{})
		var said *PluginError
		if !errors.As(err, &said) || said.Call != "Plan" || !strings.HasSuffix(err.Error(), "no plan for ibmi/ORDERS: "+want.Error()) {
			t.Errorf("got %v", err)
		}
		if inner := errors.Unwrap(said.Err); !cmp.Equal(inner, want) {
			t.Errorf("the cause is %#v", inner)
		}
	}
	_, err := p.Plan(t.Context(), request, nil, Events{})
	if notAnswered := new(observe.NotAnswered); !errors.As(err, &notAnswered) {
		t.Errorf("without an asker: %v", err)
	}
}

func TestNoQuestionIsRefused(t *testing.T) {
	never := answers(func(_ context.Context, q observe.Question) (observe.Answer, error) {
		t.Errorf("asked: %s", q)
		return observe.Answer{}, nil
	})
	for behaviour, why := range map[string]string{
		"question in CL":         "does not say of itself that it asks in CL",
		"change as a question":   "a change is no question",
		"nonsense as a question": "please",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			p := begin(t, behaviour, Settings{})
			_, err := p.Plan(t.Context(), request, never, Events{})
			if refused := new(observe.Refused); !errors.As(err, &refused) || !strings.Contains(err.Error(), why) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestUnlistedActionIsRefused(t *testing.T) {
	t.Parallel()
	p := begin(t, "unlisted action", Settings{})
	if _, err := p.Plan(t.Context(), request, echo, Events{}); err == nil || !strings.Contains(err.Error(), `of kind "delete"`) {
		t.Errorf("got %v", err)
	}
}

func TestGivenUpQuestionIsCancelled(t *testing.T) {
	t.Parallel()
	p := begin(t, "cancel", Settings{MaxQuestions: 1})
	slow := answers(func(ctx context.Context, q observe.Question) (observe.Answer, error) {
		if q.Text == "DISPLAY QLOCAL(SLOW)" {
			<-ctx.Done()
			return observe.Answer{}, ctx.Err()
		}
		return echo(ctx, q)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	// One question is answered at a time: the second has its turn because the
	// first was given up.
	plan, err := p.Plan(ctx, request, slow, Events{})
	if err != nil || plan.Objects[0].Name != "DISPLAY QLOCAL(FAST)" {
		t.Errorf("%v, %v", plan, err)
	}
}

func TestOnlyTheActionsCommandIsDone(t *testing.T) {
	t.Parallel()
	p := begin(t, "another command", Settings{})
	action := plugins.Action{ID: "7", Command: plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "PING CHANNEL(A)"}}
	do := func(context.Context, plugins.Command) (observe.Answer, error) {
		t.Error("a command was done")
		return observe.Answer{}, nil
	}
	_, err := p.Perform(t.Context(), action, echo, do, Events{})
	if refused := new(observe.Refused); !errors.As(err, &refused) || refused.Question.Text != "DELETE QLOCAL(PAYROLL)" {
		t.Errorf("got %v", err)
	}
}

func TestPanicIsAnErrorOfTheCall(t *testing.T) {
	t.Parallel()
	p := begin(t, "panic in plan", Settings{})
	where := regexp.MustCompile(`panic in Plan: runtime error: index out of range \[0\] with length 0 \(main_test\.go:\d+\)$`)
	for range 2 { // the process lives on
		_, err := p.Plan(t.Context(), request, echo, Events{})
		travelled := new(wire.Error)
		if !errors.As(err, &travelled) || !travelled.Panic || !where.MatchString(err.Error()) {
			t.Errorf("got %v", err)
		}
	}
}

func TestHostInsidePluginIsRefused(t *testing.T) {
	t.Setenv(serve.Handshake().MagicCookieKey, "anything")
	if _, err := Start(t.Context(), source("nothing"), Settings{}); !errors.Is(err, ErrInsidePlugin) {
		t.Errorf("got %v", err)
	}
}
