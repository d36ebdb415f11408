package ledger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A process that is killed while it intends and sees loses nothing that was
// acknowledged, and leaves a whole file.
func TestKilled(t *testing.T) {
	kills := 20
	if os.Getenv("MQHK_LONG") != "" {
		kills = 1000
	}
	dir := folder(t)
	l := openAt(t, dir, Options{})
	for range kills {
		c := start(t, "work", dir)
		said := map[string]int{} // how many of each were acknowledged
		var task string
		hear := func(line string) {
			what, rest, _ := strings.Cut(line, " ")
			task, _, _ = strings.Cut(rest, " ")
			said[what]++
		}
		for range 1 + rand.IntN(40) {
			hear(c.line(t))
		}
		must(t, c.cmd.Process.Kill())
		for c.out.Scan() { // what it said before it died
			hear(c.out.Text())
		}
		_ = c.cmd.Wait() // it was killed
		checkKilled(t, l, task, said)
	}
	var integrity string
	must(t, l.db.QueryRow("PRAGMA integrity_check").Scan(&integrity))
	if integrity != "ok" {
		t.Errorf("integrity_check: %s", integrity)
	}
	if _, err := l.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

// checkKilled holds what the ledger has of a task against what a process said
// of it. One more may be there than it could say.
func checkKilled(t *testing.T, l *Ledger, task string, said map[string]int) {
	t.Helper()
	count := func(kind string) (n int) {
		must(t, l.db.QueryRow("SELECT count(*) FROM trail WHERE task = ? AND kind = ?", task, kind).Scan(&n))
		return n
	}
	intents, outcomes := count(kindIntent), count(kindOutcome)
	if intents < said["intended"] || intents > said["intended"]+1 {
		t.Errorf("%d intents, %d were acknowledged", intents, said["intended"])
	}
	if outcomes < said["seen"] || outcomes > said["seen"]+1 {
		t.Errorf("%d outcomes, %d were acknowledged", outcomes, said["seen"])
	}
	all, err := l.OpenIntents(context.Background(), "ORDERS")
	must(t, err)
	open := map[string]bool{}
	for _, o := range all {
		if o.Task == task {
			open[o.Action.ID] = true
		}
	}
	want := 0
	if intents > outcomes { // at most one batch is on its way
		want = 20
		for i := range want {
			if id := fmt.Sprintf("%d.%d", intents-1, i); !open[id] {
				t.Errorf("%s was intended, its outcome is not known, and it is not open", id)
			}
		}
	}
	if len(open) != want {
		t.Errorf("%d are open, want %d", len(open), want)
	}
}

// Of two processes that claim the same firing at once, one has it.
func TestTwoProcessesClaim(t *testing.T) {
	dir := folder(t)
	openAt(t, dir, Options{})
	both := []*child{start(t, "claim", dir), start(t, "claim", dir)}
	for n := range 50 {
		for _, c := range both {
			c.say(t, fmt.Sprintf("2026-05-%d", n))
		}
		got := []string{both[0].line(t), both[1].line(t)}
		if got[0] != "won" && got[1] != "won" || got[0] != "held" && got[1] != "held" {
			t.Fatalf("round %d: %v", n, got)
		}
		for _, c := range both {
			c.say(t, "")
			c.line(t)
		}
	}
	for _, c := range both {
		must(t, c.in.Close())
		must(t, c.cmd.Wait())
	}
}
