package connect

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/plugins"
)

// Targets of one estate are changed by one run at once, over one open estate,
// and readers see what the writers did. It is free when the last is closed.
func TestTargetsShareTheEstate(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	orders, err := s.gate.Writer(t.Context(), s.target("ORDERS"))
	s.must(err)
	reader, err := s.gate.Reader(t.Context(), s.target("ORDERS"))
	s.must(err)
	pay, err := s.gate.Writer(t.Context(), s.target("PAY"))
	s.must(err)
	for name, w := range map[string]Writer{"ORDERS": orders, "PAY": pay} {
		if _, state, err := w.Remove(t.Context(), Removal{Segment: rcv(name, 0), Unsaved: true}); state != plugins.Done {
			t.Errorf("%s: %s, %v", name, state, err)
		}
		if got := s.receivers(name); got != "1O 2O 3A" {
			t.Errorf("%s has %s", name, got)
		}
	}
	s.must(orders.Close())
	s.must(pay.Close())
	if _, err := reader.Ask(t.Context(), observe.Question{Language: observe.CL, QueueManager: "PAY", Text: "DSPJRNRCVA JRNRCV(QMPAY/AMQA000001)"}); err != nil {
		t.Error(err)
	}
	s.must(reader.Close())
	s.must(reader.Close())
	s.on(func(e *sim.Estate) {
		for _, m := range e.Status().Managers {
			if m.State != "RUNNING" || m.Receivers != 3 {
				t.Errorf("%+v", m)
			}
		}
	})
}

// Questions are answered while commands are carried out, by any number.
func TestAskWhileItIsChanged(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	var all sync.WaitGroup
	for name, w := range map[string]Writer{"ORDERS": s.writer("ORDERS"), "PAY": s.writer("PAY")} {
		all.Go(func() {
			for n := range 3 {
				if _, state, err := w.Remove(t.Context(), Removal{Segment: rcv(name, n), Unsaved: true}); state != plugins.Done {
					t.Errorf("%s: %s, %v", name, state, err)
				}
			}
		})
		all.Go(func() {
			r, err := s.gate.Reader(t.Context(), s.target(name))
			if err != nil {
				t.Error(err)
				return
			}
			for _, text := range []string{"QSYS2.JOURNAL_RECEIVER_INFO", "QSYS2.JOURNAL_INFO", "QSYS2.MESSAGE_QUEUE_INFO"} {
				if _, err := r.Ask(t.Context(), observe.Question{Language: observe.SQL, QueueManager: name, Text: text}); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
			if _, err := r.Ask(t.Context(), observe.Question{Language: observe.HoldOn, QueueManager: name}); err != nil {
				t.Error(err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Whoever has the estate open keeps a writer out, for the usual time and no
// longer; a reader of the same run is named.
func TestEstateInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStation(t, "ORDERS")
		other, err := sim.Open(t.Context(), s.dir)
		s.must(err)
		if _, err := s.gate.Writer(t.Context(), s.target("ORDERS")); !errors.Is(err, sim.ErrLocked) {
			t.Errorf("while another has it: %v", err)
		}
		s.must(other.Close(t.Context()))
		reader, err := s.gate.Reader(t.Context(), s.target("ORDERS"))
		s.must(err)
		if _, err := s.gate.Writer(t.Context(), s.target("ORDERS")); !errors.Is(err, sim.ErrLocked) || !strings.Contains(err.Error(), "readers of this run that are still open: 1") {
			t.Errorf("while a reader has it: %v", err)
		}
		s.must(reader.Close())
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.gate.Writer(ended, s.target("ORDERS")); !errors.Is(err, context.Canceled) {
			t.Errorf("without time: %v", err)
		}
		w, err := s.gate.Writer(t.Context(), s.target("ORDERS"))
		s.must(err)
		if _, err := sim.Open(t.Context(), s.dir); !errors.Is(err, sim.ErrLocked) {
			t.Errorf("another had it beside a writer: %v", err)
		}
		s.must(w.Close())
	})
}

// One folder is one estate, however it is written.
func TestOneEstateOfManyNames(t *testing.T) {
	s := newStation(t, "ORDERS")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.dir, link); err != nil {
		t.Skip(err)
	}
	e := NewEstates()
	first, err := e.At(s.dir).Writer(t.Context())
	s.must(err)
	for _, dir := range []string{link, s.dir + "/.", filepath.Join(s.dir, "systems", "..")} {
		w, err := e.At(dir).Writer(t.Context())
		s.must(err)
		s.must(w.Close())
	}
	s.must(first.Close())
	if _, err := Sim(t.TempDir()).Writer(t.Context()); !errors.Is(err, sim.ErrNoEstate) {
		t.Error(err)
	}
}
