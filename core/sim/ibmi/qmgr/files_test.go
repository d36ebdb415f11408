package qmgr

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal/disk"
)

const marker = "no other file has this"

// onFolder makes a queue manager in a folder, with messages on queue A, and
// ends it cleanly.
func onFolder(t *testing.T, root string, suspend bool) {
	t.Helper()
	ctx := t.Context()
	c := &clock{now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
	sys, err := os400.Create(os400.Options{Disk: disk.At(root), Now: c.read}, os400.Settings{Name: "PAY1"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Create(ctx, sys, Spec{Name: "TEST", Threshold: 64})
	if err == nil {
		_, err = m.Start(ctx)
	}
	if err == nil {
		err = m.DefineQueue(ctx, "A", nil)
	}
	for range 20 {
		if err == nil {
			_, err = m.Put(ctx, "A", text(strings.Repeat(marker+" ", 250)))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	u, err := m.Begin("LONG")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = u.Put(ctx, "A", text(marker)); err == nil {
		err = u.Prepare(ctx, nil)
	}
	if err == nil && suspend {
		err = m.Suspend(ctx)
	} else if err == nil {
		err = m.End(ctx, EndOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// files lists the files below a folder.
func files(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func holdsBodies(name string) bool {
	return strings.HasSuffix(name, ".JRNRCV") || strings.HasPrefix(filepath.Base(name), "queue-")
}

// Issue 3: only receivers and queue files contain message bodies.
func TestBodiesAreNowhereElse(t *testing.T) {
	for _, suspend := range []bool{false, true} {
		root := t.TempDir()
		onFolder(t, root, suspend)
		found := 0
		for _, name := range files(t, root) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case !bytes.Contains(content, []byte(marker)):
			case holdsBodies(name):
				found++
			default:
				t.Errorf("%s contains message bodies", name)
			}
		}
		if found < 3 {
			t.Errorf("only %d files contain message bodies", found)
		}
	}
}

// Issue 3: after a clean end and a delete of any other file, restart works
// with every message or says what is missing.
func TestAnyOtherFileDeleted(t *testing.T) {
	root := t.TempDir()
	onFolder(t, root, false)
	all := slices.DeleteFunc(files(t, root), holdsBodies)
	if len(all) < 6 {
		t.Fatalf("only %q", all)
	}
	works := 0
	for _, name := range all {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(root)); err != nil {
			t.Fatal(err)
		}
		n, err := restartIn(t, copied)
		switch {
		case err == nil && n == 20:
			works++
		case err == nil:
			t.Errorf("without %s: started with %d messages", name, n)
		case !strings.Contains(err.Error(), filepath.Base(name)):
			t.Errorf("without %s: %v", name, err)
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("of %d files, %d are not needed for a restart", len(all), works)
}

// restartIn starts the queue manager of a folder and counts the messages.
func restartIn(t *testing.T, root string) (int, error) {
	c := &clock{now: time.Date(2026, 5, 29, 2, 0, 0, 0, time.UTC)}
	sys, err := os400.Open(os400.Options{Disk: disk.At(root), Now: c.read})
	if err != nil {
		return 0, err
	}
	m, err := Open(sys, "TEST")
	if err != nil {
		return 0, err
	}
	if _, err := m.Start(t.Context()); err != nil {
		return 0, err
	}
	depth := 0
	for _, q := range m.Queues() {
		depth += q.Depth
	}
	return depth, m.End(t.Context(), EndOptions{})
}
