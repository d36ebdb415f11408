package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
)

// Every command of docs/multiplatforms.md does what the page says when it is
// followed word by word on a host whose commands of IBM MQ are stand-ins, from
// the configuration that it shows to the restore.
func TestMultiplatformsPage(t *testing.T) {
	endToEnd(t)
	t.Parallel()
	w := newWalk(t, "multiplatforms.md")
	h, err := standin.New(filepath.Join(w.dir, "machine"))
	if err != nil {
		t.Fatal(err)
	}
	w.bin = w.onHost(h)
	for _, m := range []standin.Manager{
		{Name: "QM1", First: 100, Current: 120, Restart: 112, Media: 108, Bytes: 16384},
		{Name: "QM2", Management: "Archive", First: 100, Current: 105, Restart: 104, Media: 103, Bytes: 16384},
	} {
		if _, err := h.Create(m); err != nil {
			t.Fatal(err)
		}
	}
	extents := func(name string, there bool, numbers ...string) {
		t.Helper()
		for _, number := range numbers {
			_, err := os.Stat(filepath.Join(h.Root, "log", name, "active", "S0000"+number+".LOG"))
			if (err == nil) != there {
				t.Errorf("%s: S0000%s.LOG is there: %v, want %v", name, number, err == nil, there)
			}
		}
	}
	w.before = map[string]func(){
		"mqhk run --policy extents --apply":      func() { extents("QM1", true, "100", "107") },
		"mqhk history --target QM1":              func() { extents("QM1", false, "100", "105"); extents("QM1", true, "106", "108") },
		"mqhk archive list QM1":                  func() { extents("QM1", false, "111"); extents("QM1", true, "112") },
		"mqhk archive list QM2":                  func() { extents("QM2", false, "100", "102"); extents("QM2", true, "103") },
		"mqhk archive restore QM1 --for restart": func() { extents("QM1", true, "108", "111") },
		"mqhk archive restore QM1 --for media":   func() { extents("QM1", false, "108", "111") },
		"sh qm1.sh":                              func() { extents("QM1", true, "108") },
	}
	w.follow(25)
	if _, err := os.Stat(filepath.Join(w.dir, "mqhk-QM1.mqt")); err != nil {
		t.Error(err)
	}
}

// onHost has the page's lines and files speak of a machine of stand-ins, and
// gives the folder of its commands. There is one file system, so the store says
// that it may be that of the log.
func (w *walk) onHost(h *standin.Host) string {
	w.t.Helper()
	for name, text := range map[string]string{"mqhk": "", "setmqenv": "#!/bin/sh\n"} {
		path := filepath.Join(h.Bin, name)
		var err error
		if text == "" {
			err = os.Symlink(filepath.Join(w.bin, name), path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o700)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	places := strings.NewReplacer(
		"/etc/mqhk", filepath.Join(w.dir, "etc", "mqhk"),
		"/var/lib/mqhk", filepath.Join(w.dir, "var", "lib", "mqhk"),
		". /opt/mqm/bin", ". '"+h.Bin+"'",
		"--queue-manager", "--data-root '"+h.Root+"' --queue-manager",
		"connection \"local\" {\n", "connection \"local\" {\n    data = \""+h.Root+"\"\n",
		"kind     = \"directory\"\n", "kind     = \"directory\"\n  same_filesystem = true\n",
	)
	w.here = func(text string) string {
		if command, ok := strings.CutPrefix(text, "mqhk "); ok && !strings.Contains(command, "--config") {
			text = "mqhk --config /etc/mqhk --state /var/lib/mqhk " + command // the page's alias
		}
		return places.Replace(text)
	}
	return h.Bin
}
