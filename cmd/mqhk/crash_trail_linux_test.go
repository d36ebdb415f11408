package main

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// trailRow is a row of the ledger's trail as it stands in the file, read past
// the ledger itself.
type trailRow struct {
	seq                     int64
	kind, target, task, run string
	body                    []byte
}

// trailBody has what is read of the bodies of claims, intents and outcomes.
type trailBody struct {
	Epoch   int64 `json:"epoch"`
	Actions []struct {
		ID          string             `json:"id"`
		Kind        plugins.Kind       `json:"kind"`
		Object      string             `json:"object"`
		Segment     recovery.SegmentID `json:"segment"`
		Fingerprint string             `json:"fingerprint"`
	} `json:"actions"`
	Outcomes []struct {
		Intent   int64         `json:"intent"`
		State    plugins.State `json:"state"`
		Evidence string        `json:"evidence"`
	} `json:"outcomes"`
}

// database opens the ledger's file past the ledger, to be read: whatever a
// process that died has left in it stays as it is.
func (s *site) database() *sql.DB {
	s.t.Helper()
	if s.db == nil {
		file := url.URL{Scheme: "file", Path: s.path("state", ledgerName, ledger.FileName), RawQuery: "mode=ro"}
		db, err := sql.Open("sqlite", file.String())
		s.must(err)
		db.SetMaxOpenConns(1)
		s.t.Cleanup(s.letGo)
		s.db = db
	}
	return s.db
}

// letGo closes it: mqhk finds the ledger as it is when nobody looks.
func (s *site) letGo() {
	if s.db != nil {
		_ = s.db.Close() // it was only read
		s.db = nil
	}
}

// rows counts the rows of the trail, as far as they can be read now.
func (s *site) rows() (n int64) {
	if s.database().QueryRowContext(s.t.Context(), "SELECT coalesce(max(seq), 0) FROM trail").Scan(&n) != nil {
		return 0 // somebody is about to open it
	}
	return n
}

// trail reads all rows of a ledger that nobody writes.
func (s *site) trail() []trailRow {
	s.t.Helper()
	defer s.letGo()
	found, err := s.database().QueryContext(s.t.Context(), "SELECT seq, kind, target, task, run, body FROM trail ORDER BY seq")
	s.must(err)
	defer found.Close()
	var all []trailRow
	for found.Next() {
		var r trailRow
		s.must(found.Scan(&r.seq, &r.kind, &r.target, &r.task, &r.run, &r.body))
		all = append(all, r)
	}
	s.must(found.Err())
	return all
}

// intended is an action that was intended, with all that was seen of it.
type intended struct {
	row              trailRow
	kind             plugins.Kind
	action, object   string
	segment          recovery.SegmentID
	fingerprint      string
	states           []plugins.State
	evidence, seenBy string
	seenAt           int64 // row of the last outcome
}

// account is what a trail says.
type account struct {
	intents  []*intended
	overlaps int // claims that were taken while another stood
}

// judge reads a trail and finds what must never stand there: an intent of a
// claim that was over, an older claim after a newer, an end after the end.
func judge(t *testing.T, rows []trailRow) account {
	t.Helper()
	var a account
	epochs, held := map[string]int64{}, map[string]bool{}
	byID := map[int64]*intended{}
	for _, r := range rows {
		lease := r.target + " " + r.task
		body := r.read(t)
		switch r.kind {
		case "claim":
			if body.Epoch <= epochs[lease] {
				t.Errorf("row %d: claim %d of %s after claim %d", r.seq, body.Epoch, lease, epochs[lease])
			}
			if held[lease] {
				a.overlaps++
			}
			epochs[lease], held[lease] = body.Epoch, true
		case "release":
			held[lease] = false
		case "intent":
			if !held[lease] || body.Epoch != epochs[lease] {
				t.Errorf("row %d: intent of %s under claim %d, the last is %d, held %t", r.seq, lease, body.Epoch, epochs[lease], held[lease])
			}
			for i, action := range body.Actions {
				one := &intended{row: r, kind: action.Kind, action: action.ID, object: action.Object, segment: action.Segment, fingerprint: action.Fingerprint}
				byID[r.seq<<8+int64(i)] = one
				a.intents = append(a.intents, one)
			}
		case "outcome":
			for _, o := range body.Outcomes {
				a.outcome(t, r, byID[o.Intent], o.State, o.Evidence)
			}
		}
	}
	return a
}

// read gives the body of a row of a kind that is of interest.
func (r trailRow) read(t *testing.T) trailBody {
	t.Helper()
	var body trailBody
	switch r.kind {
	case "claim", "intent", "outcome":
		if err := json.Unmarshal(r.body, &body); err != nil {
			t.Fatalf("row %d, %s: %v", r.seq, r.kind, err)
		}
	}
	return body
}

func (a account) outcome(t *testing.T, r trailRow, of *intended, state plugins.State, evidence string) {
	t.Helper()
	if of == nil {
		t.Errorf("row %d: an outcome of nothing that was intended", r.seq)
		return
	}
	if n := len(of.states); n > 0 && of.states[n-1] != plugins.Unknown && of.states[n-1] != plugins.Pending {
		t.Errorf("row %d: %s %s is %s after it was %s", r.seq, of.kind, of.object, state, of.states[n-1])
	}
	of.states, of.evidence, of.seenBy, of.seenAt = append(of.states, state), evidence, r.run, r.seq
}

// String shows an intent.
func (i *intended) String() string {
	return fmt.Sprintf("row %d, run %s: %s %s %s: %s (%s)", i.row.seq, i.row.run, i.action, i.kind, i.object, cmp.Or(i.state(), "no outcome"), i.evidence)
}

func (i *intended) state() plugins.State {
	if len(i.states) == 0 {
		return ""
	}
	return i.states[len(i.states)-1]
}

// settled tells whether it has an end, or is unknown with what was seen.
func (i *intended) settled() bool {
	switch i.state() {
	case plugins.Done, plugins.Failed, plugins.Skipped, plugins.Retry:
		return true
	case plugins.Unknown, plugins.Pending:
		return i.evidence != ""
	default:
		return false
	}
}

// name gives the receiver it is about.
func (i *intended) name() string {
	_, name, _ := strings.Cut(i.object, "/")
	return cmp.Or(i.segment.Name, name)
}
