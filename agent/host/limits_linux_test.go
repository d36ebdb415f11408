package host

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	const (
		memory = 96 << 20
		hang   = 30 * time.Second // what is not counted is not ended before
	)
	for _, test := range []struct {
		behaviour, what string
		settings        Settings
	}{
		{"a million questions", "questions", Settings{MaxAsked: 2000}},
		{"wire: a million questions at once", "questions", Settings{MaxAsked: 2000}},
		{"wire: a plan without end", "bytes of a plan", Settings{MaxResult: 1 << 20}},
		{"eat memory", "bytes of resident memory", Settings{MaxMemory: memory, CallLimit: hang}},
		{"eat memory in a child", "bytes of resident memory", Settings{MaxMemory: memory, CallLimit: hang}},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			p := unruly(t, test.behaviour, test.settings)
			err := calls["Plan"](t.Context(), p)
			var limit *LimitError
			if !errors.As(err, &limit) || limit.Plugin != "misbehave" || limit.Call != "Plan" || limit.What != test.what || limit.Got <= limit.Limit {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestNoiseDoesNoHarm(t *testing.T) {
	for behaviour, last := range map[string]string{"garbage on stderr": `\xff\x00\x1b]`, "megabytes on stderr": "the last word"} {
		t.Run(behaviour, func(t *testing.T) {
			p := unruly(t, behaviour, Settings{})
			if err := calls["Plan"](t.Context(), p); err != nil {
				t.Error(err)
			}
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
			if tail := strings.Join(p.log.tail(), "\n"); !strings.HasSuffix(tail, last) || len(tail) > (keptLines+2)*(maxLine+4) {
				t.Errorf("it kept %d bytes: %.200s", len(tail), tail)
			}
		})
	}
}

// A stop that was planned is no error, at rest or in a call.
func TestPlannedStopIsNoError(t *testing.T) {
	for _, behaviour := range []string{"nothing", "hang in plan", "stop itself"} {
		t.Run(behaviour, func(t *testing.T) {
			p := unruly(t, behaviour, Settings{})
			var call sync.WaitGroup
			if behaviour != "nothing" {
				call.Go(func() {
					if err := calls["Plan"](t.Context(), p); !errors.Is(err, ErrStopped) || errors.As(err, new(*CrashError)) {
						t.Errorf("the call under way: %v", err)
					}
				})
				time.Sleep(20 * time.Millisecond) // let it begin; either way its error is the same
			}
			timed(t, short, func() {
				if err := p.Stop(); err != nil {
					t.Error(err)
				}
			})
			call.Wait()
		})
	}
}
