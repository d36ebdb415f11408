package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const archiveWord = "site-archive-for-test"

// siteArchive is the site's own archive: a folder of files. WAY DIR KEY
// [SHA256], where the way says how it behaves.
func siteArchive(arguments []string) int {
	way, file := arguments[0], filepath.Join(arguments[1], arguments[2])
	content, err := []byte(nil), error(nil)
	switch way {
	case "archive":
		if content, err = io.ReadAll(os.Stdin); err == nil {
			err = os.WriteFile(file, content, 0o600)
		}
	case "verify":
		if content, err = os.ReadFile(file); err == nil && digestOf(content) != arguments[3] {
			err = errors.New("it has another content")
		}
	case "restore":
		if content, err = os.ReadFile(file); err == nil {
			_, err = os.Stdout.Write(content)
		}
	case "half":
		_, err = io.ReadFull(os.Stdin, make([]byte, 10))
	case "noise":
		_, err = os.Stdout.Write(bytes.Repeat([]byte("noise "), 1<<20))
		err = errors.Join(err, errors.New("no space"))
	case "wait":
		time.Sleep(time.Hour)
	case "environment":
		err = fmt.Errorf("%q", os.Environ())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

// newCommand gives a store whose archive behaves in such ways.
func newCommand(t *testing.T, archive, verify, restore string, change ...func(*CommandSettings)) (*Command, string) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := CommandSettings{
		Name: "tsm", Path: filepath.Join(t.TempDir(), "manifests"), Now: clock,
		Archive: []string{binary, archiveWord, archive, dir, "{key}"},
		Verify:  []string{binary, archiveWord, verify, dir, "{key}", "{sha256}"},
		Restore: []string{binary, archiveWord, restore, dir, "{key}"},
	}
	for _, c := range change {
		c(&s)
	}
	store, err := NewCommand(s)
	if err != nil {
		t.Fatal(err)
	}
	return store, dir
}

func TestCommand(t *testing.T) {
	s, dir := newCommand(t, "archive", "verify", "restore")
	content := someBytes(8, 1<<16)
	c := put(t, s, receiver("AMQA000007"), facts(), content)
	if again := put(t, s, receiver("AMQA000007"), facts(), content); again != c || one(t, s) != c {
		t.Errorf("%+v and %+v", again, c)
	}
	if err := s.Verify(t.Context(), c); err != nil {
		t.Error(err)
	}
	if got, err := restored(s, c); err != nil || !bytes.Equal(got, content) {
		t.Errorf("restored %d bytes, %v", len(got), err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	edit(t, files[0], flip)
	_, err = restored(s, c)
	is(t, err, ErrDamaged)
	is(t, s.Verify(t.Context(), c), ErrDamaged)
	if one(t, s).Verified {
		t.Error("listed as verified")
	}
	put(t, s, receiver("AMQA000007"), facts(), content)
	if !one(t, s).Verified {
		t.Error("put again, and not verified")
	}
}

func TestCommandThatFails(t *testing.T) {
	for _, test := range []struct {
		archive, verify, want string
	}{
		{"half", "verify", "before it had read all"},
		{"noise", "verify", "exit status 3"},
		{"none", "verify", "damaged"}, // says that it is done, and has not read
		{"archive", "noise", "damaged"},
		{"environment", "verify", "exit status 3"},
	} {
		s, _ := newCommand(t, test.archive, test.verify, "restore")
		_, err := s.Put(t.Context(), receiver("AMQA000007"), facts(), bytes.NewReader(make([]byte, 4<<20)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %.300v, want %q", test.archive, err, test.want)
		}
		if len(fmt.Sprint(err)) > 2*mostOutput+1000 {
			t.Errorf("%s: an error of %d bytes", test.archive, len(err.Error()))
		}
		if copies, problems := listed(s, ""); len(copies)+len(problems) != 0 {
			t.Errorf("%s: %+v, %v", test.archive, copies, problems)
		}
	}
}

func TestCommandThatDoesNotEnd(t *testing.T) {
	short := func(s *CommandSettings) { s.Timeout = 50 * time.Millisecond }
	s, _ := newCommand(t, "wait", "wait", "wait", short)
	_, err := s.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("content"))
	is(t, err, context.DeadlineExceeded)
	k := s.kept.(keptElsewhere)
	err = k.compare(t.Context(), whole(t), false)
	if is(t, err, context.DeadlineExceeded); errors.Is(err, ErrDamaged) {
		t.Errorf("nobody knows: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	k.settings.Timeout = time.Hour
	content, err := k.open(ctx, whole(t))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, err = content.Read(make([]byte, 1))
	is(t, err, context.Canceled)
	if err := content.Close(); err != nil {
		t.Error(err)
	}
}

func TestRestoreThatIsNotReadToItsEnd(t *testing.T) {
	s, _ := newCommand(t, "archive", "verify", "restore")
	c := put(t, s, receiver("AMQA000007"), facts(), make([]byte, 4<<20))
	content, err := s.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(content, make([]byte, 10)); err != nil {
		t.Error(err)
	}
	if err := content.Close(); err != nil {
		t.Error(err)
	}
}

func TestCommandHasACleanEnvironment(t *testing.T) {
	t.Setenv("DB_PASSWORD", "swordfish")
	t.Setenv("DSM_DIR", "dsm")
	s, _ := newCommand(t, "environment", "verify", "restore", func(s *CommandSettings) { s.Env = []string{"DSM_DIR"} })
	_, err := s.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("content"))
	if text := fmt.Sprint(err); strings.Contains(text, "swordfish") || !strings.Contains(text, "DSM_DIR=dsm") {
		t.Error(text)
	}
}

func TestArguments(t *testing.T) {
	absolute := filepath.Join(t.TempDir(), "dsmc")
	for _, bad := range [][]string{nil, {"dsmc"}, {absolute, "{size}"}, {absolute, "{sha256}"}, {absolute, "a\x00b"}} {
		if checkArguments("archive", bad, placesBefore) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	m := whole(t)
	got, err := fill([]string{absolute, "--name={queue_manager}/{library}/{segment}", "-x", "{sha256}:{bytes}", "$({key})"}, m)
	want := []string{absolute, "--name=ORDERS/QMORDERS/AMQA000007", "-x", m.SHA256 + ":102821888", "$(ORDERS." + m.identity().stem() + ")"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	m.Segment = "-rf"
	_, err = fill([]string{absolute, "{segment}"}, m)
	is(t, err, ErrSegment)
	for _, s := range []CommandSettings{{}, {Name: "x", Path: "y"}} {
		if _, err := NewCommand(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}
