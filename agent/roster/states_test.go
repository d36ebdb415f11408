//go:build unix

package roster

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What keeps a plugin from being started, in every state that a file can be
// in. None of them is started, listed or not.
func TestStates(t *testing.T) {
	s := newSite(t)
	script := s.script("model", "1.0")
	outside := t.TempDir()
	for name, test := range map[string]struct {
		make func(path string) error
		want State
		why  string
	}{
		"journal": {func(p string) error { return os.Link(script, p) }, Shadows, "built-in"},
		"dir":     {func(p string) error { return os.Mkdir(p, 0o755) }, Broken, "not a regular file"},
		"flat":    {func(p string) error { return os.WriteFile(p, nil, 0o644) }, NotExecutable, "chmod +x"},
		"open":    {func(p string) error { return writeMode(p, 0o757) }, Writable, "every user may write"},
		"nowhere": {func(p string) error { return os.Symlink("gone", p) }, Broken, "leads nowhere"},
		"circle":  {func(p string) error { return os.Symlink(filepath.Base(p), p) }, Broken, ""},
		"linked":  {func(p string) error { return os.Symlink(script, p) }, NotLocked, "not in"},
		"led": {func(p string) error { // the file is sound, the directory that it lies in is everybody's
			target := filepath.Join(outside, "everybody")
			return errors.Join(os.Mkdir(target, 0o755), os.Chmod(target, os.ModeSticky|0o777), writeMode(filepath.Join(target, "x"), 0o755),
				os.Symlink(filepath.Join(target, "x"), p))
		}, Writable, "everybody"},
		"device":                   {func(p string) error { return os.Symlink("/dev/null", p) }, Broken, "not a regular file"},
		"Upper":                    {func(p string) error { return writeMode(p, 0o755) }, Broken, "lower-case"},
		"1st":                      {func(p string) error { return writeMode(p, 0o755) }, Broken, "begins with a letter"},
		"":                         {func(p string) error { return writeMode(p, 0o755) }, Broken, "not empty"},
		"a.sh":                     {func(p string) error { return writeMode(p, 0o755) }, Broken, "lower-case"},
		"a\x1b[2Jb\n\u202e":        {func(p string) error { return writeMode(p, 0o755) }, Broken, "lower-case"},
		"\xff":                     {func(p string) error { return writeMode(p, 0o755) }, Broken, "lower-case"},
		strings.Repeat("long", 20): {func(p string) error { return writeMode(p, 0o755) }, Broken, "at most 64"},
	} {
		s.must(test.make(s.path(name)))
		e := s.state(name)
		if e.State != test.want || !strings.Contains(e.Why, test.why) || e.Version != "" {
			t.Errorf("%q: %+v, want %s because of %q", name, e, test.want, test.why)
		}
		if strings.ContainsAny(e.Why, "\x1b\n\u202e") {
			t.Errorf("%q: the reason is not harmless: %q", name, e.Why)
		}
		if name == "journal" {
			continue // that name is the built-in one's
		}
		if err := s.starts(name); err == nil {
			t.Errorf("%q was started", name)
		}
		if _, err := s.Lock(t.Context(), Locking{What: name}); test.want != NotLocked {
			s.refused(err, e.State)
		}
	}
	if list, _ := s.List(); len(list) != 17 { // a file that is no plugin's is in no list
		t.Errorf("%d entries", len(list))
	}
}

// What this user can't read can't be hashed, and is not started.
func TestUnreadablePlugin(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	s := newSite(t)
	s.must(writeMode(s.path("fdc"), 0o111))
	if e := s.state("fdc"); e.State != Broken || e.SHA256 != "" {
		t.Errorf("listed as %+v", e)
	}
	s.refused(s.lockFails(Locking{What: "fdc"}), Broken)
}

func writeMode(path string, mode os.FileMode) error {
	return errors.Join(os.WriteFile(path, []byte("#!/bin/sh\n"), 0o600), os.Chmod(path, mode))
}
