package disk_test

import (
	"errors"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

func TestReplaceIsWholeOrNotAtAll(t *testing.T) {
	d := disk.At(t.TempDir())
	for _, content := range []string{"first", "the second, which is longer", ""} {
		if err := disk.Replace(d, "state", []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := disk.ReadAll(d, "state")
		if err != nil || string(got) != content {
			t.Errorf("got %q, %v; want %q", got, err, content)
		}
	}
	if names, err := d.List("."); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

func TestReadOnlyChangesNothing(t *testing.T) {
	d := disk.At(t.TempDir())
	if err := disk.Replace(d, "a/state", []byte("x")); err == nil {
		t.Error("a folder that is not there was made")
	}
	if err := errors.Join(d.MkdirAll("a"), disk.Replace(d, "a/state", []byte("kept"))); err != nil {
		t.Fatal(err)
	}
	r := disk.ReadOnly(d)
	_, create := r.Create("a/other")
	_, write := r.OpenWrite("a/state")
	f, err := r.Open("a/state")
	if err != nil {
		t.Fatal(err)
	}
	_, at := f.WriteAt([]byte("y"), 0)
	for what, err := range map[string]error{
		"create": create, "open for writing": write, "write": at, "truncate": f.Truncate(0), "sync": f.Sync(),
		"rename": r.Rename("a/state", "b"), "remove": r.Remove("a/state"), "make folder": r.MkdirAll("c"), "sync folder": r.SyncDir("a"),
		"replace": disk.Replace(r, "a/state", []byte("z")),
	} {
		if !errors.Is(err, disk.ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if got, err := disk.ReadAll(r, "a/state"); err != nil || string(got) != "kept" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A crash of the system at any operation leaves the old content or the new.
func TestReplaceSurvivesACrashAnywhere(t *testing.T) {
	for stop := 0; ; stop++ {
		d := crashdisk.New()
		if err := disk.Replace(d, "state", []byte("old")); err != nil {
			t.Fatal(err)
		}
		done, broken := 0, errors.New("power is gone")
		d.Fault(func(crashdisk.Op) error {
			if done++; done > stop {
				return broken
			}
			return nil
		})
		err := disk.Replace(d, "state", []byte("new content"))
		d.Fault(nil)
		d.Crash()
		got, readErr := disk.ReadAll(d, "state")
		if readErr != nil || string(got) != "old" && string(got) != "new content" {
			t.Fatalf("stopped at operation %d: %q, %v", stop, got, readErr)
		}
		if err == nil {
			if string(got) != "new content" {
				t.Errorf("acknowledged and lost: %q", got)
			}
			return
		}
	}
}

// Without the sync of the folder the old file may come back, as long as nobody
// has synced it, and what is there is whole.
func TestReplaceNoSyncDirLeavesTheNameToTheCaller(t *testing.T) {
	for _, synced := range []bool{false, true} {
		d := crashdisk.New()
		if err := errors.Join(disk.Replace(d, "a/state", []byte("old")), disk.ReplaceNoSyncDir(d, "a/state", []byte("new"))); err != nil {
			t.Fatal(err)
		}
		want := "old"
		if synced {
			want = "new"
			if err := d.SyncDir("a"); err != nil {
				t.Fatal(err)
			}
		}
		d.Crash()
		if got, err := disk.ReadAll(d, "a/state"); err != nil || string(got) != want {
			t.Errorf("folder synced %v: %q, %v", synced, got, err)
		}
	}
}
