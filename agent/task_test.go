package agent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// loaded gives the policies of a file.
func loaded(t *testing.T, text string) []policies.Policy {
	t.Helper()
	file := filepath.Join(t.TempDir(), "site.hcl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	configuration, err := policies.Load(policies.Checks{}, file)
	if err != nil {
		t.Fatal(err)
	}
	own, err := configuration.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	return own
}

const site = `policy "site" {
  schedule {
    cron     = "0 2 * * *"
    timezone = "Europe/Berlin"
    mode     = "apply"
  }
  task "journal" "all" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
  task "journal" "watch" {
    targets  = ["ibmi/OR*"]
    strategy = "aggressive"
    schedule {
      cron     = "*/15 * * * *"
      timezone = "UTC"
    }
  }
}
policy "hand" {
  task "journal" "all" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}
`

// Each task has its own schedule, else the policy's, and nothing of both: the
// one that watches does not apply.
func TestTasks(t *testing.T) {
	tasks, err := Tasks(loaded(t, site), []observe.Target{orders, {Name: "STOCK", Platform: observe.IBMi}})
	if err != nil || len(tasks) != 2 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	for i, want := range []struct {
		name, targets, schedule string
		mode                    connect.Mode
	}{
		{"site/all", "ORDERS,STOCK", "0 2 * * * Europe/Berlin", connect.Apply},
		{"site/watch", "ORDERS", "*/15 * * * * UTC", connect.Plan},
	} {
		got := tasks[i]
		if got.Name() != want.name || got.targets() != want.targets || got.when.String() != want.schedule || got.Mode() != want.mode || len(got.Policy.Tasks) != 1 {
			t.Errorf("%s on %s at %s in mode %d, %d tasks", got.Name(), got.targets(), got.when, got.Mode(), len(got.Policy.Tasks))
		}
	}
}

func TestTasksRefused(t *testing.T) {
	own := loaded(t, site)
	for name, c := range map[string]struct {
		policies []policies.Policy
		targets  []observe.Target
		want     error
		text     string
	}{
		"by hand only": {own[:1], []observe.Target{orders}, ErrNoSchedule, "docs/policies.md"},
		"no policy":    {nil, []observe.Target{orders}, ErrNoSchedule, ""},
		"no target":    {own, nil, ErrNoTarget, ""},
		"no match":     {own, []observe.Target{{Name: "QM1", Platform: observe.Multiplatforms}}, ErrNoTarget, ""},
		"twice":        {append(own[1:], own[1:]...), []observe.Target{orders}, nil, "there are two tasks site/all, the other at "},
	} {
		_, err := Tasks(c.policies, c.targets)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An expression that no reader of the configuration has checked is refused
// with its place.
func TestTasksUnchecked(t *testing.T) {
	_, err := Tasks(loaded(t, strings.Replace(site, "*/15", "*/90", 1)), []observe.Target{orders})
	if err == nil || !strings.Contains(err.Error(), "site.hcl:") || !strings.Contains(err.Error(), "*/90") {
		t.Error(err)
	}
}
