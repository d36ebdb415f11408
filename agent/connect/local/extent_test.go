package local

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

func TestSavedRemovedRestored(t *testing.T) {
	both(t, case18(), func(t *testing.T, s *station) {
		want, err := os.ReadFile(s.path(105))
		s.must(err)
		s.must(os.Chmod(s.path(106), 0o640))
		w := s.gated()
		store := connect.Store{Kind: "directory"}
		content, err := w.Save(t.Context(), s.id(105), store)
		s.must(err)
		saved, err := io.ReadAll(content)
		s.must(errors.Join(err, content.Close()))
		if !bytes.Equal(saved, want) || content.Bytes != int64(len(want)) || content.Origin != s.path(105) || content.SaveFile {
			t.Errorf("%d bytes of %d, %+v", len(saved), len(want), content)
		}
		copied := recovery.Copy{Segment: s.id(105), Bytes: int64(len(want))}
		if _, err := w.Restore(t.Context(), copied, store, bytes.NewReader(saved)); !errors.Is(err, connect.ErrThere) {
			t.Errorf("over one that is there: %v", err)
		}
		if _, state, err := w.Remove(t.Context(), s.removal(105)); state != plugins.Done {
			t.Fatal(err)
		}
		leftover := filepath.Join(s.log, part("S0000105.LOG"))
		s.must(os.WriteFile(leftover, []byte("of a restore that was cut short"), 0o600))
		s.change(func(m *standin.Manager) { m.Ended = true }) // a restart needs it
		if _, err := w.Restore(t.Context(), copied, store, bytes.NewReader(saved)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(s.path(105))
		s.must(err)
		info, err := os.Stat(s.path(105))
		s.must(err)
		if !bytes.Equal(got, want) || info.Mode().Perm() != 0o640 && info.Mode().Perm() != 0o660 {
			t.Errorf("%d bytes, mode %s", len(got), info.Mode())
		}
		if _, err := os.Stat(leftover); !errors.Is(err, os.ErrNotExist) {
			t.Error("a part was left")
		}
	})
}

// A copy that is not like its neighbours, or is damaged, leaves nothing.
func TestRestoreLeavesNothing(t *testing.T) {
	both(t, case18(), func(t *testing.T, s *station) {
		s.must(os.Remove(s.path(105)))
		before := s.names()
		damaged := errors.New("the copy is damaged")
		whole := bytes.Repeat([]byte("x"), 65536)
		log := s.folder()
		for what, test := range map[string]struct {
			bytes   int64
			content io.Reader
			want    string
		}{
			"short":              {65536, strings.NewReader("x"), "65536 bytes"},
			"long":               {65536, bytes.NewReader(append(whole, 'x')), "65536 bytes"},
			"of another size":    {65535, bytes.NewReader(whole[1:]), "neighbour"},
			"damaged at its end": {65536, io.MultiReader(bytes.NewReader(whole), failing{damaged}), damaged.Error()},
		} {
			if err := log.restore(t.Context(), "S0000105.LOG", "S0000104.LOG", test.bytes, test.content); !contains(err, test.want) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if after := s.names(); !slices.Equal(before, after) {
			t.Errorf("left: %q", after)
		}
	})
}

// What is none of the log's complete extents is not restored, and a failure of
// the folder is one of the writer.
func TestRestoreRefuses(t *testing.T) {
	s := newStation(t, case18())
	s.must(os.Remove(s.path(105)))
	before := s.names()
	w := s.gated()
	for what, test := range map[string]struct {
		id   recovery.SegmentID
		want string
	}{
		"the current one":     {s.id(130), "CURRLOG"},
		"no extent":           {recovery.SegmentID{QueueManager: s.name, Name: "x"}, "no name of a log extent"},
		"of another manager":  {recovery.SegmentID{QueueManager: "QM2", Name: "S0000105.LOG"}, "another target"},
		"for reuse, not ours": {recovery.SegmentID{QueueManager: s.name, Name: "R0000105.LOG"}, "reuse"},
		"of another size":     {s.id(105), "neighbour"},
	} {
		_, err := w.Restore(t.Context(), recovery.Copy{Segment: test.id, Bytes: 100}, connect.Store{}, bytes.NewReader(make([]byte, 100)))
		if !contains(err, test.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after := s.names(); !slices.Equal(before, after) {
		t.Errorf("left: %q", after)
	}
}

// What a process gets of a source that does not end well is not all of it.
func TestProofread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 1, 100_000).Draw(t, "content")
		source := iotest.DataErrReader(bytes.NewReader(content))
		if rapid.Bool().Draw(t, "small") {
			source = iotest.HalfReader(source)
		}
		got, err := io.ReadAll(&proofread{from: source})
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(content), err)
		}
		broken := errors.New("broken")
		got, err = io.ReadAll(&proofread{from: io.MultiReader(bytes.NewReader(content), failing{broken})})
		if !errors.Is(err, broken) || len(got) >= len(content) || !bytes.HasPrefix(content, got) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(content), err)
		}
	})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A file that changes while it is read is no copy.
func TestSaveNoticesChanges(t *testing.T) {
	changes := map[string]func(string) error{
		"written": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("y"), 1<<20), 0o600) },
		"longer":  func(path string) error { return os.Truncate(path, 2<<20) },
		"shorter": func(path string) error { return os.Truncate(path, 100) },
		"gone":    os.Remove,
		"replaced": func(path string) error {
			info, err := os.Stat(path)
			return errors.Join(err, os.Rename(path, path+".old"), os.WriteFile(path, bytes.Repeat([]byte("x"), 1<<20), 0o600), os.Chtimes(path, time.Time{}, info.ModTime()))
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			manager := case18()
			manager.Bytes = 1 << 20
			both(t, manager, func(t *testing.T, s *station) {
				content, err := s.folder().save(t.Context(), "S0000100.LOG")
				s.must(err)
				_, err = io.ReadFull(content, make([]byte, 1000))
				s.must(err)
				s.must(change(s.path(100)))
				_, err = io.Copy(io.Discard, content)
				if !errors.Is(err, ErrChanged) && (name != "gone" || err == nil) {
					t.Errorf("%v", err)
				}
				s.must(content.Close())
			})
		})
	}
	s := newStation(t, case18())
	if _, err := s.writer().Save(t.Context(), s.id(130), connect.Store{}); !contains(err, "CURRLOG") {
		t.Errorf("the current one: %v", err)
	}
}

// Discard takes away what a restore left, and nothing else.
func TestDiscard(t *testing.T) {
	both(t, case18(), func(t *testing.T, s *station) {
		before := s.names()
		w := s.gated()
		s.must(os.WriteFile(filepath.Join(s.log, part("S0000100.LOG")), nil, 0o600))
		for range 2 {
			s.must(w.Discard(t.Context(), s.id(100), connect.Store{}))
		}
		if after := s.names(); !slices.Equal(before, after) {
			t.Errorf("left: %q", after)
		}
		if err := w.Discard(t.Context(), recovery.SegmentID{QueueManager: s.name, Name: "../x"}, connect.Store{}); err == nil {
			t.Error("a path")
		}
	})
}
