package multi

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// pruning is a linear queue manager whose administrator removes extents by hand
// as soon as QMSTATUS lets them go, and who is unlucky with files.
type pruning struct {
	*machine
	draw *rand.Rand
	want map[string][]string
	next int
	// removed counts extents.
	removed int
}

// Nothing that a recovery needs is among the extents older than both RECLOG and
// MEDIALOG: they are removed at any moment, in any history of work, images,
// crashes and lost files, and every committed message comes back each time
// (reference, Multiplatforms 1.1 item 5 and 4.1 item 81).
func TestPrunedByHand(t *testing.T) {
	removed := 0
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := &pruning{machine: ready(t, extents.Linear), draw: rand.New(rand.NewPCG(seed, 42)), want: map[string][]string{"Q": {"kept"}, "R": {}}}
			p.mqsc("DEFINE QLOCAL(R) MAXDEPTH(100000)")
			for range 30 {
				p.step()
			}
			p.recover()
			removed += p.removed
		})
	}
	if removed < 10 {
		t.Errorf("%d extents were let go of, which shows little", removed)
	}
}

// step does something that happens.
func (p *pruning) step() {
	p.Helper()
	switch p.draw.IntN(8) {
	case 0, 1, 2:
		queue := []string{"Q", "R"}[p.draw.IntN(2)]
		more := numbered(p.next, p.next+1+p.draw.IntN(30))
		p.next += len(more)
		p.put(queue, more...)
		p.want[queue] = append(p.want[queue], more...)
	case 3:
		// Deep queues may be more than so small a log takes at once.
		if r := p.run("", "rcdmqimg", "-m", "QM1", "-t", "all", "*"); r.Code != done && r.Code != resourceProblem {
			p.Fatalf("rcdmqimg: %d\n%s", r.Code, r.Err)
		}
	case 4:
		p.checkpoint()
	case 5:
		p.well("endmqm", "-i", "QM1")
		p.lose()
		p.well("strmqm", "QM1")
		p.recover()
	case 6:
		p.begin("Q", "uncommitted", false)
		p.crash()
		p.lose()
		p.well("strmqm", "QM1")
		p.recover()
	case 7:
		p.lose()
		p.recover()
	}
	p.prune()
}

// prune removes what both marks let go of.
func (p *pruning) prune() {
	p.Helper()
	restart, media := p.marks()
	for _, name := range p.extents() {
		if name < restart && name < media {
			p.must(os.Remove(p.extent(name)))
			p.removed++
		}
	}
}

// lose damages or deletes the files of some objects.
func (p *pruning) lose() {
	p.Helper()
	for _, name := range []string{"queues/Q/q", "queues/R/q"} {
		if _, err := os.Stat(p.file(name)); err != nil {
			continue // it has none yet, or none since it was lost
		}
		switch p.draw.IntN(3) {
		case 0:
			p.must(os.Remove(p.file(name)))
		case 1:
			p.spoil(p.file(name))
		}
	}
}

// recover does what an administrator does who sees AMQ7472, and compares.
func (p *pruning) recover() {
	p.Helper()
	p.run("DISPLAY QLOCAL(*) CURDEPTH\n", "runmqsc", "QM1") // finds the damage
	if r := p.run("", "rcrmqobj", "-m", "QM1", "-t", "all", "*"); !slices.Contains([]int{done, nothingProcessed}, r.Code) {
		p.Fatalf("rcrmqobj: %d\n%s%s", r.Code, r.Out, r.Err)
	}
	for queue, want := range p.want {
		p.holds(queue, want...)
	}
}
