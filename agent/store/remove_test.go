package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

var errDone = errors.New("that was all")

func TestRemove(t *testing.T) {
	for name, way := range encodings {
		t.Run(name, func(t *testing.T) {
			d := newStore(t, func(s *Settings) { s.Compress = way.compress })
			gone := way.put(t, d, extent("S0000007.LOG"), Facts{First: "7"}, []byte("content"))
			stays := way.put(t, d, extent("S0000008.LOG"), Facts{First: "8"}, []byte("content"))
			if err := d.Remove(t.Context(), gone); err != nil {
				t.Fatal(err)
			}
			if got := one(t, d); got != stays || d.Verify(t.Context(), stays) != nil {
				t.Errorf("listed %+v", got)
			}
			if left := filesOf(t, d, "*S0000007*"); len(left) != 0 {
				t.Errorf("left %v", left)
			}
			is(t, d.Remove(t.Context(), gone), ErrNotThere)
			put(t, d, extent("S0000007.LOG"), Facts{First: "7"}, []byte("another content"))
			is(t, d.Remove(t.Context(), gone), ErrNotThere) // it is not that one
			if copies, problems := listed(d, "ORDERS"); len(copies) != 2 || len(problems) != 0 {
				t.Errorf("%+v, %v", copies, problems)
			}
		})
	}
}

// A damaged copy can be removed, by name; a manifest that can't be read can't.
func TestRemoveWhatIsDamaged(t *testing.T) {
	d := newStore(t)
	a := put(t, d, extent("S0000007.LOG"), Facts{}, []byte("content"))
	b := put(t, d, extent("S0000008.LOG"), Facts{}, []byte("content"))
	remove(t, filesOf(t, d, "*S0000007*.segment")[0])
	edit(t, filesOf(t, d, "*S0000008*.json")[0], flip)
	if err := d.Remove(t.Context(), a); err != nil {
		t.Error(err)
	}
	is(t, d.Remove(t.Context(), b), ErrManifest)
	if len(filesOf(t, d, "*S0000007*")) != 0 || len(filesOf(t, d, "*S0000008*")) != 2 {
		t.Errorf("left %v", filesOf(t, d, "*"))
	}
}

func TestRemoveMakesNothing(t *testing.T) {
	d := newStore(t)
	c := put(t, d, extent("S0000007.LOG"), Facts{}, []byte("content"))
	other := newStore(t)
	is(t, other.Remove(t.Context(), c), ErrNotThere)
	if _, err := os.Stat(other.path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a store was made")
	}
	s, _ := newCommand(t, "archive", "verify", "restore")
	c = put(t, s, receiver("AMQA000007"), facts(), []byte("content"))
	is(t, s.Remove(t.Context(), c), ErrNotRemoved)
	is(t, NewExternal("brms").Remove(t.Context(), c), ErrHoldsNothing)
	if one(t, s) != c {
		t.Error("it is not there any more")
	}
}

// The power fails between any two operations of a removal: what is left is a
// whole copy or none, and who writes there next completes it.
func TestPowerLostWhileRemoving(t *testing.T) {
	content := someBytes(8, 3000)
	contents := map[string][]byte{"AMQA000006": content, "AMQA000007": content}
	for _, compress := range []bool{false, true} {
		t.Run(fmt.Sprintf("compress=%t", compress), func(t *testing.T) {
			finished := false
			for after := 0; !finished; after++ {
				for seed := range 6 {
					files := crashdisk.New()
					d := onDisk(files, compress)
					put(t, d, receiver("AMQA000006"), facts(), content)
					c := put(t, d, receiver("AMQA000007"), facts(), content)
					powerFails(files, after)
					err := onDisk(files, compress).Remove(t.Context(), c)
					finished = err == nil
					crashes(files, seed)
					d = onDisk(files, compress)
					if n := wholeOrNone(t, d, contents); n < 1 || finished && n != 1 {
						t.Fatalf("after %d operations: %d copies, %v", after, n, err)
					}
					n := wholeOrNone(t, d, contents)
					put(t, d, receiver("AMQA000006"), facts(), content) // it is there: only clears away
					leavesNothing(t, files, n)
					put(t, d, receiver("AMQA000007"), facts(), content)
					leavesNothing(t, files, 2)
				}
			}
		})
	}
}

// The power fails while a segment is put again of which a removal was cut
// short: the old removal never takes the new copy.
func TestPowerLostWhilePuttingAfterHalfARemoval(t *testing.T) {
	content := someBytes(9, 3000)
	contents := map[string][]byte{"AMQA000007": content}
	finished := false
	for after := 0; !finished; after++ {
		for seed := range 6 {
			files := crashdisk.New()
			d := onDisk(files, false)
			c := put(t, d, receiver("AMQA000007"), facts(), content)
			broken := errors.New("broken")
			fault(files, crashdisk.Remove, broken)
			is(t, d.Remove(t.Context(), c), broken) // its manifest is out of the way
			if n := wholeOrNone(t, d, contents); n != 0 {
				t.Fatalf("%d copies", n)
			}
			powerFails(files, after)
			_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), bytes.NewReader(content)) // the same process
			finished = err == nil
			crashes(files, seed)
			d = onDisk(files, false)
			if n := wholeOrNone(t, d, contents); finished && n != 1 {
				t.Fatalf("after %d operations: put, and not there", after)
			}
			put(t, d, receiver("AMQA000008"), facts(), content) // clears away
			contents["AMQA000008"] = content
			if n := wholeOrNone(t, d, contents); finished && n != 2 {
				t.Fatalf("after %d operations: cleared away", after)
			} else {
				leavesNoOrphan(t, files, n)
			}
		}
	}
}

// leavesNoOrphan makes sure that there are no parts and no removals.
func leavesNoOrphan(t *testing.T, files *crashdisk.Disk, copies int) {
	t.Helper()
	names, err := files.List("ORDERS.qm")
	manifests := 0
	for _, name := range names {
		if strings.HasSuffix(name, manifestSuffix) {
			manifests++
		}
		if strings.HasSuffix(name, partSuffix) || strings.HasSuffix(name, removedSuffix) {
			t.Fatalf("left %v", names)
		}
	}
	if err != nil || manifests != copies {
		t.Fatalf("%d copies, left %v, %v", copies, names, err)
	}
}

func TestRemovalIsCompletedByTheNextWho(t *testing.T) {
	d := newStore(t)
	c := put(t, d, extent("S0000007.LOG"), Facts{}, []byte("content"))
	manifest := filesOf(t, d, "*.json")[0]
	if err := os.Rename(manifest, strings.TrimSuffix(manifest, manifestSuffix)+removedSuffix); err != nil {
		t.Fatal(err)
	}
	if copies, problems := listed(d, "ORDERS"); len(copies)+len(problems) != 0 {
		t.Errorf("half a removal is listed: %+v, %v", copies, problems)
	}
	is(t, d.Verify(t.Context(), c), ErrNotThere)
	put(t, newStoreAt(t, d.path), extent("S0000008.LOG"), Facts{}, []byte("content"))
	if left, err := filepath.Glob(filepath.Join(d.path, "*.qm", "*S0000007*")); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
