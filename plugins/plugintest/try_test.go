package plugintest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// All that a plan says arrives in the test: the plan, the questions in order,
// those that a host would refuse, the log with its levels, the progress.
func TestPlanTellsEverything(t *testing.T) {
	plugin := planning(func(ctx context.Context, r plugins.Request, host plugins.Host, plan *plugins.Plan) error {
		host.Progress(1, 2, "half")
		log := host.Log().With("queue", "Q1")
		log.Debug("looked at", "depth", 5)
		log.WithGroup("at").Warn("late", "after", time.Minute, "again", true)
		if _, err := host.Ask(ctx, observe.Question{Language: observe.CTL, Text: "dspmq"}); !errors.As(err, new(*observe.Refused)) {
			t.Errorf("the question is not refused: %v", err)
		}
		host.Progress(2, 2, "all")
		return nil
	})
	outcome := Plan(t, plugin, sampleScript(t), map[string]any{"percent": int64(7)})
	if outcome.Err != nil || len(outcome.Plan.Objects) != 2 || outcome.Plan.Objects[0].Facts["depth"] != "5" {
		t.Errorf("%v, %v", outcome.Plan, outcome.Err)
	}
	var texts []string
	for _, q := range outcome.Questions {
		texts = append(texts, q.String())
	}
	if got := strings.Join(texts, "; "); got != "MQSC QM1: DISPLAY QMSTATUS ALL; MQSC QM1: DISPLAY QSTATUS(*) TYPE(QUEUE) ALL" {
		t.Errorf("asked: %s", got)
	}
	if len(outcome.Refused) != 1 || outcome.Refused[0].Question.Text != "dspmq" {
		t.Errorf("refused: %v", outcome.Refused)
	}
	if len(outcome.Progress) != 2 || outcome.Progress[1] != (Progress{2, 2, "all"}) {
		t.Errorf("progress: %v", outcome.Progress)
	}
	var lines []string
	for _, r := range outcome.Records {
		lines = append(lines, Line(r))
	}
	if got := strings.Join(lines, "; "); got != "DEBUG looked at queue=Q1 depth=5; WARN late queue=Q1 at.after=1m0s at.again=true" {
		t.Errorf("the log has: %s", got)
	}
}

// A panic is an error of its call; the plugin goes on.
func TestPanicIsAnError(t *testing.T) {
	angry := true
	plugin := spoilt(func(*plugins.Plan) {
		if angry {
			panic("out of queues")
		}
	})
	started, request := Start(t, plugin), Request(t, plugin, sampleScript(t), nil)
	outcome := started.Plan(t.Context(), request, sampleScript(t).Player())
	if travelled := new(wire.Error); !errors.As(outcome.Err, &travelled) || !travelled.Panic || !strings.Contains(travelled.Text, "panic in Plan: out of queues (try_test.go:60)") {
		t.Errorf("got %v", outcome.Err)
	}
	angry = false
	if outcome = started.Plan(t.Context(), request, sampleScript(t).Player()); outcome.Err != nil {
		t.Errorf("afterwards: %v", outcome.Err)
	}
}

// A question's error keeps its kind on the way to the plugin and back.
func TestErrorsKeepTheirKind(t *testing.T) {
	request := Request(t, sample{}, sampleScript(t), nil)
	for how, trouble := range troubles {
		want := trouble(observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY QMSTATUS ALL"})
		outcome := Start(t, sample{}).Plan(t.Context(), request, answering(func(_ context.Context, q observe.Question) (observe.Answer, error) {
			return observe.Answer{}, trouble(q)
		}))
		if outcome.Err == nil || outcome.Err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", how, outcome.Err, want)
		}
	}
	if outcome := Start(t, sample{}).Plan(t.Context(), request, nil); !errors.As(outcome.Err, new(*observe.NotAnswered)) {
		t.Errorf("without an asker: %v", outcome.Err)
	}
}

// A cancelled plan ends, in the test and in the plugin.
func TestCancelledPlanEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	plugin := sample{on: func(err error) error {
		ended <- err
		return err
	}}
	outcome := Start(t, plugin).Plan(ctx, Request(t, plugin, sampleScript(t), nil), answering(func(ctx context.Context, _ observe.Question) (observe.Answer, error) {
		cancel()
		<-ctx.Done()
		return observe.Answer{}, ctx.Err()
	}))
	if !errors.Is(outcome.Err, context.Canceled) {
		t.Errorf("the plan ended with %v", outcome.Err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the plugin's question ended with %v", err)
	}
}

// A performer sends its action's command, and no other.
func TestPerformSendsItsCommandOnly(t *testing.T) {
	own := plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "PING QMGR"}
	plugin := sample{perform: func(ctx context.Context, a plugins.Action, hands plugins.Hands) (plugins.Result, error) {
		if _, err := hands.Do(ctx, plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "DELETE QLOCAL(Q1)"}); !errors.As(err, new(*observe.Refused)) {
			t.Errorf("another command is not refused: %v", err)
		}
		answer, err := hands.Do(ctx, a.Command)
		return plugins.Result{State: plugins.Done, Evidence: string(answer.Body)}, err
	}}
	var sent []string
	do := func(_ context.Context, c plugins.Command) (observe.Answer, error) {
		sent = append(sent, c.Text)
		return observe.Answer{Body: []byte("AMQ8415I: Ping IBM MQ Queue Manager command complete.")}, nil
	}
	outcome := Start(t, plugin).Perform(t.Context(), plugins.Action{ID: "7", Kind: plugins.KindCustom, Command: own}, nil, do)
	if outcome.Err != nil || outcome.Result.Action != "7" || outcome.Result.State != plugins.Done || strings.Join(sent, ";") != "PING QMGR" {
		t.Errorf("%v, %v, sent %q", outcome.Result, outcome.Err, sent)
	}
	outcome = Start(t, sample{}).Confirm(t.Context(), plugins.Action{ID: "8"}, nil)
	if outcome.Err == nil || !strings.Contains(outcome.Err.Error(), "8 is no action") {
		t.Errorf("%v, %v", outcome.Result, outcome.Err)
	}
}

// Large answers and plans travel in parts.
func TestLargeAnswerAndPlan(t *testing.T) {
	body := strings.Repeat("AMQ8450I: Display queue status details.\n   QUEUE(Q)  TYPE(QUEUE)  CURDEPTH(1)\n", 20_000)
	outcome := Start(t, sample{}).Plan(t.Context(), Request(t, sample{}, sampleScript(t), nil),
		answering(func(context.Context, observe.Question) (observe.Answer, error) {
			return observe.Answer{Body: []byte(body)}, nil
		}))
	if outcome.Err != nil || len(outcome.Plan.Objects) != 40_000 {
		t.Errorf("%d objects, %v", len(outcome.Plan.Objects), outcome.Err)
	}
}
