package report

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"

	"github.com/mqhk/mqhk/agent/ledger"
)

// journal begins a plan of the journal plugin on an IBM i queue manager.
func journal(name, strategy, observed string) ledger.Target {
	return ledger.Target{
		Name: name, Platform: "ibmi", Policy: strategy, PolicyDigest: "sha256:5d41402abc4b2a76b9719d911017c592",
		Task: "receivers", Plugin: "journal", Strategy: strategy, Observed: observed,
	}
}

func receiver(manager, name, opened string) ledger.Segment {
	return ledger.Segment{Name: name, Library: "QM" + manager, QueueManager: manager, Bytes: receiverBytes, State: "saved", Opened: opened}
}

func keep(s *ledger.Segment, needed bool, why string) {
	s.Verdict, s.Reason, s.Why = "delete", "behind", "older than every entry that a recovery needs"
	if needed {
		s.Verdict, s.Reason, s.Why = "keep", "needed", why
	}
}

func marks(t ledger.Target, restart, restartAt, media, mediaAt string) ledger.Recovery {
	atOnce := "at once"
	return ledger.Recovery{
		Restart: &ledger.Point{Kind: "restart", QueueManager: t.Name, Segment: restart, Position: restartAt, Source: "AMQ7460 " + t.Observed},
		Media:   &ledger.Point{Kind: "media", QueueManager: t.Name, Segment: media, Position: mediaAt, Source: "AMQ7462 " + t.Observed},
		Needs: []ledger.Point{{
			Kind: "published", QueueManager: t.Name, Segment: media, Position: mediaAt, Source: "AMQJRNINF",
		}},
		Promise: ledger.Promise{Restart: atOnce, Rebuild: atOnce, StartUpDamage: atOnce},
	}
}

func onSystem(n int) ledger.Readiness {
	return ledger.Readiness{Ready: "at once", Needs: n, OnSystem: n}
}

// finish gives the plan its actions, in the order of the chain, and its
// totals; the last receiver is the attached one.
func finish(t *ledger.Target, cut int) {
	t.Segments[len(t.Segments)-1].State = "current"
	before := ""
	for _, s := range t.Segments[:cut] {
		if s.Verdict != "delete" && s.Verdict != "archive+delete" {
			continue
		}
		var after []string
		if before != "" {
			after = []string{before}
		}
		if s.Verdict == "archive+delete" {
			save := "save-" + s.Name
			t.Actions = append(t.Actions, ledger.Action{
				ID: save, Kind: "archive", Object: s.Library + "/" + s.Name, QueueManager: t.Name, Language: "CL", After: after, Outcome: "planned",
				Command: fmt.Sprintf("SAVOBJ OBJ(%s) LIB(%s) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/%s)", s.Name, s.Library, ownSaveFile(s)), Reason: s.Why,
			})
			after = append(after, save)
		}
		before = "delete-" + s.Name
		t.Actions = append(t.Actions, ledger.Action{
			ID: before, Kind: "delete", Object: s.Library + "/" + s.Name, QueueManager: t.Name, Language: "CL", After: after, Outcome: "planned",
			Command: fmt.Sprintf("DLTJRNRCV JRNRCV(%s/%s) DLTOPT(*NONE)", s.Library, s.Name), Reason: s.Why,
		})
	}
	t.Totals = totals(*t)
}

// ownSaveFile names a receiver's save file as an apply does (docs/ibmi.md).
func ownSaveFile(s ledger.Segment) string {
	sum := sha256.Sum256([]byte(s.QueueManager + "\x00" + s.Library + "\x00" + s.Name))
	return "MQHK" + base32.StdEncoding.EncodeToString(sum[:5])[:6]
}

func totals(t ledger.Target) (n ledger.Totals) {
	for _, s := range t.Segments {
		switch s.Verdict {
		case "archived":
			n.Archived++
			continue
		case "lost":
			n.Lost++
			continue
		case "archive+delete":
			n.Archive++
			fallthrough
		case "delete":
			n.Delete++
			n.BytesFreed += s.Bytes
		case "hold":
			n.Hold++
			n.BytesKept += s.Bytes
		default:
			n.Keep++
			n.BytesKept += s.Bytes
		}
		n.Segments++
	}
	return n
}

func timeline(t ledger.Target, cut int, marks ...ledger.Mark) ledger.Picture {
	p := ledger.Picture{Kind: "timeline", Title: "The chain of " + t.Name, Cut: cut, Marks: marks}
	for _, s := range t.Segments {
		p.Points = append(p.Points, ledger.Dot{Name: s.Name, At: s.Opened, Verdict: s.Verdict, State: s.State})
	}
	return p
}
