package connect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// The name is the same each time, and another where anything is another, also
// where only the border between two names moved.
func TestSaveFileNames(t *testing.T) {
	seen := map[string]recovery.SegmentID{}
	for _, id := range []recovery.SegmentID{
		{QueueManager: "ORDERS", Library: "QMORDERS", Name: "AMQA000004"}, {QueueManager: "ORDERS", Library: "QMORDERS", Name: "AMQA000005"},
		{QueueManager: "PAY", Library: "QMORDERS", Name: "AMQA000004"}, {QueueManager: "ORDERS", Library: "QMPAY", Name: "AMQA000004"},
		{QueueManager: "A", Library: "BC", Name: "D"}, {QueueManager: "AB", Library: "C", Name: "D"}, {QueueManager: "A", Library: "B", Name: "CD"},
	} {
		name := saveFileName(id)
		if other, twice := seen[name]; twice || !ownSaveFile.MatchString(name) || cl.CheckName(name) != nil || saveFileName(id) != name {
			t.Errorf("%s of %v, also of %v", name, id, other)
		}
		seen[name] = id
	}
}

func TestSaveFileTexts(t *testing.T) {
	for _, test := range []struct {
		id   recovery.SegmentID
		want string
	}{
		{rcv("ORDERS", 4), "mqhk: QMORDERS/AMQA000004 of ORDERS"},
		{recovery.SegmentID{QueueManager: strings.Repeat("long.name/", 5)[:48], Library: "QMLONG.NAM", Name: "AMQA000004"}, "mqhk: QMLONG.NAM/AMQA000004 of long.name/long.name"},
	} {
		s, err := savesOf(test.id, vault)
		if err != nil {
			t.Fatal(err)
		}
		read, err := cl.Parse(s.create.Text)
		text, _ := read.Get("TEXT")
		if err != nil || text.Text != test.want {
			t.Errorf("%s: %v, want %q", s.create.Text, err, test.want)
		}
		if class, _, err := observe.Classify(observe.CL, s.create.Text); class != observe.Change || err != nil {
			t.Errorf("%s: %s, %v", s.create.Text, class, err)
		}
	}
}

// shelf is a system with save files, on which a command fails now and then.
type shelf struct {
	t     *rapid.T
	files map[string]bool
	fails []bool // what becomes of the next commands; then all succeed
}

func (s *shelf) next() bool {
	if len(s.fails) == 0 {
		return false
	}
	failed := s.fails[0]
	s.fails = s.fails[1:]
	return failed
}

func (s *shelf) send(_ context.Context, c plugins.Command) (observe.Answer, error) {
	command, err := cl.Parse(c.Text)
	if err != nil {
		s.t.Fatalf("%q: %v", c.Text, err)
	}
	if s.next() {
		return observe.Answer{}, errors.New("the connection is gone")
	}
	file, _ := command.Get("FILE")
	switch there := s.files[file.Text]; {
	case command.Name == "CRTSAVF" && there:
		return observe.Answer{}, &MessageError{ID: "CPF7010", What: c.Text}
	case command.Name == "CRTSAVF":
		s.files[file.Text] = true
	case command.Name == "DLTF" && !there:
		return observe.Answer{}, &MessageError{ID: "CPF2105", What: c.Text}
	case command.Name == "DLTF":
		delete(s.files, file.Text)
	}
	return observe.Answer{}, nil
}

func (s *shelf) sendLater(ctx context.Context, c plugins.Command) (observe.Answer, error) {
	return s.send(ctx, c)
}
func (s *shelf) force(context.Context) error { return nil }
func (s *shelf) fetch(_ context.Context, _ string, _ cl.Qualified) (io.ReadCloser, int64, error) {
	if s.next() {
		return nil, 0, errors.New("the connection is gone")
	}
	return io.NopCloser(bytes.NewReader(nil)), 0, nil
}

func (s *shelf) put(_ context.Context, _ string, file cl.Qualified, _ io.Reader) error {
	if !s.files[file.String()] || s.next() {
		return errors.New("the connection is gone")
	}
	return nil
}
func (s *shelf) associate(context.Context, string) error { return nil }
func (s *shelf) log() string                             { return "" }
func (s *shelf) Close() error                            { return nil }

// No save file of another name than the one that is a receiver's own is ever
// deleted, whatever is saved, restored and discarded, and whatever fails on the
// way. What was left is in the way of nothing.
func TestNoOtherSaveFileGoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.StringMatching(`AMQA00000[0-9]|MQHK[A-Z2-7]{6}|[A-Z$#@][A-Z0-9_]{0,9}`)
		libraries := rapid.SampledFrom([]string{"MQVAULT", "QGPL"})
		ids := rapid.Custom(func(t *rapid.T) recovery.SegmentID {
			return recovery.SegmentID{QueueManager: rapid.SampledFrom([]string{"ORDERS", "PAY"}).Draw(t, "queue manager"),
				Library: rapid.SampledFrom([]string{"QMORDERS", "QMPAY"}).Draw(t, "library"), Name: names.Draw(t, "receiver")}
		})
		own, sites := map[string]bool{}, map[string]bool{}
		all := rapid.SliceOfN(ids, 1, 4).Draw(t, "receivers")
		for _, id := range all {
			own["MQVAULT/"+saveFileName(id)], own["QGPL/"+saveFileName(id)] = true, true
		}
		draw := append(rapid.SliceOfN(names, 0, 6).Draw(t, "files"), all[0].Name)
		for _, name := range draw {
			if file := libraries.Draw(t, "of the site in") + "/" + name; !own[file] || !ownSaveFile.MatchString(name) {
				sites[file] = true
			}
		}
		s := &shelf{t: t, files: maps.Clone(sites)}
		w := newIBMi(s)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			id, store := rapid.SampledFrom(all).Draw(t, "receiver"), Store{Kind: "savf", Library: libraries.Draw(t, "store")}
			s.fails = rapid.SliceOfN(rapid.Bool(), 0, 5).Draw(t, "fails")
			step(w, id, store, rapid.IntRange(0, 3).Draw(t, "what"))
			for file := range sites {
				if !s.files[file] {
					t.Fatalf("%s is gone", file)
				}
			}
		}
		s.fails = nil
		for _, id := range all {
			for _, library := range []string{"MQVAULT", "QGPL"} {
				if err := step(w, id, Store{Kind: "savf", Library: library}, 0); err != nil {
					t.Fatalf("what was left is in the way: %v", err)
				}
			}
		}
		if !maps.Equal(s.files, sites) {
			t.Fatalf("left: %v", slices.Sorted(maps.Keys(s.files)))
		}
	})
}

// step saves and closes, saves and dies, restores or discards.
func step(w *ibmi, id recovery.SegmentID, store Store, what int) error {
	ctx := context.Background()
	switch what {
	case 2:
		_, err := w.Restore(ctx, recovery.Copy{Segment: id}, store, strings.NewReader(""))
		return err
	case 3:
		return w.Discard(ctx, id, store)
	}
	content, err := w.Save(ctx, id, store)
	if err != nil || what == 1 {
		return err
	}
	return content.Close()
}
