package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim"
)

// An apply is killed at random points of its way: no committed persistent
// message is lost, nothing is done twice, what was in flight is finished by the
// next run or is unknown with what was seen, and nothing piles up (case 73).
// For the simulated system the death of the process is a loss of power.
func TestApplyKilled(t *testing.T) {
	kills := 75 // of three policies; every run has other moments
	switch {
	case os.Getenv("MQHK_LONG") != "":
		kills = 1000
	case testing.Short():
		kills = 6
	}
	for i, policy := range []string{"images", "saves", "least"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			k := &killing{site: newSite(t, policy, 3), fell: map[string]int{}, seen: map[string]bool{}}
			seed := uint64(time.Now().UnixNano())
			k.rand = rand.New(rand.NewPCG(seed, uint64(i)))
			k.measure()
			for n := range (kills + i) / 3 {
				k.once(n)
				if t.Failed() {
					t.Fatalf("seed %d, kill %d", seed, n)
				}
				if n%8 == 7 {
					k.finish()
				}
			}
			k.finish()
			k.disaster()
			t.Logf("kills by where they fell: %v; an apply takes %s; %d times images were recorded by hand", k.fell, k.took, k.byHand)
		})
	}
}

// killing is a site on which applies are killed.
type killing struct {
	*site
	rand     *rand.Rand
	took     time.Duration   // of an apply that nobody kills
	before   map[string]bool // persistent messages when it began
	writes   int64           // rows that it adds to the trail
	last     int64           // row of the trail when it began
	restored int64           // row of the trail when receivers were last restored
	fell     map[string]int
	seen     map[string]bool // receivers that ever were
	byHand   int             // commands whose outcome stayed unknown, so that a person did them
}

// measure has one apply run to its end, in a process as those to come, when
// what had piled up before is gone.
func (k *killing) measure() {
	k.t.Helper()
	k.work()
	k.finish()
	k.work()
	began := time.Now()
	p := k.start(k.apply()...)
	if status := p.status(); status != 0 {
		k.t.Fatalf("exit %d: %s", status, &p.out)
	}
	k.took, k.writes = time.Since(began), k.rows()-k.last
	k.check()
}

// work lets applications work over some receivers.
func (k *killing) work() {
	k.t.Helper()
	k.open(func(e *sim.Estate) {
		if k.policy == "least" { // so that a restore brings back a few, not all
			k.images(e)
		}
		for range 3 {
			_, err := e.Advance(k.t.Context(), 10*time.Minute, nil)
			k.must(err)
			_, err = e.CL(k.t.Context(), "ORDERS", e.Job(), "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")
			k.must(err)
		}
		k.before = persistent(k.t, e)
	})
	for _, name := range k.receivers() {
		k.seen[name] = true
	}
	k.last = k.rows()
	k.letGo()
}

// once kills one apply and has the system start again.
func (k *killing) once(n int) {
	k.t.Helper()
	k.work()
	saving := k.saveFileStands
	if k.policy == "images" {
		saving = k.receiverGoes()
	}
	aims := []struct {
		at    func() bool
		after time.Duration // at most
	}{
		{nil, k.took},
		{k.ledgerHas(1 + k.rand.Int64N(k.writes)), 3 * time.Millisecond},
		{k.receiverGoes(), 3 * time.Millisecond},
		{k.ledgerHas(2 + k.rand.Int64N(k.writes)), time.Millisecond},
		{saving, 3 * time.Millisecond},
	}
	aim := aims[n%len(aims)]
	p := k.start(k.apply()...)
	k.shoot(p, aim.at, time.Duration(k.rand.Int64N(int64(aim.after))))
	k.runOut()
	k.fell[k.where(p)]++
	k.recover()
	k.noStrays()
}

// shoot kills a process: some time after it began, or after the moment at which
// something is to be seen.
func (k *killing) shoot(p *process, aim func() bool, wait time.Duration) {
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(ended)
		_ = p.Wait() // the state says it
	}()
	defer func() {
		if p.ProcessState.Exited() {
			k.took = (k.took + time.Since(began)) / 2 // the machine is faster than it was, or slower
		}
	}()
	if aim != nil {
		defer k.letGo()
		look := time.NewTicker(500 * time.Microsecond)
		defer look.Stop()
		for !aim() {
			select {
			case <-ended:
				return
			case <-look.C:
			}
		}
	}
	select {
	case <-ended:
	case <-time.After(wait):
		_ = p.Process.Kill() // it may have ended by now
		<-ended
	}
}

// receiverGoes gives what sees that one is gone.
func (k *killing) receiverGoes() func() bool {
	had := len(k.receivers())
	return func() bool { return len(k.receivers()) < had }
}

func (k *killing) saveFileStands() bool { return len(k.saveFiles()) > 0 }

// ledgerHas gives what sees that the ledger has so many rows more than when the
// apply began.
func (k *killing) ledgerHas(more int64) func() bool {
	return func() bool { return k.rows() >= k.last+more }
}

// where tells what the apply was at when it was killed, as far as the trail
// tells.
func (k *killing) where(p *process) string {
	k.t.Helper()
	if p.ProcessState.Exited() {
		if code := p.ProcessState.ExitCode(); code != 0 && !(code == exitCritical && strings.Contains(p.out.String(), "outcome-unknown")) {
			k.t.Errorf("it ended with %d by itself: %s", code, &p.out)
		}
		return "after its end"
	}
	rows := k.trail()
	at := "before its claim"
	for _, r := range rows {
		switch {
		case r.seq <= k.last || r.run == later:
		case r.kind == "claim" && at == "before its claim":
			at = "while planning"
		case r.kind == "finish":
			return "after its record"
		}
	}
	for _, one := range judge(k.t, rows).intents {
		if one.row.seq > k.last {
			at = "between actions"
			if len(one.states) == 0 {
				return "in: " + string(one.kind)
			}
		}
	}
	return at
}
