package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/sim"
)

// An apply that is frozen in the middle of its work and wakes when its claim is
// over, and another has taken it, deletes nothing more and says why. The other
// finds out what became of what was intended, and goes on.
func TestFrozenApplyWakes(t *testing.T) {
	for name, aim := range map[string]func(*killing) func() bool{
		"planning": func(k *killing) func() bool { return k.ledgerHas(3) }, // its second claim, that to change the target
		"saving":   func(k *killing) func() bool { return k.saveFileStands },
		"deleting": func(k *killing) func() bool { return k.deleteIntended },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &killing{site: newSite(t, "saves", 1), fell: map[string]int{}, seen: map[string]bool{}}
			first, log := k.freeze(aim(k), "--lease", "2s")
			before := done(t, log)
			eventually(t, 10*time.Second, k.claimStands)
			k.last = k.rows()
			second := k.start(k.apply("--lease", "20s")...)
			eventually(t, 30*time.Second, func() string {
				if k.rows() < k.last+2 {
					return "the other has not claimed the target"
				}
				return ""
			})
			k.letGo()
			k.must(first.Process.Signal(syscall.SIGCONT))
			status := first.status()
			said, err := os.ReadFile(log)
			k.must(err)
			if status == 0 || !strings.Contains(string(said), "the lease is lost") {
				t.Errorf("woken it ended with %d: %s", status, said)
			}
			if more := done(t, log) - before; more > 1 { // one was on its way
				t.Errorf("%d receivers were deleted after the claim was over: %s", more, said)
			}
			if status := second.status(); status != 0 && !strings.Contains(second.out.String(), "outcome-unknown") {
				t.Errorf("exit %d: %s", status, &second.out)
			}
			k.finish()
			k.noStrays()
		})
	}
}

// freeze starts applies until one is stopped at the moment that is aimed at,
// with its estate open where the moment is one of changes. Log is the file to
// which it writes.
func (k *killing) freeze(aim func() bool, more ...string) (p *process, log string) {
	k.t.Helper()
	log = k.path("first.log")
	for range 10 {
		k.work()
		p = k.command(k.apply(more...)...)
		to, err := os.Create(log)
		k.must(err)
		p.Stdout, p.Stderr = to, to
		k.must(p.Start())
		k.must(to.Close())
		k.t.Cleanup(func() { _ = p.Process.Kill() }) // it has ended, as a rule
		for end := time.Now().Add(20 * time.Second); !aim() && time.Now().Before(end); {
		}
		k.letGo()
		if k.stopped(p) {
			return p, log
		}
		_ = p.Process.Signal(syscall.SIGCONT)
		status := p.status()
		said, err := os.ReadFile(log)
		k.must(err)
		if late := bytes.Contains(said, []byte("the lease is lost")); status != 0 && status != exitCritical && !late { // on a slow machine
			k.t.Fatalf("exit %d before it could be frozen: %s", status, said)
		}
		k.runOut()
	}
	k.t.Fatal("no apply could be frozen at that moment")
	return nil, ""
}

// stopped stops a process and tells whether it was still at work: it has not
// given its claim back.
func (k *killing) stopped(p *process) bool {
	k.t.Helper()
	if p.Process.Signal(syscall.SIGSTOP) != nil {
		return false
	}
	eventually(k.t, 10*time.Second, func() string {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
		if err != nil || bytes.Contains(stat, []byte(") T ")) || bytes.Contains(stat, []byte(") Z ")) {
			return ""
		}
		return "it does not stop"
	})
	return k.claimStands() != "" && k.ledgerFree()
}

// ledgerFree tells whether others can write the ledger: a process that stands
// still in the middle of a change keeps them all from it.
func (k *killing) ledgerFree() bool {
	k.t.Helper()
	l, err := ledger.Open(k.t.Context(), k.path("state", ledgerName), ledger.Options{Patience: 100 * time.Millisecond})
	if err == nil {
		_, err = l.Claim(k.t.Context(), ledger.Firing{Target: "PROBE", Task: "none", Run: "probe", By: "a test", For: time.Nanosecond})
		err = errors.Join(err, l.Close())
	}
	if err != nil && !errors.Is(err, ledger.ErrBusy) {
		k.t.Fatal(err)
	}
	return err == nil
}

// claimStands says until when somebody has the claim to change the target;
// empty: nobody has.
func (k *killing) claimStands() string {
	k.t.Helper()
	defer k.letGo()
	var until int64
	const query = "SELECT coalesce(max(until), 0) FROM lease WHERE task = 'apply' AND holder <> ''"
	k.must(k.database().QueryRowContext(k.t.Context(), query).Scan(&until))
	if left := time.Until(time.Unix(0, until)); left > 0 {
		return fmt.Sprintf("the claim stands for %s", left)
	}
	return ""
}

// deleteIntended tells whether the ledger has an open intent of a delete.
func (k *killing) deleteIntended() bool {
	var n int
	const query = "SELECT count(*) FROM open_intent WHERE action LIKE '%delete%'"
	return k.database().QueryRowContext(k.t.Context(), query).Scan(&n) == nil && n > 0
}

// done counts the deletes that a log says are done.
func done(t *testing.T, log string) int {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "action=") && strings.Contains(line, "DLTJRNRCV") && strings.Contains(line, "outcome=done") {
			n++
		}
	}
	return n
}

// While an apply has the estate, a transcript of it can't be recorded; whoever
// tries is told so. Afterwards it can.
func TestRecordWhileApplying(t *testing.T) {
	if testing.Short() {
		t.Skip("an estate is waited for for half a minute")
	}
	t.Parallel()
	k := &killing{site: newSite(t, "saves", 1), fell: map[string]int{}, seen: map[string]bool{}}
	first, _ := k.freeze(k.saveFileStands)
	file := k.path("orders.mqt")
	status, out := k.try("target", "record", "-o", file)
	if status == 0 || !strings.Contains(out, sim.ErrLocked.Error()) {
		t.Errorf("exit %d: %s", status, out)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("something was recorded")
	}
	k.must(first.Process.Signal(syscall.SIGCONT))
	if status := first.status(); status != 0 {
		t.Errorf("the apply ended with %d", status)
	}
	k.mqhk("target", "record", "-o", file)
	k.check()
}
