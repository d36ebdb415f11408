package main

import (
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/finding"
)

// What a monitor is told: of tasks with a schedule where any has one, else of
// all that were ever run; and never that all is well where nothing is watched.
func TestStatusReasons(t *testing.T) {
	ago := func(d time.Duration) *statusRun {
		return &statusRun{Run: "r", Age: inDays(d), Seconds: int64(d / time.Second)}
	}
	critical := []statusFinding{{finding.Critical, finding.ReceiverLost}, {finding.Warning, finding.NotSaved}}
	tests := map[string]struct {
		watching
		tasks []statusTask
		want  []string
	}{
		"not asked":            {watching{failOn: "never"}, []statusTask{{Task: "a/t", Mode: "apply"}}, []string{}},
		"nothing to watch":     {watching{failOn: "warning"}, []statusTask{{Task: "a/t"}}, []string{"NOTHING TO WATCH: no task has a schedule, and none was ever run"}},
		"young enough":         {watching{maxAge: "26h", failOn: "never"}, []statusTask{{Task: "a/t", Mode: "plan", Good: ago(26 * time.Hour)}}, []string{}},
		"too old":              {watching{maxAge: "26h", failOn: "never"}, []statusTask{{Task: "a/t", Mode: "plan", Good: ago(26*time.Hour + time.Second)}}, []string{"TOO OLD: ORDERS a/t: the last good run was 1d2h ago, more than 26h"}},
		"never":                {watching{maxAge: "2d", failOn: "never"}, []statusTask{{Task: "a/t", Mode: "plan"}}, []string{"TOO OLD: ORDERS a/t: no good run ever"}},
		"a plan is no apply":   {watching{maxAge: "2d", failOn: "never"}, []statusTask{{Task: "a/t", Mode: "apply", Good: ago(time.Hour)}}, []string{"TOO OLD: ORDERS a/t: no good apply ever"}},
		"only scheduled":       {watching{maxAge: "2d", failOn: "never"}, []statusTask{{Task: "a/t", Mode: "plan", Good: ago(0)}, {Task: "b/t", Last: ago(0)}}, []string{}},
		"by hand":              {watching{maxAge: "2d", failOn: "never"}, []statusTask{{Task: "a/t", Last: ago(0)}, {Task: "b/t"}}, []string{"TOO OLD: ORDERS a/t: no good run ever"}},
		"critical":             {watching{failOn: "critical"}, []statusTask{{Task: "a/t", Last: ago(0), Findings: critical}}, []string{"FOUND: ORDERS a/t: critical receiver-lost in the last run"}},
		"warning and critical": {watching{failOn: "warning"}, []statusTask{{Task: "a/t", Last: ago(0), Findings: critical}}, []string{"FOUND: ORDERS a/t: critical receiver-lost in the last run", "FOUND: ORDERS a/t: warning not-saved in the last run"}},
		"failed":               {watching{failOn: "critical"}, []statusTask{{Task: "a/t", Last: ago(0), Error: "the plugin died"}}, []string{"FAILED: ORDERS a/t: the last run: the plugin died"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			limits, err := test.limits()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, limits.reasons([]statusTarget{{Name: "ORDERS", Tasks: test.tasks}})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, wrong := range []watching{{maxAge: "soon", failOn: "never"}, {maxAge: "0s", failOn: "never"}, {failOn: "info"}} {
		if _, err := wrong.limits(); exitOf(err) != exitUsage {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// A shell offers the formats that a command knows, and no others.
func TestFormats(t *testing.T) {
	root := newApp(io.Discard, io.Discard).root()
	for words, want := range map[string]int{"plan": 4, "run": 4, "history": 4, "status": 2, "history verify": 2, "hold list": 2} {
		cmd, problem := command(root, words)
		if problem != "" {
			t.Fatal(words, problem)
		}
		if offered, _ := formats(cmd, nil, ""); len(offered) != want {
			t.Errorf("%s: %v", words, offered)
		}
	}
}
