package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

const envServe = "MQHK_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(envServe) != "" {
		Plugin(planner(nil))
		return
	}
	goleak.VerifyTestMain(m)
}

// planner is a plugin that is nothing but its Plan.
type planner func(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error)

func (planner) Describe() plugins.Description { return plugins.Description{Name: "planner"} }

func (p planner) Plan(ctx context.Context, r plugins.Request, h plugins.Host) (plugins.Plan, error) {
	return p(ctx, r, h)
}

// pipe is a stream without a network: what the host sends and gets.
type pipe struct {
	grpc.ServerStream
	ctx        context.Context
	toPlugin   chan *wire.FromHost
	fromPlugin chan *wire.FromPlugin
}

func newPipe(ctx context.Context, messages ...*wire.FromHost) *pipe {
	p := &pipe{ctx: ctx, toPlugin: make(chan *wire.FromHost, 100), fromPlugin: make(chan *wire.FromPlugin, 100)}
	for _, m := range messages {
		p.toPlugin <- m
	}
	return p
}

func (p *pipe) Context() context.Context { return p.ctx }

func (p *pipe) Send(m *wire.FromPlugin) error {
	p.fromPlugin <- m
	return nil
}

func (p *pipe) Recv() (*wire.FromHost, error) {
	select {
	case m := <-p.toPlugin:
		return m, nil
	case <-p.ctx.Done():
		return nil, io.EOF
	}
}

func starting(s *wire.Start) *wire.FromHost {
	return &wire.FromHost{Message: &wire.FromHost_Start{Start: s}}
}

// plan runs one Plan call to its end and gives what the plugin sent.
func plan(t *testing.T, fallback io.Writer, p planner, messages ...*wire.FromHost) ([]*wire.FromPlugin, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream := newPipe(ctx, messages...)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	defer func(stderr *os.File) { os.Stderr = stderr }(os.Stderr)
	s := &server{plugin: p, stderr: null, fallback: slog.NewTextHandler(fallback, nil)}
	err = s.Plan(stream)
	close(stream.fromPlugin)
	var sent []*wire.FromPlugin
	for m := range stream.fromPlugin {
		sent = append(sent, m)
	}
	return sent, err
}

func TestStartedByHand(t *testing.T) {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), envServe+"=1")
	out, err := command.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "not by hand") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestLifeline(t *testing.T) {
	command := exec.Command(os.Args[0])
	handshake := Handshake()
	command.Env = append(os.Environ(), envServe+"=1", EnvLifeline+"=stdin", handshake.MagicCookieKey+"="+handshake.MagicCookieValue)
	line, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = line.Close()
	if err := command.Wait(); err == nil || err.Error() != "exit status 1" {
		t.Errorf("without its host the plugin ended with %v", err)
	}
	for _, where := range []string{"x", "-1", "99999999999"} {
		if err := watchLifeline(where, nil); err == nil {
			t.Errorf("lifeline %q is taken", where)
		}
	}
	if err := watchLifeline("", nil); err != nil {
		t.Error(err)
	}
}

func TestCallBeginsWithStart(t *testing.T) {
	never := planner(func(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) {
		t.Error("it planned")
		return plugins.Plan{}, nil
	})
	answer := &wire.FromHost{Message: &wire.FromHost_Answer{Answer: &wire.Answer{}}}
	for _, messages := range [][]*wire.FromHost{
		{answer},
		{{}},
		{starting(&wire.Start{EarlierParts: 1}), answer},
	} {
		if sent, err := plan(t, io.Discard, never, messages...); err == nil {
			t.Errorf("it answered with %v", sent)
		}
	}
}

func TestConfigurationThatDoesNotFitIsAFailure(t *testing.T) {
	request := &wire.Request{Config: []*wire.Setting{{Name: "depth", Value: &wire.Value{Value: &wire.Value_Number{Number: 1}}}}}
	sent, err := plan(t, io.Discard, nil, starting(&wire.Start{Request: request}))
	if err != nil || len(sent) != 1 || !strings.Contains(sent[0].GetFailure().GetText(), "there is no such setting") {
		t.Errorf("%v, %v", sent, err)
	}
}

func TestPanicBecomesAFailure(t *testing.T) {
	sent, err := plan(t, io.Discard, nil, starting(&wire.Start{})) // a nil planner
	if err != nil || len(sent) != 1 || sent[0].GetFailure().GetKind() != wire.Failure_KIND_PANIC {
		t.Errorf("%v, %v", sent, err)
	}
}

func TestAnswersOutOfOrderInParts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream := newPipe(ctx)
	s := newSession(stream, 0, slog.DiscardHandler)
	go s.receive()
	got := make(chan string)
	for range 2 {
		go func() {
			answer, err := s.Ask(ctx, observe.Question{Text: "DISPLAY LOG"})
			got <- fmt.Sprint(string(answer.Body), err)
		}()
	}
	first, second := (<-stream.fromPlugin).GetQuestion().GetId(), (<-stream.fromPlugin).GetQuestion().GetId()
	for _, part := range []*wire.Answer{
		{Id: 99, Body: []byte("nobody asked"), Last: true},
		{Id: second, Body: []byte("a")},
		{Id: first, Body: []byte("c"), Last: true},
		{Id: second, Body: []byte("b"), Last: true},
		{Id: second, Body: []byte("again"), Last: true},
	} {
		stream.toPlugin <- &wire.FromHost{Message: &wire.FromHost_Answer{Answer: part}}
	}
	answers := map[string]bool{<-got: true, <-got: true}
	if !answers["ab<nil>"] || !answers["c<nil>"] {
		t.Errorf("got %v", answers)
	}
}

func TestGivenUpQuestionIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream := newPipe(ctx)
	s := newSession(stream, 0, slog.DiscardHandler)
	impatient, giveUp := context.WithCancel(ctx)
	asked := make(chan error)
	go func() {
		_, err := s.Ask(impatient, observe.Question{})
		asked <- err
	}()
	id := (<-stream.fromPlugin).GetQuestion().GetId()
	giveUp()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if cancelled := (<-stream.fromPlugin).GetCancel(); cancelled.GetId() != id {
		t.Errorf("cancelled %v, asked %d", cancelled, id)
	}
}

func TestHostIsOverAfterTheCall(t *testing.T) {
	var kept plugins.Host
	var fallback strings.Builder
	_, err := plan(t, &fallback, func(_ context.Context, _ plugins.Request, h plugins.Host) (plugins.Plan, error) {
		kept = h
		return plugins.Plan{}, nil
	}, starting(&wire.Start{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Ask(context.Background(), observe.Question{}); !errors.Is(err, errOver) {
		t.Errorf("asking afterwards: %v", err)
	}
	kept.Progress(1, 2, "nothing happens")
	kept.Log().With("object", "A").Warn("too late")
	if !strings.HasSuffix(fallback.String(), "level=WARN msg=\"too late\" object=A\n") {
		t.Errorf("the fallback has %q", fallback.String())
	}
}

func TestRecordsTravel(t *testing.T) {
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	sent, err := plan(t, io.Discard, func(_ context.Context, _ plugins.Request, h plugins.Host) (plugins.Plan, error) {
		log := h.Log().With("a", 1).WithGroup("g").With("b", true)
		log.Info("not wanted")
		log.LogAttrs(context.Background(), slog.LevelError+1, "all kinds",
			slog.Uint64("u", 2), slog.Float64("f", 0.5), slog.Duration("d", time.Second), slog.Time("t", at), slog.Time("z", time.Time{}),
			slog.Group("in", slog.String("s", "x")), slog.Any("e", errors.New("broken")), slog.Attr{})
		return plugins.Plan{}, nil
	}, starting(&wire.Start{LogLevel: int32(slog.LevelWarn)}))
	if err != nil || len(sent) != 2 {
		t.Fatalf("%v, %v", sent, err)
	}
	got := sent[0].GetRecord()
	got.Time = nil
	want := &wire.Record{Level: 9, Message: "all kinds", Attributes: []*wire.Attribute{
		{Key: "a", Value: &wire.Attribute_Number{Number: 1}},
		{Key: "g.b", Value: &wire.Attribute_Flag{Flag: true}},
		{Key: "g.u", Value: &wire.Attribute_Count{Count: 2}},
		{Key: "g.f", Value: &wire.Attribute_Real{Real: 0.5}},
		{Key: "g.d", Value: &wire.Attribute_DurationNanos{DurationNanos: 1e9}},
		{Key: "g.t", Value: &wire.Attribute_Time{Time: wire.EncodeTime(at)}},
		{Key: "g.z", Value: &wire.Attribute_Text{Text: time.Time{}.String()}},
		{Key: "g.in.s", Value: &wire.Attribute_Text{Text: "x"}},
		{Key: "g.e", Value: &wire.Attribute_Text{Text: "broken"}},
	}}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

func TestProgressIsThinned(t *testing.T) {
	sent, err := plan(t, io.Discard, func(_ context.Context, _ plugins.Request, h plugins.Host) (plugins.Plan, error) {
		for i := range int64(10_001) {
			h.Progress(i, 10_000, "segments")
		}
		return plugins.Plan{}, nil
	}, starting(&wire.Start{}))
	if err != nil || len(sent) < 3 || len(sent) > 90 {
		t.Fatalf("%d messages, %v", len(sent), err)
	}
	if end := sent[len(sent)-2].GetProgress(); end.GetDone() != 10_000 {
		t.Errorf("the last progress is %v", end)
	}
}

func FuzzStart(f *testing.F) {
	f.Add("receivers", int64(1), int32(0), uint32(0))
	f.Fuzz(func(t *testing.T, name string, number int64, kind int32, ref uint32) {
		start := &wire.Start{
			Request: &wire.Request{Task: name, Round: number, Config: []*wire.Setting{{Name: name}, {}}},
			Strings: []string{name}, Action: &wire.Action{Id: ref, Items: []uint32{ref}}, LogLevel: kind,
		}
		sent, err := plan(t, io.Discard, nil, starting(start))
		if err != nil || len(sent) != 1 || sent[0].GetFailure() == nil {
			t.Fatalf("%v, %v", sent, err)
		}
	})
}
