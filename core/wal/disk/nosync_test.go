package disk_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// What was written without syncs outlives the process and not the power.
func TestNoSync(t *testing.T) {
	below := crashdisk.New()
	d := disk.NoSync(below)
	if err := disk.Replace(d, "a/b", []byte("content")); err != nil {
		t.Fatal(err)
	}
	below.Kill()
	if got, err := disk.ReadAll(d, "a/b"); err != nil || string(got) != "content" {
		t.Errorf("after the death of the process %q, %v", got, err)
	}
	below.Crash()
	if _, err := d.Open("a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after a failure of the power: %v", err)
	}
}
