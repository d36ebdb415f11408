package qmgr

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Reference, IBM i 1.1.
func TestLibraryAndDirectory(t *testing.T) {
	for _, c := range []struct{ name, library, directory string }{
		{"TEST", "QMTEST", "TEST"},
		{"saturn.queue.manager", "QMSATURN.Q", "saturn!queue!manager"},
		{"pluto.queue.manager", "QMPLUTO.QU", "pluto!queue!manager"},
		{"a/b%c", "QMA_B_C", "a&b%c"},
	} {
		none := func(string) bool { return false }
		if got := libraryFor(c.name, none); got != c.library {
			t.Errorf("library of %s: %s, want %s", c.name, got, c.library)
		}
		if got := directoryFor(c.name, none); got != c.directory {
			t.Errorf("directory of %s: %s, want %s", c.name, got, c.directory)
		}
	}
}

func TestTakenNames(t *testing.T) {
	taken := map[string]bool{"QMSATURN.Q": true, "QMSATURN.1": true, "QMTEST": true, "TEST": true, "TEST.000": true}
	is := func(name string) bool { return taken[name] }
	for got, want := range map[string]string{
		libraryFor("saturn.queue", is): "QMSATURN.2",
		libraryFor("TEST", is):         "QMTEST1",
		directoryFor("TEST", is):       "TEST.001",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNamesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taken := map[string]bool{}
		for range rapid.IntRange(1, 30).Draw(t, "managers") {
			name := rapid.StringMatching(`[A-Za-z0-9./_%]{1,48}`).Draw(t, "name")
			if err := checkName(name); err != nil {
				t.Fatal(err)
			}
			library := libraryFor(name, func(l string) bool { return taken[l] })
			if taken[library] || len(library) > 10 || strings.Trim(library, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._") != "" {
				t.Fatalf("library %q of %q", library, name)
			}
			taken[library] = true
		}
	})
}

func TestNoNames(t *testing.T) {
	for _, name := range []string{"", "A B", "A!", "\u00c4", strings.Repeat("A", 49)} {
		if err := checkName(name); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
}

func TestJobNames(t *testing.T) {
	m := &Manager{spec: Spec{Name: "TEST"}}
	for application, want := range map[string]string{
		"payroll run": "PAYROLL_RU", "": "QMQJOB", "1.x": "X", "ORDERS": "ORDERS",
	} {
		if got := m.job(application, 7); !strings.HasSuffix(got, "/QUSER/"+want) || got[6] != '/' {
			t.Errorf("job of %q: %s", application, got)
		}
	}
	if got := m.job(program, 0); !strings.HasSuffix(got, "/QMQM/AMQALMPX") || got != m.job(program, 0) {
		t.Errorf("job of the queue manager: %s", got)
	}
}
