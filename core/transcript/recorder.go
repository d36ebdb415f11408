package transcript

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// Recorder passes questions on to another asker and keeps every answer, and
// every error that a transcript can hold, in the order in which they came. It
// is safe for concurrent use.
type Recorder struct {
	asker   observe.Asker
	targets []observe.Target

	mu     sync.Mutex
	events []event
}

// event is one answered question.
type event struct {
	block
	at         time.Time
	unanswered bool
}

// NewRecorder records what asker says about the targets.
func NewRecorder(asker observe.Asker, targets []observe.Target) *Recorder {
	return &Recorder{asker: asker, targets: targets}
}

// Ask asks the question and returns what came, unchanged.
func (r *Recorder) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	got, err := r.asker.Ask(ctx, q)
	if e, ok := newEvent(q, got, err); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
	}
	return got, err
}

// newEvent keeps an answer. Not kept is the end of the asker's own context,
// which says nothing of the system.
func newEvent(q observe.Question, got observe.Answer, err error) (event, bool) {
	e := event{block: block{language: q.Language, manager: q.QueueManager, text: oneLine(q.Text)}}
	var (
		notAnswered *observe.NotAnswered
		refused     *observe.Refused
		failed      *observe.Failed
	)
	switch {
	case err == nil:
		e.body, e.at = bytes.Clone(got.Body), got.At
	case errors.As(err, &notAnswered), errors.As(err, &refused):
		e.unanswered = true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return event{}, false
	case errors.As(err, &failed):
		e.failed, e.body = true, bytes.Clone(failed.Body)
	default: // timed out, connection lost
		e.failed, e.body = true, []byte(err.Error()+"\n")
	}
	return e, true
}

// oneLine puts a question on a header's one line; white space is folded when
// questions are compared.
func oneLine(text string) string {
	return strings.TrimSpace(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text))
}

// Transcript gives what was recorded so far. A CLOCK line stands before each
// answer whose time is not that of the one before.
//
// Of errors only the ERROR block exists in the format, so a question that
// timed out plays as failed. One that was refused or not answered leaves no
// block and plays so again; but where another answer would step in for it, it
// becomes an ERROR block too: nothing may look answered that was not. Where
// the host changed its answer only the last one is kept, or the last failure:
// [Parse] takes no two answers of it that differ.
func (r *Recorder) Transcript() *Transcript {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &Transcript{entries: declarations(r.targets)}
	answered := map[place]bool{}
	for _, e := range r.events {
		if e.unanswered {
			continue
		}
		answered[e.place()] = true
		if at, ok := e.generalPlace(); ok && observe.OnlyVerbObject(e.language, e.text) {
			answered[at] = true
		}
	}
	seen := clocks{}
	for i, e := range r.events {
		if e.language.OfHost() && !r.counts(i) {
			continue
		}
		if e.unanswered {
			if !standsIn(answered, e.block) {
				continue
			}
			e.failed, e.body = true, []byte("not answered\n")
		}
		if at := fixed(e.at); !e.at.IsZero() && !sameClock(at, seen[e.manager]) {
			seen[e.manager] = at
			t.entries = append(t.entries, &clock{manager: e.manager, at: at})
		}
		kept := e.block
		t.entries = append(t.entries, &kept)
	}
	return t
}

// counts tells whether an answer of the host is to be kept: as the last one,
// or the last failure if there is one, says. An empty answer to a question
// that nobody but a stranger's plugin asks plays the same without a block.
func (r *Recorder) counts(i int) bool {
	e := r.events[i]
	if !e.asksHost() {
		return e.failed || len(bytes.TrimSpace(e.body)) > 0
	}
	for n, other := range r.events {
		rival := other.language == e.language && other.manager == e.manager && other.asksHost() && !other.unanswered
		if rival && !sameAnswer(&other.block, &e.block) && (other.failed && !e.failed || n > i && other.failed == e.failed) {
			return false
		}
	}
	return true
}

// sameClock tells whether two times are the same moment written the same way.
func sameClock(a, b time.Time) bool {
	_, x := a.Zone()
	_, y := b.Zone()
	return a.Equal(b) && x == y
}

// standsIn tells whether a player would answer the question from some block.
func standsIn(answered map[place]bool, b block) bool {
	all := place{language: b.language, manager: b.manager}
	general, ok := b.generalPlace()
	return answered[b.place()] || answered[all] || ok && answered[general]
}

// declarations writes the lines that declare the targets. What a target does
// not say of its members is whether they run; that is for the questions.
func declarations(targets []observe.Target) []entry {
	var entries, zones []entry
	seen := map[string]bool{}
	for _, t := range targets {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		entries = append(entries, &target{name: t.Name, platform: t.Platform, group: t.Group})
		for _, m := range t.Members {
			if t.Group {
				entries = append(entries, &member{manager: m, group: t.Name, active: true})
			}
		}
		if t.Zone != "" {
			zones = append(zones, &zone{name: t.Name, area: t.Zone})
		}
	}
	return append(entries, zones...)
}
