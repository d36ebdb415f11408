package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// saysWho is what somebody is told who comes too late.
var saysWho = regexp.MustCompile(`held by .+ until \d{4}-`)

// Two applies begin at the same moment, again and again: there are never two at
// a time on the target, each receiver is deleted once, and whoever comes too
// late says why it did nothing.
func TestTwoAppliesAtOnce(t *testing.T) {
	times := 20
	switch {
	case testing.Short():
		times = 5
	case os.Getenv("MQHK_LONG") != "":
		times = 200
	}
	t.Parallel()
	k := newTogether(t)
	refused, rounds := 0, 0
	for n := range times {
		k.work()
		second := k.apply("--format", "json")
		if n%2 == 1 {
			second[2] = "saves" // tasks of several policies are not at it at a time either
		}
		both := []*process{k.start(k.apply("--format", "json")...), k.start(second...)}
		alone := 0
		for _, p := range both {
			switch outcome, said := k.ended(p); outcome {
			case "worked":
				rounds++
			case "refused":
				alone++
				if refused++; !saysWho.MatchString(said) {
					t.Errorf("it does not say why: %s", said)
				}
			}
		}
		if alone == 2 || t.Failed() {
			t.Fatalf("neither was let:\n%s\n%s", &both[0].out, &both[1].out)
		}
	}
	k.check()
	if n := judge(t, k.trail()).overlaps; n > 0 {
		t.Errorf("%d claims were taken while another stood", n)
	}
	k.noStrays()
	if rounds < times/2 || refused == 0 {
		t.Errorf("this shows little: in %d rounds %d worked and %d were refused", times, rounds, refused)
	}
	t.Logf("of %d, %d worked, and %d were told that the other is at it", 2*times, rounds, refused)
}

// newTogether makes a site with one policy, on which images were recorded.
func newTogether(t *testing.T) *killing {
	t.Helper()
	k := &killing{site: newSite(t, "images", 2), fell: map[string]int{}, seen: map[string]bool{}}
	k.work()
	k.finish()
	return k
}

// ended waits for an apply with a report as JSON and says what came of it:
// worked (something was done), idle (nothing was left to do) or refused, with
// what it told.
func (k *killing) ended(p *process) (outcome, said string) {
	k.t.Helper()
	status := p.status()
	text := p.out.String()
	from := strings.Index(text, "{\n")
	if from < 0 {
		k.t.Fatalf("exit %d without a report: %s", status, text)
	}
	var record ledger.Record
	if err := json.NewDecoder(strings.NewReader(text[from:])).Decode(&record); err != nil {
		k.t.Fatalf("exit %d: %v in %s", status, err, text)
	}
	for _, s := range record.Run.Skipped {
		outcome, said = "refused", s.Why
	}
	for _, target := range record.Targets {
		if target.Error != "" {
			outcome, said = "refused", target.Error
		}
		for _, a := range target.Actions {
			if a.Outcome == string(plugins.Done) {
				outcome = "worked"
			}
		}
	}
	want := map[string][]int{"worked": {0}, "": {0}, "refused": {exitFailed, exitCritical}}[outcome]
	if !slices.Contains(want, status) {
		k.t.Errorf("%s, exit %d: %s", outcome, status, text)
	}
	return outcome, said
}

// An agent makes up for a firing that it missed while somebody applies another
// policy by hand: tasks of several policies never act on one target at a time.
func TestAgentAndApplyAtOnce(t *testing.T) {
	k := newTogether(t)
	last := time.Now().UTC().Truncate(time.Minute).Add(-30 * time.Minute)
	nightly := strings.NewReplacer(`policy "images" {`, fmt.Sprintf(`policy "nightly" {
  schedule {
    cron     = "%d * * * *"
    timezone = "UTC"
    mode     = "apply"
  }`, last.Minute())).Replace(siteConfiguration[strings.Index(siteConfiguration, `policy "images"`):strings.Index(siteConfiguration, `policy "saves"`)])
	k.must(os.WriteFile(k.path("mqhk.d", "nightly.hcl"), []byte(nightly), 0o600))
	past := last.Add(-3 * time.Hour)
	book, err := ledger.Open(t.Context(), k.path("state", ledgerName), ledger.Options{Clock: func() time.Time { return past }})
	k.must(err)
	k.must(book.Missed(t.Context(), ledger.Firing{Target: "ORDERS", Task: "nightly/receivers", Policy: "nightly", Key: past.Format(time.RFC3339)}, "missed"))
	k.must(book.Close())
	k.work()
	agent := k.stay("--policy", "nightly")
	hand := k.start(k.apply("--format", "json")...)
	record := agent.until(t, "run ended", "run failed", "run left to others")
	outcome, said := k.ended(hand)
	t.Logf("agent: %v, by hand: %s %s", record, outcome, said)
	agent.end(t)
	k.check()
	if n := judge(t, k.trail()).overlaps; n > 0 {
		t.Errorf("%d claims were taken while another stood", n)
	}
	if record["outcome"] != "done" && outcome != "worked" {
		t.Errorf("nobody worked: %v, %s", record, hand.out.String())
	}
	k.noStrays()
}
