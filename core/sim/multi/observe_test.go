package multi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// asked answers questions as connection local does: commands by the host, files
// as they are.
type asked struct{ *machine }

func (a asked) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if q.Language.OfHost() {
		return observe.Answer{}, nil
	}
	body, err := a.answer(ctx, q)
	if errors.Is(err, fs.ErrNotExist) {
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	}
	if err != nil {
		return observe.Answer{}, &observe.Failed{Question: q, Body: []byte(err.Error())}
	}
	return observe.Answer{Body: body, At: a.now}, nil
}

func (a asked) answer(_ context.Context, q observe.Question) ([]byte, error) {
	argv, stdin := []string{"runmqsc", q.QueueManager}, q.Text+"\nend\n"
	switch q.Language {
	case observe.MQSC:
	case observe.CTL:
		words, err := observe.ControlWords(q.Text)
		if err != nil {
			return nil, err
		}
		argv, stdin = words, ""
	case observe.File:
		return os.ReadFile(strings.Replace(q.Text, "/var/mqm/mqs.ini", a.root+"/var/mqm/mqs.ini", 1))
	case observe.LogDir:
		return listing(q.Text)
	default:
		return nil, fs.ErrNotExist
	}
	r := a.run(stdin, argv...)
	if r.Code != 0 && r.Code != 10 {
		return nil, fmt.Errorf("exit code %d: %s%s", r.Code, r.Out, r.Err)
	}
	return r.Out, nil
}

func listing(folder string) ([]byte, error) {
	entries, err := os.ReadDir(folder)
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q %d %s mqm -rw-rw----\n", e.Name(), info.Size(), info.ModTime().Format(time.RFC3339Nano))
	}
	return []byte(b.String()), err
}

// What package observe reads from a host by its commands and files is what the
// host has: type, management, where the log is, whether it runs, and the marks.
func TestReadExtents(t *testing.T) {
	for flag, want := range map[string]observe.LogManagement{"-ll": observe.Manual, "-lla": observe.Automatic, "-lln": observe.Archiving} {
		m := newMachine(t, Settings{})
		m.well("crtmqm", flag, "-lf", "64", "-lp", "8", "QM1")
		m.well("strmqm", "QM1")
		m.mqsc("DEFINE QLOCAL(Q)")
		m.put("Q", numbered(0, 100)...)
		m.well("rcdmqimg", "-m", "QM1", "-t", "all", "*")
		m.put("Q", numbered(100, 150)...)
		facts, err := observe.ReadExtents(t.Context(), asked{m}, observe.Target{Name: "QM1", Platform: observe.Multiplatforms, Zone: "Europe/Berlin"})
		m.must(err)
		restart, media := m.marks()
		log := facts.Log
		if log.Type != observe.Linear || log.Management != want || log.Host != observe.HostRunning || log.NotHere != "" ||
			log.Restart != restart || log.Media != media || log.Primary != 8 || log.Directory != path.Dir(filepath.ToSlash(m.extent("x"))) {
			t.Errorf("%s: %+v, wanted %s and %s", flag, log, restart, media)
		}
		for _, f := range facts.Inventory.Open {
			if f.Severity == finding.Critical && (want == observe.Manual) {
				t.Errorf("%s: %s %s", flag, f.Code, f.Text)
			}
		}
		if len(facts.Inventory.Segments) < 4 {
			t.Errorf("%s: %d segments", flag, len(facts.Inventory.Segments))
		}
		m.well("endmqm", "-i", "QM1")
		if facts, err = observe.ReadExtents(t.Context(), asked{m}, observe.Target{Name: "QM1", Platform: observe.Multiplatforms, Zone: "Europe/Berlin"}); err != nil || facts.Log.Host != observe.HostEnded {
			t.Errorf("ended: %v, %v", facts.Log.Host, err)
		}
	}
	circular := ready(t, extents.Circular)
	facts, err := observe.ReadExtents(t.Context(), asked{circular}, observe.Target{Name: "QM1", Platform: observe.Multiplatforms, Zone: "Europe/Berlin"})
	if err != nil || facts.Log.Type != observe.Circular || len(facts.Inventory.Segments) != 0 {
		t.Errorf("%+v, %v", facts.Log, err)
	}
}
