package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// whole makes sure that each extent that a recovery reads is where the policy
// promises it, byte for byte, and that no copy that counts is half of one.
func (k *killedExtents) whole() {
	k.t.Helper()
	m := k.manager()
	there, copies := k.there(), k.copies()
	for name, digest := range copies {
		if k.all[name] != digest {
			k.t.Errorf("the copy of %s counts, and is another", name)
		}
	}
	for number := m.Media; number <= m.Current; number++ {
		name := observe.ExtentName(number)
		digest, on := there[name]
		onSystem := k.policy == "deletes" || m.Management == "Archive" || number >= m.Restart
		switch {
		case on && number < m.Current && digest != k.all[name]:
			k.t.Errorf("%s is not as it was", name)
		case !on && (onSystem || copies[name] == ""):
			k.t.Errorf("%s is gone, RECLOG is %d, MEDIALOG %d", name, m.Restart, m.Media)
		}
	}
	for _, number := range m.Reported {
		if name := observe.ExtentName(number); copies[name] != k.all[name] {
			k.t.Errorf("the queue manager heard that %s is archived, and it is not", name)
		}
	}
}

// copies gives the digests of the copies that count, read back.
func (k *killedExtents) copies() map[string]string {
	k.t.Helper()
	var list struct{ Copies []archiveCopy }
	status, out := k.try("archive", "verify", "--format", "json")
	if from := strings.Index(out, "{"); status != 0 || from < 0 || json.Unmarshal([]byte(out[from:]), &list) != nil {
		k.t.Fatalf("exit %d: %s", status, out)
	}
	all := map[string]string{}
	for _, c := range list.Copies {
		if !c.Verified {
			k.t.Errorf("the copy of %s is not whole: %s", c.Segment, c.Problem)
		}
		all[c.Segment] = c.SHA256
	}
	return all
}

// finish has an apply run to its end, and looks at what all of them left.
func (k *killedExtents) finish() {
	k.t.Helper()
	if status, out := k.try(k.apply()...); status != 0 {
		k.t.Fatalf("exit %d: %s", status, out)
	}
	k.mqhk("history", "verify")
	k.whole()
	done := map[string]int{}
	for _, one := range judge(k.t, k.trail()).intents {
		if !one.settled() {
			k.t.Errorf("nobody found out: %s", one)
		}
		if one.kind == plugins.KindDelete && one.state() == plugins.Done {
			done[one.name()]++
		}
	}
	m, there := k.manager(), k.there()
	for name := range k.all {
		_, on := there[name]
		_, number, _ := observe.ParseExtent(name)
		switch deleted := done[name]; {
		case m.Management == "Archive":
			if deleted > 0 || number < m.Media && on {
				k.t.Errorf("%s: deleted %d times, there %t", name, deleted, on)
			}
		case on && deleted > 0, !on && deleted != 1:
			k.t.Errorf("%s: deleted %d times, there %t", name, deleted, on)
		}
	}
	if left, _ := filepath.Glob(k.path("vault", "*", "*.part")); len(left) > 0 {
		k.t.Errorf("parts of copies are left: %v", left)
	}
}

// Two applies begin at the same moment: one runs, and the other says who is at
// it, or finds nothing left to do.
func TestTwoExtentAppliesAtOnce(t *testing.T) {
	times := 4
	if testing.Short() {
		times = 2
	}
	t.Parallel()
	k := newKilledExtents(t, "saves", "Manual")
	refused := 0
	for range times {
		k.work()
		both := []*process{k.start(k.apply("--format", "json")...), k.start(k.apply("--format", "json")...)}
		worked := 0
		for _, p := range both {
			switch outcome, said := k.ended(p); outcome {
			case "worked":
				worked++
			case "refused":
				if refused++; !saysWho.MatchString(said) {
					t.Errorf("it does not say why: %s", said)
				}
			}
		}
		if worked == 0 {
			t.Errorf("neither was let:\n%s\n%s", &both[0].out, &both[1].out)
		}
		k.finish()
	}
	if n := judge(t, k.trail()).overlaps; n > 0 {
		t.Errorf("%d claims were taken while another stood", n)
	}
	k.noStrays()
	t.Logf("%d of %d were told that the other is at it", refused, 2*times)
}
