package serve

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// begin opens a plan and waits until the plugin is in it.
func beginPlan(t *testing.T, p func(context.Context) error, stderr io.Writer) *InMemory {
	t.Helper()
	in := make(chan struct{})
	m, err := Memory(planner(func(ctx context.Context, _ plugins.Request, _ plugins.Host) (plugins.Plan, error) {
		close(in)
		return plugins.Plan{}, p(ctx)
	}), stderr)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := m.Client.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(starting(&wire.Start{})); err != nil {
		t.Fatal(err)
	}
	<-in
	return m
}

// Who stops a plugin waits for its calls, whose contexts end; one that does
// not heed its context is told of.
func TestStopWaitsForCalls(t *testing.T) {
	left := make(chan struct{})
	m := beginPlan(t, func(ctx context.Context) error {
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond) // it tidies up
		close(left)
		return ctx.Err()
	}, io.Discard)
	if err := m.Stop(10 * time.Second); err != nil {
		t.Error(err)
	}
	select {
	case <-left:
	default:
		t.Error("it did not wait for the call")
	}

	release := make(chan struct{})
	deaf := beginPlan(t, func(context.Context) error {
		<-release
		return nil
	}, io.Discard)
	if err := deaf.Stop(20 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "did not end within 20ms") {
		t.Errorf("got %v", err)
	}
	close(release)
	deaf.served.settle()
}

// The stack of a panic goes where it is asked to.
func TestPanicInMemory(t *testing.T) {
	var stderr strings.Builder
	m, err := Memory(planner(func(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) { panic("lost") }), &stderr)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := m.Client.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(starting(&wire.Start{})); err != nil {
		t.Fatal(err)
	}
	message, err := stream.Recv()
	if err != nil || message.GetFailure().GetKind() != wire.Failure_KIND_PANIC {
		t.Errorf("%v, %v", message, err)
	}
	if err := m.Stop(10 * time.Second); err != nil {
		t.Error(err)
	}
	if !strings.Contains(stderr.String(), "panic in Plan: lost") || !strings.Contains(stderr.String(), "goroutine") {
		t.Errorf("standard error has %q", stderr.String())
	}
}
