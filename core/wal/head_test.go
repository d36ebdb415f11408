package wal_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A header tells the log, the place in it, and which segment it follows.
func TestReadHead(t *testing.T) {
	d := crashdisk.New()
	layout := func(name string) wal.Layout { return wal.Layout{Name: name, Size: 4096} }
	w, err := wal.Create(d, layout("a"), wal.ID{1}, 0, wal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(t.Context(), []byte("record")); err != nil {
		t.Fatal(err)
	}
	second := w.End()
	for _, name := range []string{"b", "c"} {
		if err := w.Rotate(t.Context(), layout(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := wal.Prepare(d, layout("d")); err != nil {
		t.Fatal(err)
	}
	if _, err := wal.Create(d, layout("other"), wal.ID{2}, 0, wal.Options{}); err != nil {
		t.Fatal(err)
	}
	heads := map[string]wal.Head{}
	for _, name := range []string{"a", "b", "c", "d", "other"} {
		if heads[name], err = wal.ReadHead(wal.From(d), name); err != nil {
			t.Fatal(err)
		}
	}
	if b := heads["b"]; b.Name != "b" || b.ID != (wal.ID{1}) || b.Start != second || b.Sequence != 1 {
		t.Errorf("%+v", b)
	}
	if d := heads["d"]; d.Start != 0 {
		t.Errorf("it was never begun: %+v", d)
	}
	for name, before := range map[string]string{"b": "a", "c": "b"} {
		for other, h := range heads {
			if got := heads[name].Follows(h); got != (other == before) {
				t.Errorf("%s follows %s: %v", name, other, got)
			}
		}
	}
	if heads["d"].Follows(heads["c"]) || heads["a"].Follows(heads["d"]) {
		t.Error("what was never begun follows nothing and nothing follows it")
	}
	if _, err := wal.ReadHead(wal.From(d), "none"); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, new(*wal.Damage)) {
		t.Errorf("missing: %v", err)
	}
}
