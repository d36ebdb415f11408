package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestPutAgainIsOneCopy(t *testing.T) {
	d := newStore(t)
	first := put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	f := facts()
	f.Opened, f.Run = "2026-05-27 12:20:00", "run-2" // the same, as another view of the system writes it
	if again := put(t, newStoreAt(t, d.path), receiver("AMQA000007"), f, []byte("content")); again != first {
		t.Errorf("got %+v, want %+v", again, first)
	}
	one(t, d)
	_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("another"))
	is(t, err, ErrDiffers)
	if got, err := restored(d, one(t, d)); string(got) != "content" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func newStoreAt(t *testing.T, path string) *Directory {
	return newStore(t, func(s *Settings) { s.Path = path })
}

// Names come again (case 5): the wrap of the number, a restore, an extent
// after ten millions (case 17).
func TestNamesComeAgain(t *testing.T) {
	d := newStore(t)
	later := facts()
	later.Opened, later.Closed = "2029-05-27-12.20.00.000000", "2029-05-27-13.59.00.000000"
	put(t, d, receiver("AMQA000007"), facts(), []byte("first"))
	put(t, d, receiver("AMQA000007"), later, []byte("second"))
	extent, wrapped := Facts{First: "1:0"}, Facts{First: "9:0"}
	put(t, d, receiver("S0000007.LOG"), extent, []byte("third"))
	put(t, d, receiver("S0000007.LOG"), wrapped, []byte("fourth"))
	copies, problems := listed(d, "ORDERS")
	if len(copies) != 4 || len(problems) != 0 {
		t.Fatalf("%+v, %v", copies, problems)
	}
	seen := map[string]bool{}
	for _, c := range copies {
		b, err := restored(d, c)
		if err != nil || seen[string(b)] {
			t.Errorf("%q, %v", b, err)
		}
		seen[string(b)] = true
	}
}

// No two saves of one receiver are alike: what is there counts.
func TestSaveFileIsNotCompared(t *testing.T) {
	d := newStore(t, func(s *Settings) { s.Form = SaveFile })
	f := facts()
	f.Origin = "MQSAVF/AMQA000007"
	first := put(t, d, receiver("AMQA000007"), f, []byte("saved on Monday"))
	if again := put(t, d, receiver("AMQA000007"), f, []byte("saved on Tuesday")); again != first {
		t.Errorf("%+v, want %+v", again, first)
	}
	for e := range d.Entries(t.Context(), "ORDERS") {
		if e.Manifest.Form != SaveFile || e.Manifest.Origin != f.Origin {
			t.Errorf("%+v", e.Manifest)
		}
	}
	if len(filesOf(t, d, "*.savf")) != 1 {
		t.Error("no save file is there")
	}
}

const putterWord = "put-for-test"

// putter is a process that saves a segment: PATH NAME CONTENT.
func putter(arguments []string) int {
	d, err := NewDirectory(Settings{Name: "vault", Path: arguments[0], SameFilesystem: true})
	if err == nil {
		content := bytes.Repeat([]byte(arguments[2]), 1<<18)
		_, err = d.Put(context.Background(), receiver(arguments[1]), facts(), bytes.NewReader(content))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestManyProcessesAtOnce(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "vault")
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			if out, err := exec.CommandContext(t.Context(), binary, putterWord, path, "AMQA000007", "content").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wait.Wait()
	d := newStoreAt(t, path)
	c := one(t, d)
	if err := d.Verify(t.Context(), c); err != nil || !c.Verified {
		t.Errorf("%+v, %v", c, err)
	}
	if got := filesOf(t, d, "*"); len(got) != 3 { // manifest, content, lock
		t.Errorf("left %v", got)
	}
}

func TestManyAtOnceInOneProcess(t *testing.T) {
	d := newStore(t)
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			name := fmt.Sprintf("AMQA%06d", i/2)
			if _, err := d.Put(t.Context(), receiver(name), facts(), strings.NewReader(name)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if copies, problems := listed(d, "ORDERS"); len(copies) != 6 || len(problems) != 0 {
		t.Errorf("%+v, %v", copies, problems)
	}
}
