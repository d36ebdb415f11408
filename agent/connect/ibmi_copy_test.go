package connect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/plugins"
)

// What was saved and removed is missed by a restart (AMQ7432), and once it is
// restored the queue manager starts with every message.
func TestSavedRemovedRestored(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	copies := map[int][]byte{}
	for n := range 3 {
		copies[n] = s.keep(w, rcv("ORDERS", n))
		if got := s.files("MQVAULT"); got != "" {
			t.Fatalf("save file %s is left", got)
		}
	}
	s.must(w.Close())
	s.on(func(e *sim.Estate) {
		if _, err := e.Fault(t.Context(), "ORDERS", "crash"); err != nil {
			t.Fatal(err)
		}
	})
	w = s.writer("ORDERS")
	for n := range 3 {
		if _, state, err := w.Remove(t.Context(), Removal{Segment: rcv("ORDERS", n), Unsaved: true}); state != plugins.Done {
			t.Fatalf("state %s, error %v", state, err)
		}
	}
	s.must(w.Close())
	s.on(func(e *sim.Estate) {
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), "STRMQM MQMNAME(ORDERS)"); err == nil || !strings.Contains(err.Error(), "AMQ7432") {
			t.Errorf("it started without its receivers: %v", err)
		}
	})
	w = s.writer("ORDERS")
	for n := 2; n >= 0; n-- {
		answer, err := w.Restore(t.Context(), recovery.Copy{Segment: rcv("ORDERS", n)}, vault, bytes.NewReader(copies[n]))
		if err != nil || !strings.Contains(string(answer.Body), "CPC3703") {
			t.Fatalf("%v, answer %q", err, answer.Body)
		}
	}
	if got := s.receivers("ORDERS"); got != "0S 1S 2S 3A" || s.files("MQVAULT") != "" {
		t.Errorf("receivers %s, save files %s", got, s.files("MQVAULT"))
	}
	s.must(w.Close())
	s.on(func(e *sim.Estate) {
		s.cl(e, "ORDERS", "STRMQM MQMNAME(ORDERS)")
		found := 0
		s.must(e.Manager("ORDERS").Browse("WORK", func(engine.Message) bool { found++; return true }))
		if found != 60 {
			t.Errorf("%d messages of 60", found)
		}
	})
}

// Receivers that come back in another order are associated in the end.
func TestRestoreOldestFirst(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	copies := map[int][]byte{}
	for n := range 2 {
		copies[n] = s.keep(w, rcv("ORDERS", n))
	}
	for n := range 2 {
		if _, _, err := w.Remove(t.Context(), Removal{Segment: rcv("ORDERS", n), Unsaved: true}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 2 {
		if _, err := w.Restore(t.Context(), recovery.Copy{Segment: rcv("ORDERS", n)}, vault, bytes.NewReader(copies[n])); err != nil {
			t.Fatal(err)
		}
	}
	s.must(w.Close())
	s.on(func(e *sim.Estate) {
		s.cl(e, "ORDERS", "DLTJRNRCV JRNRCV(QMORDERS/AMQA000000)") // the first of a whole chain
		if _, err := e.CL(t.Context(), "ORDERS", e.Job(), "DLTJRNRCV JRNRCV(QMORDERS/AMQA000002) DLTOPT(*IGNINQMSG)"); err == nil || !strings.Contains(err.Error(), "CPF7021") {
			t.Errorf("AMQA000001 did not join the chain: %v", err)
		}
	})
}

func TestSaveFails(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name  string
		ctx   context.Context
		id    recovery.SegmentID
		store Store
		want  error  // nil: a message
		id7   string // of the message
	}{
		{"a folder without a library", t.Context(), rcv("ORDERS", 0), Store{Kind: "directory"}, ErrNoLibrary, ""},
		{"an archive without a library", t.Context(), rcv("ORDERS", 0), Store{Kind: "command"}, ErrNoLibrary, ""},
		{"no store", t.Context(), rcv("ORDERS", 0), Store{}, ErrNoLibrary, ""},
		{"the site's", t.Context(), rcv("ORDERS", 0), Store{Kind: "external", Library: "MQVAULT"}, ErrSiteSaves, ""},
		{"no time", ended, rcv("ORDERS", 0), vault, ErrNotSent, ""},
		{"no such library", t.Context(), rcv("ORDERS", 0), Store{Kind: "savf", Library: "NOWHERE"}, nil, "CPF9810"},
		{"no such receiver", t.Context(), rcv("ORDERS", 7), vault, nil, "CPF3770"},
	} {
		_, err := w.Save(test.ctx, test.id, test.store)
		var message *MessageError
		switch {
		case test.want != nil && !errors.Is(err, test.want):
			t.Errorf("%s: %v", test.name, err)
		case test.want == nil && (!errors.As(err, &message) || message.ID != test.id7):
			t.Errorf("%s: %v, want %s", test.name, err, test.id7)
		}
	}
	if _, err := w.Save(t.Context(), recovery.SegmentID{QueueManager: "ORDERS", Library: "Q) X(", Name: "A"}, vault); err == nil {
		t.Error("a library that is no name was taken")
	}
	if got := s.files("MQVAULT"); got != "" || s.receivers("ORDERS") != "0O 1O 2O 3A" {
		t.Errorf("save files %s, receivers %s", got, s.receivers("ORDERS"))
	}
}

// A save file goes with the content that is closed, however much of it was
// read, and whoever's time is over; one that a dead process left is discarded.
func TestSaveFilesGo(t *testing.T) {
	s := newStation(t, "ORDERS")
	w := s.writer("ORDERS")
	ctx, cancel := context.WithCancel(t.Context())
	content, err := w.Save(ctx, rcv("ORDERS", 0), Store{Kind: "directory", Library: "MQVAULT"})
	s.must(err)
	if _, err := io.CopyN(io.Discard, content, 10); err != nil || s.files("MQVAULT") != saveFileName(rcv("ORDERS", 0))+".SAVF" {
		t.Errorf("%v, save files %s", err, s.files("MQVAULT"))
	}
	cancel()
	s.must(content.Close())
	s.must(content.Close())
	if got := s.files("MQVAULT"); got != "" {
		t.Errorf("save files %s", got)
	}
	s.must(w.Close())
	s.on(func(e *sim.Estate) { s.cl(e, "ORDERS", "CRTSAVF FILE(MQVAULT/"+saveFileName(rcv("ORDERS", 0))+")") })
	w = s.writer("ORDERS")
	for _, store := range []Store{vault, vault, {Kind: "directory"}, {Kind: "external"}} {
		if err := w.Discard(t.Context(), rcv("ORDERS", 0), store); err != nil || s.files("MQVAULT") != "" {
			t.Errorf("%+v: %v, save files %s", store, err, s.files("MQVAULT"))
		}
	}
	if err := w.Discard(ctx, rcv("ORDERS", 0), vault); !errors.Is(err, ErrNotSent) {
		t.Error(err)
	}
}

// What killed runs have left is in nobody's way, and a save file that the site
// has under the name of a receiver stays.
func TestLeftoversGo(t *testing.T) {
	s := newStation(t, "ORDERS")
	leave := func() {
		s.on(func(e *sim.Estate) { s.cl(e, "ORDERS", "CRTSAVF FILE(MQVAULT/"+saveFileName(rcv("ORDERS", 0))+")") })
	}
	s.on(func(e *sim.Estate) { s.cl(e, "ORDERS", "CRTSAVF FILE(MQVAULT/AMQA000000)") })
	leave()
	w := s.writer("ORDERS")
	copied := s.keep(w, rcv("ORDERS", 0))
	if _, state, err := w.Remove(t.Context(), Removal{Segment: rcv("ORDERS", 0), Unsaved: true}); state != plugins.Done {
		t.Fatal(err)
	}
	s.must(w.Close())
	leave()
	w = s.writer("ORDERS")
	if _, err := w.Restore(t.Context(), recovery.Copy{Segment: rcv("ORDERS", 0)}, vault, bytes.NewReader(copied)); err != nil {
		t.Fatal(err)
	}
	s.must(w.Discard(t.Context(), rcv("ORDERS", 0), vault))
	if got := s.files("MQVAULT"); got != "AMQA000000.SAVF" || s.receivers("ORDERS") != "0S 1O 2O 3A" {
		t.Errorf("save files %s, receivers %s", got, s.receivers("ORDERS"))
	}
}

// Two queue managers share a library: their receivers have the same names, and
// each its own save file.
func TestSharedLibrary(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	var open []Content
	for _, name := range []string{"ORDERS", "PAY"} {
		content, err := s.writer(name).Save(t.Context(), rcv(name, 0), vault)
		s.must(err)
		open = append(open, content)
	}
	if got := strings.Fields(s.files("MQVAULT")); len(got) != 2 {
		t.Errorf("save files %v", got)
	}
	for _, content := range open {
		s.must(content.Close())
	}
	if got := s.files("MQVAULT"); got != "" {
		t.Errorf("save files %s", got)
	}
}

func TestRestoreFails(t *testing.T) {
	s := newStation(t, "ORDERS", "PAY")
	w := s.writer("ORDERS")
	copied := s.keep(w, rcv("ORDERS", 0))
	other := s.keep(s.writer("PAY"), rcv("PAY", 0))
	for _, test := range []struct {
		name    string
		store   Store
		content []byte
		want    error
	}{
		{"it is there", vault, copied, ErrThere},
		{"of another library", vault, other, ErrContent},
		{"no save file", vault, []byte("of no use"), ErrContent},
		{"cut short", vault, copied[:len(copied)-1], ErrContent},
		{"nothing", vault, nil, ErrContent},
		{"no library", Store{Kind: "directory"}, copied, ErrNoLibrary},
		{"the site's", Store{Kind: "external"}, copied, ErrSiteSaves},
	} {
		_, err := w.Restore(t.Context(), recovery.Copy{Segment: rcv("ORDERS", 0)}, test.store, bytes.NewReader(test.content))
		if !errors.Is(err, test.want) || s.files("MQVAULT") != "" {
			t.Errorf("%s: %v, save files %s", test.name, err, s.files("MQVAULT"))
		}
	}
	broken := errors.New("the store is away")
	_, err := w.Restore(t.Context(), recovery.Copy{Segment: rcv("ORDERS", 0)}, vault, io.MultiReader(bytes.NewReader(copied[:20]), failing{broken}))
	if !errors.Is(err, broken) || s.files("MQVAULT") != "" {
		t.Errorf("%v, save files %s", err, s.files("MQVAULT"))
	}
	if got := s.receivers("ORDERS"); got != "0O 1O 2O 3A" {
		t.Errorf("receivers %s", got)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
