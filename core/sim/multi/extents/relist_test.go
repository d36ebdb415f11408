package extents

import (
	"fmt"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// Extents that were put back below the oldest are listed again at a start, as
// far as they join: not beyond a gap, nor one of another log, nor one whose
// header is not what was there.
func TestOlderExtentsAreListedAgain(t *testing.T) {
	build := func(t *testing.T) (*rig, [][]byte) {
		r := build(t, line(Manual, 3, 4))
		r.fill(t, 6)
		var kept [][]byte
		for i := range 4 {
			content, err := r.disk.(*crashdisk.Disk).Contents(fmt.Sprintf("%s/active/S000000%d.LOG", dir, i))
			must(t, err)
			kept = append(kept, content)
			r.remove(t, fmt.Sprintf("S000000%d", i))
		}
		_, err := r.pass(1, 1)
		must(t, err)
		r.lists(t, "S0000004", "S0000005", "S0000006")
		return r, kept
	}
	other := func(t *testing.T) []byte {
		r, err := newRig(crashdisk.New(), line(Manual, 3, 4))
		must(t, err)
		r.fill(t, 6)
		content, err := r.disk.(*crashdisk.Disk).Contents(dir + "/active/S0000003.LOG")
		must(t, err)
		return content
	}
	for name, c := range map[string]struct {
		back func(t *testing.T, kept [][]byte) map[int][]byte
		want []string
	}{
		"all": {func(_ *testing.T, k [][]byte) map[int][]byte {
			return map[int][]byte{0: k[0], 1: k[1], 2: k[2], 3: k[3]}
		}, []string{"S0000000", "S0000001", "S0000002", "S0000003"}},
		"a gap": {func(_ *testing.T, k [][]byte) map[int][]byte {
			return map[int][]byte{0: k[0], 1: k[1], 3: k[3]}
		}, []string{"S0000003"}},
		"a stranger's": {func(t *testing.T, k [][]byte) map[int][]byte {
			return map[int][]byte{2: k[2], 3: other(t)}
		}, nil},
		"under a wrong name": {func(_ *testing.T, k [][]byte) map[int][]byte {
			return map[int][]byte{3: k[2]}
		}, nil},
		"cut short": {func(_ *testing.T, k [][]byte) map[int][]byte {
			return map[int][]byte{3: k[3][:8192]}
		}, nil},
		"zeros": {func(_ *testing.T, k [][]byte) map[int][]byte {
			return map[int][]byte{3: make([]byte, len(k[3]))}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r, kept := build(t)
			for i, content := range c.back(t, kept) {
				r.disk.(*crashdisk.Disk).Put(fmt.Sprintf("%s/active/S000000%d.LOG", dir, i), content)
			}
			must(t, r.reopen())
			r.lists(t, append(c.want, "S0000004", "S0000005", "S0000006")...)
		})
	}
}

// A control file of an earlier day finds the extents that were begun since.
func TestControlFileOfAnEarlierDay(t *testing.T) {
	r := build(t, line(Manual, 3, 4))
	r.fill(t, 2)
	d := r.disk.(*crashdisk.Disk)
	old, err := d.Contents(dir + "/" + ControlName)
	must(t, err)
	r.fill(t, 3)
	d.Put(dir+"/"+ControlName, old)
	must(t, r.reopen())
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005")
}
