package workload

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A profile that is read is valid and is the same when it was written.
func FuzzParse(f *testing.F) {
	for _, name := range Profiles() {
		content, err := bundled.ReadFile("profiles/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(`{"name":"x","hours":[1,2],"queues":[{"name":"A","share":1e400}]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := Parse(content)
		if err != nil {
			return
		}
		written, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Error(diff)
		}
	})
}

// A state that is read can be run and written, whatever is in it.
func FuzzState(f *testing.F) {
	for _, name := range Profiles() {
		s := New(named(f, name), 1, monday)
		s.at.Begun = true
		run(f, s, newManager(f, time.UTC), monday.Add(26*time.Hour))
		s.at.Due = s.at.Due[:min(5, len(s.at.Due))]
		content, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(`{"due":[{"at":-1}]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		var s State
		if err := json.Unmarshal(content, &s); err != nil {
			var syntax *json.SyntaxError
			if !errors.Is(err, ErrState) && !errors.As(err, &syntax) {
				t.Errorf("%v is of no known kind", err)
			}
			return
		}
		if p := s.Profile(); p.Messages.Persistent+p.Messages.NonPersistent > 1e6 || p.Bursts.PerDay+p.Long.PerDay > 1e4 || !s.at.Begun {
			return // it would take its time
		}
		m := newManager(t, time.UTC)
		if _, err := s.Run(t.Context(), m, s.Until().Add(10*time.Second), m.setClock); err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &s); err != nil {
			t.Errorf("%v\n%s", err, written)
		}
	})
}
