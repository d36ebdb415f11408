package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// model is what a store should hold.
type model struct {
	files *crashdisk.Disk
	store *Directory
	kept  map[string]kept // by segment and attach time

	compress bool
}

type kept struct {
	copy    recovery.Copy
	content []byte
	damaged bool
	found   bool // the damage
}

func (m *model) put(t *rapid.T) {
	name := rapid.SampledFrom([]string{"AMQA000001", "AMQA000002", "amqa000001"}).Draw(t, "name")
	f := facts()
	f.Opened = fmt.Sprintf("2026-05-27-%02d.00.00.000000", rapid.IntRange(1, 2).Draw(t, "hour"))
	content := someBytes(uint64(rapid.IntRange(0, 1).Draw(t, "content")), 2000)
	key := name + f.Opened
	c, err := m.store.Put(t.Context(), receiver(name), f, bytes.NewReader(content))
	was, there := m.kept[key]
	if there && !was.damaged && !bytes.Equal(was.content, content) {
		mustBe(t, err, ErrDiffers)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	m.kept[key] = kept{copy: c, content: content}
}

// damage changes a byte of a content that the disk holds.
func (m *model) damage(t *rapid.T) {
	if len(m.kept) == 0 {
		t.Skip("nothing is there")
	}
	key := rapid.SampledFrom(slices.Sorted(maps.Keys(m.kept))).Draw(t, "which")
	k := m.kept[key]
	if k.damaged {
		t.Skip("it would be whole again")
	}
	manifest, err := m.store.find(identityOf(k.copy))
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.files.Contents(manifest.contentPath())
	if err != nil {
		t.Fatal(err)
	}
	m.files.Put(manifest.contentPath(), flip(b))
	k.damaged, k.found = true, false
	m.kept[key] = k
}

func (m *model) verify(t *rapid.T) {
	for _, key := range slices.Sorted(maps.Keys(m.kept)) {
		k := m.kept[key]
		err := m.store.Verify(t.Context(), k.copy)
		if k.damaged {
			mustBe(t, err, ErrDamaged)
		} else if err != nil {
			t.Fatal(err)
		}
		k.found = k.damaged
		m.kept[key] = k
	}
}

// remove takes a copy away, damaged or not.
func (m *model) remove(t *rapid.T) {
	if len(m.kept) == 0 {
		t.Skip("nothing is there")
	}
	key := rapid.SampledFrom(slices.Sorted(maps.Keys(m.kept))).Draw(t, "which")
	if err := m.store.Remove(t.Context(), m.kept[key].copy); err != nil {
		t.Fatal(err)
	}
	delete(m.kept, key)
}

// crash loses what is not durable: nothing of what the store said.
func (m *model) crash(t *rapid.T) {
	crashes(m.files, rapid.IntRange(0, 1000).Draw(t, "seed"))
	m.store = onDisk(m.files, m.compress)
}

// check compares the list with the model.
func (m *model) check(t *rapid.T) {
	copies, problems := listed(m.store, "ORDERS")
	if len(copies) != len(m.kept) || len(problems) != 0 {
		t.Fatalf("%d copies of %d, %v", len(copies), len(m.kept), problems)
	}
	for _, c := range copies {
		want := m.kept[c.Segment.Name+c.Opened]
		if c.Verified == want.found || c.SHA256 != digestOf(want.content) {
			t.Fatalf("%+v, want %+v", c, want)
		}
		got, err := restored(m.store, c)
		if want.damaged {
			mustBe(t, err, ErrDamaged)
		} else if err != nil || !bytes.Equal(got, want.content) {
			t.Fatalf("restored %d bytes, %v", len(got), err)
		}
	}
	if names, err := m.files.List("ORDERS.qm"); err != nil || len(names) != 2*len(m.kept) || strings.Contains(fmt.Sprint(names), partSuffix) {
		t.Fatalf("left %v, %v", names, err)
	}
}

func mustBe(t *rapid.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{files: crashdisk.New(), kept: map[string]kept{}, compress: rapid.Bool().Draw(t, "compress")}
		m.store = onDisk(m.files, m.compress)
		t.Repeat(map[string]func(*rapid.T){"put": m.put, "damage": m.damage, "verify": m.verify, "remove": m.remove, "crash": m.crash, "": m.check})
	})
}
