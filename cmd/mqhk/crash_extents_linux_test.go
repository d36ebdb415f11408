package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
)

// extentPolicies has a policy for each way in which an extent goes: without a
// copy, and with one although a rebuild reads it.
const extentPolicies = `store "vault" {
  kind            = "directory"
  path            = "../vault"
  same_filesystem = true
}
policy "deletes" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative"
    unsaved  = "delete"
  }
}
policy "saves" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "fast-startup"
    store    = "vault"
    unsaved  = "save"
  }
}
`

// An apply on extents is killed at random points of its way. Whenever that is,
// no extent is gone that a recovery reads and that is nowhere else, no half copy
// counts, and the next run finishes: nothing is done twice, and of each extent
// the ledger says what became of it (case 73).
func TestExtentApplyKilled(t *testing.T) {
	kills := 45 // every run has other moments
	switch {
	case os.Getenv("MQHK_LONG") != "":
		kills = 500
	case testing.Short():
		kills = 6
	}
	for i, test := range []struct{ policy, management string }{{"deletes", "Manual"}, {"saves", "Manual"}, {"saves", "Archive"}} {
		t.Run(test.policy+" under "+test.management, func(t *testing.T) {
			t.Parallel()
			k := newKilledExtents(t, test.policy, test.management)
			seed := uint64(time.Now().UnixNano())
			k.rand = rand.New(rand.NewPCG(seed, uint64(i)))
			k.measure()
			for n := range kills / 3 {
				k.once(n)
				if t.Failed() {
					t.Fatalf("seed %d, kill %d", seed, n)
				}
				if n%8 == 7 {
					k.finish()
				}
			}
			k.finish()
			t.Logf("kills by where they fell: %v; an apply takes %s", k.fell, k.took)
		})
	}
}

// killedExtents is a queue manager on whose host applies are killed.
type killedExtents struct {
	*killing
	host *standin.Host
	log  string            // folder of the extents
	all  map[string]string // digest of each complete extent that ever was, by name
}

func newKilledExtents(t *testing.T, policy, management string) *killedExtents {
	t.Helper()
	s := &site{t: t, home: t.TempDir(), policy: policy}
	k := &killedExtents{killing: &killing{site: s, fell: map[string]int{}}, all: map[string]string{}}
	for _, dir := range []string{"mqhk.d", "tmp"} {
		s.must(os.Mkdir(s.path(dir), 0o700))
	}
	var err error
	k.host, err = standin.New(s.path("machine"))
	s.must(err)
	m, err := k.host.Create(standin.Manager{Name: "QM1", Management: management, First: 100, Current: 112, Restart: 110, Media: 107, Bytes: 16384})
	s.must(err)
	k.log = m.Active()
	s.must(os.WriteFile(s.path("mqhk.d", "site.hcl"), []byte(extentPolicies+connectionTo(k.host, "QM1")), 0o600))
	s.mqhk("run", "--policy", policy)
	k.note()
	return k
}

// note remembers what the complete extents hold.
func (k *killedExtents) note() {
	k.t.Helper()
	current := observe.ExtentName(k.manager().Current)
	for name, digest := range k.there() {
		if before, known := k.all[name]; known && before != digest {
			k.t.Errorf("%s holds something else", name)
		}
		if name != current {
			k.all[name] = digest
		}
	}
}

func (k *killedExtents) manager() standin.Manager {
	k.t.Helper()
	m, err := k.host.Manager("QM1")
	k.must(err)
	return m
}

// there gives the digests of the extents on the system, and finds what nobody
// put there.
func (k *killedExtents) there() map[string]string {
	k.t.Helper()
	entries, err := os.ReadDir(k.log)
	k.must(err)
	all := map[string]string{}
	for _, e := range entries {
		kind, _, err := observe.ParseExtent(e.Name())
		if err != nil {
			k.t.Errorf("%s lies among the extents", e.Name())
		}
		body, err := os.ReadFile(filepath.Join(k.log, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		k.must(err)
		sum := sha256.Sum256(body)
		if kind == observe.LogExtent {
			all[e.Name()] = hex.EncodeToString(sum[:])
		}
	}
	return all
}

// work has the queue manager write on, and its points follow.
func (k *killedExtents) work() {
	k.t.Helper()
	k.must(k.host.Advance("QM1", 3))
	k.must(k.host.Change("QM1", func(m *standin.Manager) { m.Restart, m.Media = m.Current-2, m.Current-4 }))
	k.note()
	k.last = k.rows()
	k.letGo()
}

// measure has one apply run to its end, in a process as those to come.
func (k *killedExtents) measure() {
	k.t.Helper()
	k.finish()
	k.work()
	began := time.Now()
	p := k.start(k.apply()...)
	if status := p.status(); status != 0 {
		k.t.Fatalf("exit %d: %s", status, &p.out)
	}
	k.took, k.writes = time.Since(began), max(k.rows()-k.last, 1)
	k.letGo()
	k.whole()
}

// once kills one apply.
func (k *killedExtents) once(n int) {
	k.t.Helper()
	k.work()
	aims := []struct {
		at    func() bool
		after time.Duration // at most
	}{
		{nil, k.took},
		{k.ledgerHas(1 + k.rand.Int64N(k.writes)), 3 * time.Millisecond},
		{k.extentGoes(), 2 * time.Millisecond},
		{k.copyComes(), 20 * time.Millisecond},
		{k.ledgerHas(2 + k.rand.Int64N(k.writes)), time.Millisecond},
	}
	aim := aims[n%len(aims)]
	p := k.start(k.apply()...)
	k.shoot(p, aim.at, time.Duration(k.rand.Int64N(int64(aim.after))))
	k.runOutOn("QM1", k.policy+"/extents")
	k.fell[k.where(p)]++
	k.noStrays()
	k.whole()
}

// extentGoes gives what sees that one is gone.
func (k *killedExtents) extentGoes() func() bool {
	had := k.entries(k.log, ".LOG")
	return func() bool { return k.entries(k.log, ".LOG") < had }
}

// copyComes gives what sees that a copy is made.
func (k *killedExtents) copyComes() func() bool {
	folder := k.path("vault", "QM1.qm")
	had := k.entries(folder, "")
	return func() bool { return k.policy == "deletes" || k.entries(folder, "") > had }
}

// entries counts the files of a folder, of which there may be none.
func (*killedExtents) entries(folder, suffix string) int {
	list, _ := os.ReadDir(folder)
	n := 0
	for _, e := range list {
		if strings.HasSuffix(e.Name(), suffix) && (suffix == "" || e.Name()[0] == 'S') {
			n++
		}
	}
	return n
}
