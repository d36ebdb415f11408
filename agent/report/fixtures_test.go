package report

import (
	"fmt"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// The records of the golden tests. Their numbers are those of the published
// examples where there are any.

const receiverBytes = 102_817_792 // 100408 KB, a little more than the default threshold of 100000 KB

// figure1 is Figure 1 of the article that this work began with: six
// receivers, media recovery entry 13:09:07, startup entry 15:09:48; the
// third receiver holds the oldest entry that is needed.
func figure1() ledger.Record {
	at := []string{"10:16:01", "11:35:52", "12:46:49", "14:02:04", "15:11:33", "16:28:24"}
	t := journal("ORDERS", "conservative", "2003-05-28 02:00:00")
	for i, clock := range at {
		s := receiver(t.Name, fmt.Sprintf("AMQA%06d", i+1), clock)
		keep(&s, i >= 2, "AMQA000003 holds the oldest entry that a media recovery needs")
		t.Segments = append(t.Segments, s)
	}
	t.Recovery = marks(t, "AMQA000004", "15:09:48", "AMQA000003", "13:09:07")
	t.Recovery.Outlook = ledger.Outlook{
		Restart: onSystem(3), Rebuild: onSystem(4), StartUpDamage: onSystem(4),
	}
	finish(&t, 2)
	t.Pictures = []ledger.Picture{timeline(t, 2, ledger.Mark{Kind: "media", Point: 2, At: "13:09:07"}, ledger.Mark{Kind: "restart", Point: 3, At: "15:09:48"})}
	return record(t)
}

// sideBySide is the published vector of eleven receivers of queue manager
// MMP1, needed from 2003-05-27 14:05:35 on, under the three strategies.
func sideBySide() ledger.Record {
	at := []string{
		"2002-09-20 16:51:08", "2002-10-03 16:34:48", "2002-11-18 11:07:20", "2002-12-12 23:01:21",
		"2002-12-13 06:01:51", "2003-01-12 12:56:40", "2003-02-04 17:03:14", "2003-04-15 09:07:17",
		"2003-05-13 11:48:23", "2003-05-27 14:30:15", "2003-05-27 14:54:49",
	}
	plan := func(strategy string, cut int, promise [3]string, outlook ledger.Outlook) ledger.Target {
		t := journal("MMP1", strategy, "2003-05-27 15:00:00")
		for i, opened := range at {
			s := receiver(t.Name, fmt.Sprintf("AMQA%06d", i), opened)
			keep(&s, i >= cut, "kept by "+strategy)
			if i >= 8 && i < cut {
				s.Verdict, s.Reason, s.Why = "archive+delete", "needed-only-in-store", "a rebuild needs it; the strategy keeps it in the store"
			}
			t.Segments = append(t.Segments, s)
		}
		t.Recovery = marks(t, "AMQA000009", "2003-05-27 14:31:02", "AMQA000008", "2003-05-27 14:05:35")
		t.Recovery.Promise = ledger.Promise{Restart: promise[0], Rebuild: promise[1], StartUpDamage: promise[2]}
		t.Recovery.Outlook = outlook
		finish(&t, cut)
		t.Pictures = []ledger.Picture{timeline(t, cut,
			ledger.Mark{Kind: "media", Point: 8, At: "2003-05-27 14:05:35"}, ledger.Mark{Kind: "restart", Point: 9, At: "2003-05-27 14:31:02"})}
		return t
	}
	inStore := func(on, in int, last string) ledger.Readiness {
		return ledger.Readiness{Ready: "restore first", Needs: on + in, OnSystem: on, InStore: in, First: "AMQA000008", Last: last}
	}
	return record(
		plan("conservative", 8, [3]string{"at once", "at once", "at once"},
			ledger.Outlook{Restart: onSystem(2), Rebuild: onSystem(3), StartUpDamage: onSystem(3)}),
		plan("fast-startup", 9, [3]string{"at once", "restore first", "restore first"},
			ledger.Outlook{Restart: onSystem(2), Rebuild: inStore(2, 1, "AMQA000008"), StartUpDamage: inStore(2, 1, "AMQA000008")}),
		plan("aggressive", 10, [3]string{"restore first", "restore first", "restore first"},
			ledger.Outlook{
				Restart: ledger.Readiness{Ready: "restore first", Needs: 2, OnSystem: 1, InStore: 1, First: "AMQA000009", Last: "AMQA000009"},
				Rebuild: inStore(1, 2, "AMQA000009"), StartUpDamage: inStore(1, 2, "AMQA000009"),
			}),
	)
}

// notSaved is case 6: receivers that could go but were never saved are held.
func notSaved() ledger.Record {
	r := figure1()
	t := &r.Targets[0]
	for i := range t.Segments[:2] {
		s := &t.Segments[i]
		s.State, s.Verdict, s.Reason = "online", "hold", "not-saved"
		s.Why = s.Name + " was never saved after it was detached; the policy says unsaved = \"hold\""
		t.Pictures[0].Points[i].Verdict = "hold"
	}
	t.Pictures[0].Cut = 0
	t.Actions = nil
	t.Findings = []finding.Finding{finding.New(finding.NotSaved, "2 receivers from AMQA000001 on could go but were never saved.")}
	t.Totals = totals(*t)
	r.Totals = t.Totals
	return r
}

// lost is case 4: the receiver that is needed is gone, its name is asterisks,
// and no store has it.
func lost() ledger.Record {
	r := figure1()
	t := &r.Targets[0]
	for i := range t.Segments {
		t.Segments[i].Verdict, t.Segments[i].Reason = "keep", "critical-finding"
		t.Segments[i].Why = "a critical finding keeps everything"
		t.Pictures[0].Points[i].Verdict = "keep"
	}
	gone := ledger.Segment{Name: "**********", Library: "QMORDERS", QueueManager: "ORDERS", Verdict: "lost", Reason: "lost",
		Why: "needed by a media recovery; neither on the system nor in a store", State: "absent"}
	t.Segments = append([]ledger.Segment{gone}, t.Segments...)
	t.Recovery.Media = &ledger.Point{Kind: "media", QueueManager: "ORDERS", Position: "2003-05-01 08:00:00", Source: "AMQ7462 2003-05-28 01:58:11"}
	t.Recovery.Outlook.Rebuild = ledger.Readiness{Ready: "impossible", Needs: 7, OnSystem: 6, Missing: 1}
	t.Recovery.Outlook.StartUpDamage = t.Recovery.Outlook.Rebuild
	t.Actions, t.Recovery.Needs = nil, nil
	t.Pictures[0].Cut = 0
	t.Pictures[0].Marks[0] = ledger.Mark{Kind: "media", Point: -1, At: "2003-05-01 08:00:00"}
	t.Findings = []finding.Finding{
		finding.New(finding.MediaNotMoving, "The media recovery point has not moved for 27 days."),
		finding.New(finding.ReceiverLost, "The receiver with the entry of 2003-05-01 08:00:00 is neither on the system nor in a store."),
		finding.New(finding.NotAnswered, "The sizes of the save files are not known."),
	}
	t.Unanswered = []string{"SQL ORDERS: QSYS2.SAVE_FILE_INFO"}
	t.Totals = totals(*t)
	r.Totals = t.Totals
	return r
}

// archived is the thirtieth night of fast-startup: what a rebuild needs is in
// the store, the restart needs four receivers.
func archived() ledger.Record {
	t := journal("ORDERS", "fast-startup", "2026-05-28 02:00:00")
	for i := 44; i <= 56; i++ {
		s := receiver(t.Name, fmt.Sprintf("AMQA%06d", i), fmt.Sprintf("2026-05-%02d 21:%02d:00", 14+(i-44), i))
		switch {
		case i <= 50:
			s.Verdict, s.Reason, s.State, s.Bytes = "archived", "needed-media", "absent", 0
			s.Why = "a rebuild needs it; it is in store vault"
		case i <= 52:
			s.Verdict, s.Reason, s.State = "archive+delete", "needed-media", "online"
			s.Why = "a rebuild needs it; the strategy keeps it in the store"
		default:
			s.Verdict, s.Reason, s.State = "keep", "needed-restart", "online"
			s.Why = "from AMQA000053 on the restart reads"
		}
		t.Segments = append(t.Segments, s)
	}
	t.Recovery = marks(t, "AMQA000053", "2026-05-27 22:10:44", "AMQA000044", "2026-05-14 22:02:13")
	t.Recovery.Promise = ledger.Promise{Restart: "at once", Rebuild: "restore first", StartUpDamage: "restore first"}
	t.Recovery.Outlook = ledger.Outlook{
		Restart:       onSystem(4),
		Rebuild:       ledger.Readiness{Ready: "restore first", Needs: 13, OnSystem: 4, InStore: 9, First: "AMQA000044", Last: "AMQA000052"},
		StartUpDamage: ledger.Readiness{Ready: "restore first", Needs: 13, OnSystem: 4, InStore: 9, First: "AMQA000044", Last: "AMQA000052"},
	}
	finish(&t, 9)
	t.Pictures = []ledger.Picture{timeline(t, 9,
		ledger.Mark{Kind: "media", Point: 0, At: "2026-05-14 22:02:13"}, ledger.Mark{Kind: "restart", Point: 9, At: "2026-05-23 22:10:44"})}
	t.Findings = []finding.Finding{finding.New(finding.ReceiverArchived, "7 receivers that a rebuild needs are in store vault: AMQA000044 to AMQA000050.")}
	return record(t)
}

// thousand is a chain that nobody looked after.
func thousand() ledger.Record {
	t := journal("LEDGER", "conservative", "2026-05-28 02:00:00")
	for i := range 1000 {
		s := receiver(t.Name, fmt.Sprintf("AMQA%06d", i), fmt.Sprintf("2026-%02d-%02d %02d:00:00", 1+i/250, 1+i/10%25, 2*(i%10)))
		keep(&s, i >= 957, "AMQA000957 holds the oldest entry that a restart needs")
		t.Segments = append(t.Segments, s)
	}
	t.Recovery = marks(t, "AMQA000957", "2026-04-21 15:02:11", "AMQA000980", "2026-04-24 01:00:00")
	t.Recovery.Outlook = ledger.Outlook{Restart: onSystem(43), Rebuild: onSystem(20), StartUpDamage: onSystem(43)}
	finish(&t, 957)
	t.Pictures = []ledger.Picture{timeline(t, 957,
		ledger.Mark{Kind: "restart", Point: 957, At: "2026-04-21 15:02:11"}, ledger.Mark{Kind: "media", Point: 980, At: "2026-04-24 01:00:00"})}
	t.Findings = []finding.Finding{finding.New(finding.ChainLong, "The chain has 1000 receivers.")}
	return record(t)
}

// pluginFailed has a target without a plan beside one with a plan.
func pluginFailed() ledger.Record {
	broken := journal("STOCK", "conservative", "")
	broken.Error = "journal: plan: the plugin ended with signal killed after 3 questions"
	return record(broken, figure1().Targets[0])
}

// applied is a run that deleted one receiver and failed at the second
// (case 9: a lock); the third was not tried.
func applied() ledger.Record {
	r := thousand()
	r.DryRun, r.Run.Mode, r.Run.Outcome = false, "apply", "failed"
	actions := r.Targets[0].Actions
	for i := range actions {
		actions[i].Outcome, actions[i].Evidence = "skipped", "the one before it failed"
	}
	actions[0].Outcome, actions[0].Evidence = "done", "gone from the list"
	actions[1].Outcome, actions[1].Evidence = "failed", "CPF9803 cannot allocate; still in the list"
	return r
}

func record(targets ...ledger.Target) ledger.Record {
	r := ledger.Record{
		Schema: ledger.Schema, DryRun: true, Targets: targets,
		Run: ledger.Run{
			ID: "20260528-0200-7f3a", Mode: "plan", Started: "2026-05-28T02:00:00+02:00", Finished: "2026-05-28T02:00:01+02:00",
			Outcome: "planned", Host: "mqadmin1",
			Plugins: []ledger.Plugin{{Name: "journal", Version: "1.0.0", SHA256: "3f0c9a77e2b44d1e9f60b6f2a1c2d3e4f5061728394a5b6c7d8e9f00112233aa"}},
		},
	}
	for _, t := range targets {
		r.Totals.Segments += t.Totals.Segments
		r.Totals.Delete += t.Totals.Delete
		r.Totals.Archive += t.Totals.Archive
		r.Totals.Keep += t.Totals.Keep
		r.Totals.BytesFreed += t.Totals.BytesFreed
		r.Totals.BytesKept += t.Totals.BytesKept
	}
	return r
}
