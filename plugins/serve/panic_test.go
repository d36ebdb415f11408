package serve

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// The error of a panic names the line of the author's code, in whatever the
// panic was raised.
func TestPanicNamesTheAuthorsLine(t *testing.T) {
	config, err := schema.New(schema.Schema{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var (
		none map[string]int
		line int // of the one that panics
	)
	here := func() {
		_, _, line, _ = runtime.Caller(1)
		line++
	}
	for name, tt := range map[string]struct {
		do   func()
		want string
	}{
		"a nil map": {func() {
			here()
			none["x"] = 1
		}, "panic in Plan: assignment to entry in nil map"},
		"a panic of its own": {func() {
			here()
			panic("lost")
		}, "panic in Plan: lost"},
		"a setting that is none": {func() {
			here()
			config.Int("percnt")
		}, `panic in Plan: setting "percnt" is read as a number, and the schema has no such setting`},
	} {
		t.Run(name, func(t *testing.T) {
			got := failureOf(t, func(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) {
				tt.do()
				return plugins.Plan{}, nil
			})
			if want := fmt.Sprintf("%s (panic_test.go:%d)", tt.want, line); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// What panics below a library is told where it does.
func TestPanicInALibrary(t *testing.T) {
	got := failureOf(t, func(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) {
		return plugins.Plan{}, fmt.Errorf("%s", regexp.MustCompile("(")) //nolint:staticcheck // it is to panic
	})
	if ok, _ := filepath.Match("panic in Plan: *(regexp.go:[0-9]*)", got); !ok {
		t.Error(got)
	}
}

// failureOf makes a plan that fails, and gives the text of its error.
func failureOf(t *testing.T, plan planner) string {
	t.Helper()
	m, err := Memory(plan, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := m.Stop(10 * time.Second); err != nil {
			t.Error(err)
		}
	}()
	stream, err := m.Client.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(starting(&wire.Start{})); err != nil {
		t.Fatal(err)
	}
	message, err := stream.Recv()
	if err != nil || message.GetFailure().GetKind() != wire.Failure_KIND_PANIC {
		t.Fatalf("%v, %v", message, err)
	}
	return message.GetFailure().GetText()
}
