package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
)

const agentSite = `queue_manager "ORDERS" {
  platform = "ibmi"
  connection "sim" {
    estate = "../estate"
  }
}
policy "nightly" {
  schedule {
    cron     = "%d * * * *"
    timezone = "UTC"
  }
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}
`

// agentHome makes a folder with an estate, a configuration, and a ledger that
// knows of no firing since three hours before the last one, half an hour ago:
// what an agent finds when it was down since.
func agentHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	last := time.Now().UTC().Truncate(time.Minute).Add(-30 * time.Minute)
	var out bytes.Buffer
	if code := execute([]string{"sim", "init", "ORDERS", "--estate", filepath.Join(home, "estate"), "--no-sync"}, &out, &out); code != 0 {
		t.Fatalf("sim init: %d: %s", code, &out)
	}
	for _, dir := range []string{"mqhk.d", "tmp"} {
		if err := os.Mkdir(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "mqhk.d", "site.hcl"), fmt.Appendf(nil, agentSite, last.Minute()), 0o600); err != nil {
		t.Fatal(err)
	}
	past := last.Add(-3 * time.Hour)
	book, err := ledger.Open(t.Context(), filepath.Join(home, "state", ledgerName), ledger.Options{Clock: func() time.Time { return past }})
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	f := ledger.Firing{Target: "ORDERS", Task: "nightly/receivers", Policy: "nightly", Key: past.Format(time.RFC3339)}
	if err := book.Missed(t.Context(), f, "missed"); err != nil {
		t.Fatal(err)
	}
	return home
}

// staying is an agent in a process of its own.
type staying struct {
	*exec.Cmd
	log *bufio.Scanner
}

func startAgent(t *testing.T, home string) *staying {
	t.Helper()
	cmd := exec.Command(os.Args[0], "agent", "--state", filepath.Join(home, "state"), "--log-format", "json")
	cmd.Dir = home
	cmd.Env = append(os.Environ(), asMqhk+"=1", "TMPDIR="+filepath.Join(home, "tmp"))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hang := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		hang.Stop()
		_ = cmd.Process.Kill() // it has ended, as a rule
	})
	return &staying{cmd, bufio.NewScanner(stderr)}
}

// until gives the next log record that has one of the messages.
func (s *staying) until(t *testing.T, messages ...string) map[string]any {
	t.Helper()
	var seen []string
	for s.log.Scan() {
		record := map[string]any{}
		if err := json.Unmarshal(s.log.Bytes(), &record); err != nil {
			t.Fatalf("%v in %s", err, s.log.Text())
		}
		for _, message := range messages {
			if record["msg"] == message {
				return record
			}
		}
		seen = append(seen, s.log.Text())
	}
	t.Fatalf("it ended without %q:\n%s", messages, strings.Join(seen, "\n"))
	return nil
}

// end stops the agent as systemd does, and expects it to end well.
func (s *staying) end(t *testing.T) {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.until(t, "agent stopped")
	if err := s.Wait(); err != nil {
		t.Errorf("stopped by SIGTERM it ended with %v", err)
	}
}

// childrenOf gives the processes that a process has started, of all its threads
// (proc_pid_task(5)).
func childrenOf(t *testing.T, pid int) string {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var all string
	for _, list := range lists {
		children, _ := os.ReadFile(list) // the thread may be gone
		all += string(children)
	}
	return all
}

// An agent that was down makes up for what it missed with one run of a real
// plugin; then it has nothing open: no plugin, no estate. SIGTERM ends it well
// and nothing stays behind.
func TestAgentStays(t *testing.T) {
	home := agentHome(t)
	s := startAgent(t, home)
	next, _ := s.until(t, "task is scheduled")["next_utc"].(string)
	if at, err := time.Parse(time.RFC3339, next); err != nil || time.Until(at) < 25*time.Minute || time.Until(at) > 31*time.Minute {
		t.Errorf("next run at %q, %v", next, err)
	}
	s.until(t, "agent starts")
	record := s.until(t, "run ended", "run failed")
	for key, want := range map[string]string{"msg": "run ended", "policy": "nightly", "target": "ORDERS", "task": "receivers", "plugin": "journal", "mode": "plan", "outcome": "planned"} {
		if record[key] != want {
			t.Errorf("%s=%v, want %s", key, record[key], want)
		}
	}
	if record["late"] == nil || record["made_up"] != 2.0 {
		t.Errorf("not said to be late: %v", record)
	}
	if children := childrenOf(t, s.Process.Pid); children != "" {
		t.Errorf("after the run there are still processes %s", children)
	}
	var out bytes.Buffer
	if code := execute([]string{"sim", "advance", "1m", "--estate", filepath.Join(home, "estate")}, &out, &out); code != 0 || strings.Contains(out.String(), "waiting") {
		t.Errorf("between runs the estate is not free: %d: %s", code, &out)
	}
	s.end(t)
	if left, err := os.ReadDir(filepath.Join(home, "tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Two agents begin at once on one ledger: one of them runs what was missed.
func TestTwoAgentsStay(t *testing.T) {
	home := agentHome(t)
	both := []*staying{startAgent(t, home), startAgent(t, home)}
	ended := 0
	for _, s := range both {
		if s.until(t, "run ended", "run left to others", "run failed")["msg"] == "run ended" {
			ended++
		}
	}
	if ended != 1 {
		t.Errorf("%d of two agents ran the firing", ended)
	}
	for _, s := range both {
		s.end(t)
	}
	book, err := ledger.OpenReadOnly(context.Background(), filepath.Join(home, "state", ledgerName), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	fired, err := book.Firings(t.Context(), "ORDERS", "nightly/receivers", 1)
	if err != nil || len(fired) != 1 || fired[0].Attempts != 1 || fired[0].State != ledger.FiringDone {
		t.Errorf("%+v, %v", fired, err)
	}
}
