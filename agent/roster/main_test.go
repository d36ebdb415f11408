//go:build unix

package roster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/policies"
)

// TestMain lets the test binary be a plugin, by its name or where a script calls
// it as one; and another process that locks one.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "serve" {
		serve.Plugin(fake{os.Args[2], os.Args[3]})
		return
	}
	if name, ok := nameOf(filepath.Base(os.Args[0])); ok {
		serve.Plugin(fake{name, "2.0.0"})
		return
	}
	if len(os.Args) == 4 && os.Args[1] == "lock" {
		r := &Roster{Config: os.Args[2], Settings: policies.PluginSettings{Directory: os.Args[2]}}
		if _, err := r.Lock(context.Background(), Locking{What: os.Args[3]}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// fake is a plugin of somebody else.
type fake struct{ name, version string }

func (f fake) Describe() plugins.Description {
	return plugins.Description{Name: f.name, Version: f.version, Doc: "Does nothing."}
}

func (f fake) Plan(context.Context, plugins.Request, plugins.Host) (plugins.Plan, error) {
	return plugins.Plan{}, nil
}

// site is a configuration directory and one of plugins.
type site struct {
	*testing.T
	*Roster
}

// newSite makes both; the built-in plugin is journal.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t, &Roster{
		Builtins: []string{"journal"}, Config: filepath.Join(t.TempDir(), "mqhk.d"),
		Settings: policies.PluginSettings{Directory: filepath.Join(t.TempDir(), "plugins")},
	}}
	s.must(os.Mkdir(s.Config, 0o755))
	s.must(os.Mkdir(s.Settings.Directory, 0o755))
	return s
}

func (s *site) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// path is the file of a plugin.
func (s *site) path(name string) string { return filepath.Join(s.Settings.Directory, prefix+name) }

// script writes a plugin that is a script of the shell; with lines of its own
// before it serves.
func (s *site) script(name, version string, lines ...string) string {
	s.Helper()
	s.writeScript(s.path(name), name, version, lines...)
	return s.path(name)
}

// writeScript puts the file in its place as a whole: it may be about to be
// started.
func (s *site) writeScript(path, name, version string, lines ...string) {
	s.Helper()
	self, err := os.Executable()
	s.must(err)
	text := fmt.Sprintf("#!/bin/sh\n%s\nexec '%s' serve '%s' '%s'\n", strings.Join(lines, "\n"), self, name, version)
	s.must(os.WriteFile(path+".new", []byte(text), 0o755))
	s.must(os.Rename(path+".new", path))
}

// binary puts a program in the place of a plugin's file.
func (s *site) binary(name string) string {
	s.Helper()
	self, err := os.Executable()
	s.must(err)
	from, err := os.Open(self)
	s.must(err)
	defer from.Close()
	to, err := os.OpenFile(s.path(name), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	s.must(err)
	_, err = io.Copy(to, from)
	s.must(errors.Join(err, to.Close()))
	return s.path(name)
}

// lockIt locks a plugin, which has to succeed.
func (s *site) lockIt(l Locking) Change {
	s.Helper()
	c, err := s.Lock(s.Context(), l)
	s.must(err)
	return c
}

// lockText is the lock file as it is; empty: there is none.
func (s *site) lockText() string {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.Config, policies.LockName))
	if !errors.Is(err, os.ErrNotExist) {
		s.must(err)
	}
	return string(text)
}

// starts starts a plugin and ends it, and gives what kept it from starting.
func (s *site) starts(name string) error {
	process, err := s.Start(s.Context(), name, nil)
	if err != nil {
		return err
	}
	return process.Stop()
}

// refused checks that an error is a refusal in a state.
func (s *site) refused(err error, want State) *RefusedError {
	s.Helper()
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.State != want {
		s.Fatalf("got %v, want a refusal: %s", err, want)
	}
	return refused
}

// state gives how a plugin stands in the list.
func (s *site) state(name string) Entry {
	s.Helper()
	list, err := s.List()
	s.must(err)
	for _, e := range list {
		if e.Name == name {
			return e
		}
	}
	s.Fatalf("%q is not in the list %v", name, list)
	return Entry{}
}
