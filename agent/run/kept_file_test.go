package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// A plan is never written over another file, also by one of several who write
// it at once.
func TestWriteKeptTakesNoName(t *testing.T) {
	k := keptOn(t, keptLog{from: 1, to: 9, restart: 8, media: 5})
	dir := t.TempDir()
	path := filepath.Join(dir, "friday.plan")
	var wrote atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			switch err := WriteKept(path, k); {
			case err == nil:
				wrote.Add(1)
			case !errors.Is(err, ErrPlanExists):
				t.Error(err)
			}
		})
	}
	group.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil || wrote.Load() != 1 || len(entries) != 1 {
		t.Errorf("%d wrote it, the folder holds %v, %v", wrote.Load(), entries, err)
	}
	if _, err := ReadKept(path); err != nil {
		t.Error(err)
	}
}

func TestFilesThatAreNoPlans(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadKept(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if _, err := ReadKept(dir); err == nil {
		t.Error("a folder was read")
	}
	if err := WriteKept(filepath.Join(dir, "none", "plan"), keptOn(t, keptLog{from: 1, to: 3, restart: 3, media: 2})); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
	large := filepath.Join(dir, "large")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(maxKept+1), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadKept(large); !errors.Is(err, ErrNotAPlan) || !strings.Contains(err.Error(), "more than") {
		t.Errorf("large: %v", err)
	}
}

// crashing is a disk that forgets what was not synced. It has no second names:
// there a link takes the first name away, which its maker is about to do.
type crashing struct{ *crashdisk.Disk }

func (c crashing) Link(from, to string) error {
	if _, err := c.Contents(to); err == nil {
		return fs.ErrExist
	}
	return c.Rename(from, to)
}

func (c crashing) Remove(name string) error {
	if err := c.Disk.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// After a loss of power at every operation the plan is whole or not there, and
// one that was acknowledged is there.
func TestWriteKeptSurvivesACrashAnywhere(t *testing.T) {
	k := keptOn(t, keptLog{from: 1, to: 9, restart: 8, media: 5})
	text := keptText(t, k)
	done := false
	for stop := 0; !done; stop++ {
		for seed := range 9 {
			d := crashdisk.New()
			d.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
			err := writeKept(crashing{d}, "friday.plan", k)
			d.Fault(nil)
			switch r := rand.New(rand.NewPCG(uint64(seed), 4)); seed % 3 {
			case 0:
				d.Crash()
			case 1:
				d.CrashAfter(r.Int64N(d.Unsynced() + 1))
			default:
				d.CrashScattered(r)
			}
			got, missing := disk.ReadAll(d, "friday.plan")
			switch {
			case missing == nil && !bytes.Equal(got, text):
				t.Fatalf("stopped at operation %d: %d bytes of %d", stop, len(got), len(text))
			case missing != nil && !errors.Is(missing, fs.ErrNotExist):
				t.Fatal(missing)
			case missing != nil && err == nil:
				t.Fatalf("stopped at operation %d: acknowledged and lost", stop)
			case missing != nil:
				if err := writeKept(crashing{d}, "friday.plan", k); err != nil {
					t.Fatalf("stopped at operation %d, and again: %v", stop, err)
				}
			}
			done = err == nil
		}
	}
}

func FuzzReadKept(f *testing.F) {
	k, err := KeepPlan(keptMade, "host1", []KeptTask{keepTask(keptJob(), journalPlugin, planOn(keptLog{from: 1, to: 5, restart: 4, media: 3}.inventory()))})
	if err != nil {
		f.Fatal(err)
	}
	text, err := k.Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(bytes.ReplaceAll(text, []byte("  "), nil))
	f.Add(bytes.Replace(text, []byte("AMQA000001"), []byte("AMQA000004"), 1))
	f.Add(text[:len(text)/2])
	f.Add([]byte(`{"schema":"mqhk.plan/v1","id":"","made":"2026-05-28T02:00:00Z","tasks":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := parseKept(text)
		if err != nil {
			return
		}
		again, err := read.Text()
		if err != nil {
			t.Fatal(err)
		}
		var was, is bytes.Buffer
		if err := errors.Join(json.Compact(&was, text), json.Compact(&is, again)); err != nil || !bytes.Equal(was.Bytes(), is.Bytes()) {
			t.Errorf("%q was read, which is written as %q: %v", text, again, err)
		}
		for _, task := range read.Tasks {
			_ = read.Refuse(read.Made, task, Present{}) // whatever the plan says, it is weighed without a panic
		}
	})
}
