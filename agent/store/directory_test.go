package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/recovery"
)

func TestPutListVerifyOpen(t *testing.T) {
	for name, change := range map[string]func(*Settings){"as it is": func(*Settings) {}, "compressed": compressing} {
		for _, size := range []int{1, 511, blockSize, 3*blockSize + 7} {
			t.Run(name, func(t *testing.T) {
				d := newStore(t, change)
				content := someBytes(1, size)
				c := put(t, d, receiver("AMQA000007"), facts(), content)
				want := recovery.Copy{
					Segment: receiver("AMQA000007").ID, Store: "vault", Opened: facts().Opened, Closed: facts().Closed,
					From: "9120044", To: "9531915", Bytes: int64(size), SHA256: digestOf(content), Verified: true,
				}
				if diff := cmp.Diff(want, c); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(want, one(t, d)); diff != "" {
					t.Error(diff)
				}
				if err := d.Verify(t.Context(), c); err != nil {
					t.Error(err)
				}
				if got, err := restored(d, c); err != nil || !bytes.Equal(got, content) {
					t.Errorf("restored %d bytes, %v", len(got), err)
				}
			})
		}
	}
}

func TestEntriesCarryWhatTheManifestSays(t *testing.T) {
	d := newStore(t)
	put(t, d, receiver("AMQA000007"), facts(), []byte("x"))
	for e, err := range d.Entries(t.Context(), "") {
		if err != nil || e.Problem != nil {
			t.Fatal(err, e.Problem)
		}
		if diff := cmp.Diff(facts().Marks, e.Manifest.Marks); diff != "" || e.Manifest.Run != "run-1" || !e.Manifest.Made.Equal(made) {
			t.Errorf("%+v\n%s", e.Manifest, diff)
		}
	}
}

func TestOnlyTheOwnerCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	d := newStore(t)
	put(t, d, receiver("AMQA000007"), facts(), []byte("message"))
	err := filepath.Walk(d.path, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[info.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %04o", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(d.path, 0o750); err != nil { //nolint:gosec // what is tested
		t.Fatal(err)
	}
	_, err = d.Put(t.Context(), receiver("AMQA000008"), facts(), strings.NewReader("x"))
	is(t, err, ErrOpenToOthers)
	_, problems := listed(d, "ORDERS")
	is(t, errors.Join(problems...), ErrOpenToOthers)
}

func TestWhatIsNotTaken(t *testing.T) {
	change := func(f func(*recovery.Segment, *Facts)) func() (recovery.Segment, Facts, io.Reader) {
		return func() (recovery.Segment, Facts, io.Reader) {
			s, facts := receiver("AMQA000007"), facts()
			f(&s, &facts)
			return s, facts, strings.NewReader("content")
		}
	}
	broken := errors.New("broken")
	with := func(r io.Reader) func() (recovery.Segment, Facts, io.Reader) {
		return func() (recovery.Segment, Facts, io.Reader) { return receiver("AMQA000007"), facts(), r }
	}
	tests := map[string]struct {
		what func() (recovery.Segment, Facts, io.Reader)
		want error
	}{
		"attached":                  {change(func(s *recovery.Segment, _ *Facts) { s.State = recovery.Current }), ErrSegment},
		"perhaps attached":          {change(func(_ *recovery.Segment, f *Facts) { f.Closed = "" }), ErrSegment},
		"detached, never attached":  {change(func(_ *recovery.Segment, f *Facts) { f.Opened = "" }), ErrSegment},
		"no time":                   {change(func(_ *recovery.Segment, f *Facts) { f.Opened = "yesterday" }), ErrSegment},
		"no queue manager":          {change(func(s *recovery.Segment, _ *Facts) { s.ID.QueueManager = "" }), ErrSegment},
		"no name":                   {change(func(s *recovery.Segment, _ *Facts) { s.ID.Name = "" }), ErrSegment},
		"a zero byte":               {change(func(s *recovery.Segment, _ *Facts) { s.ID.Name = "A\x00B" }), ErrSegment},
		"not UTF-8":                 {change(func(s *recovery.Segment, _ *Facts) { s.ID.Library = "\xff" }), ErrSegment},
		"a long name":               {change(func(s *recovery.Segment, _ *Facts) { s.ID.Name = strings.Repeat("A", 256) }), ErrSegment},
		"another form":              {change(func(_ *recovery.Segment, f *Facts) { f.Form = "tape" }), ErrSegment},
		"not the length it has":     {change(func(_ *recovery.Segment, f *Facts) { f.Bytes = 8 }), ErrSegment},
		"empty":                     {with(strings.NewReader("")), ErrSegment},
		"a source that breaks":      {with(io.MultiReader(strings.NewReader("some"), iotest.ErrReader(broken))), broken},
		"a source that times out":   {with(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("some")))), iotest.ErrTimeout},
		"a log that is nowhere":     {change(func(_ *recovery.Segment, f *Facts) { f.Log = filepath.Join("no", "such", "log") }), os.ErrNotExist},
		"a log on the same device":  {change(func(_ *recovery.Segment, f *Facts) { f.Log = "." }), nil}, // decided below
		"a library of another case": {change(func(s *recovery.Segment, _ *Facts) { s.ID.Library = "qmorders" }), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := newStore(t, func(s *Settings) { s.SameFilesystem = test.want != os.ErrNotExist }) //nolint:errorlint // which case it is
			segment, facts, content := test.what()
			_, err := d.Put(t.Context(), segment, facts, content)
			is(t, err, test.want)
			if test.want == nil {
				return
			}
			if copies, problems := listed(d, ""); len(copies) != 0 || len(problems) != 0 {
				t.Errorf("listed %v, %v", copies, problems)
			}
			if left := filesOf(t, d, "*.*"); len(left) != 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestContextEndsAPut(t *testing.T) {
	d := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Put(ctx, receiver("AMQA000007"), facts(), strings.NewReader("x"))
	is(t, err, context.Canceled)
	c := put(t, d, receiver("AMQA000007"), facts(), []byte("x"))
	is(t, d.Verify(ctx, c), context.Canceled)
	if !one(t, d).Verified {
		t.Error("what was not read passes for damaged")
	}
}

func TestSameFilesystemIsRefused(t *testing.T) {
	strict := func(s *Settings) { s.SameFilesystem = false }
	d := newStore(t, strict)
	f := facts()
	f.Log = filepath.Dir(d.path)
	_, err := d.Put(t.Context(), receiver("AMQA000007"), f, strings.NewReader("x"))
	is(t, err, ErrSameFilesystem)
	if same, err := d.SharesFilesystem(f.Log); !same || err != nil {
		t.Errorf("%t, %v", same, err)
	}
	if _, err := os.Stat(d.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store was made: %v", err)
	}
	f.Log = "" // on another machine
	put(t, newStore(t, strict), receiver("AMQA000007"), f, []byte("x"))
	if runtime.GOOS == "linux" {
		f.Log = "/proc" // always a file system of its own
		put(t, newStore(t, strict), receiver("AMQA000007"), f, []byte("x"))
	}
}

func TestSettings(t *testing.T) {
	for _, s := range []Settings{{}, {Name: "vault"}, {Path: "x"}} {
		if _, err := NewDirectory(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}
