package report

import (
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// noRoom is a full disk: what was asked for is more than all steps free.
func noRoom() ledger.Record {
	r := figure1()
	t := &r.Targets[0]
	after := func(rebuild, restart ledger.Readiness) ledger.Outlook {
		return ledger.Outlook{Restart: restart, Rebuild: rebuild, StartUpDamage: rebuild}
	}
	inStore := func(on, in int, last string) ledger.Readiness {
		return ledger.Readiness{Ready: "restore first", Needs: on + in, OnSystem: on, InStore: in, First: "AMQA000003", Last: last}
	}
	step := func(cost, why, first, last string, segments, save int, total int64, do string, outlook ledger.Outlook) ledger.NeedStep {
		return ledger.NeedStep{Cost: cost, Why: why, First: "QMORDERS/" + first, Last: "QMORDERS/" + last, Segments: segments, Save: save,
			Bytes: int64(segments) * receiverBytes, TotalBytes: total * receiverBytes, Do: do, Outlook: outlook}
	}
	t.Need = &ledger.Need{
		Bytes: 20 << 30,
		Steps: []ledger.NeedStep{
			step("nothing", "the policy lets them go as it is", "AMQA000001", "AMQA000002", 2, 0, 2,
				"mqhk run --policy conservative --target ibmi/ORDERS --apply", after(onSystem(4), onSystem(3))),
			step("rebuild", "a restart does not need them, the rebuild of a damaged object does: saved first, and restored before it",
				"AMQA000003", "AMQA000003", 1, 1, 3, `write strategy = "fast-startup" in task "receivers" of policy conservative; then run it`,
				after(inStore(3, 1, "AMQA000003"), onSystem(3))),
			step("restart", "a restart needs them: saved first, and restored before the queue manager can start again",
				"AMQA000004", "AMQA000005", 2, 2, 5, `write strategy = "aggressive" in task "receivers" of policy conservative; then run it`,
				after(inStore(1, 3, "AMQA000005"), inStore(1, 2, "AMQA000005"))),
		},
		Rest: []ledger.NeedRest{
			{Reason: "current", Why: "is being written", First: "QMORDERS/AMQA000006", Last: "QMORDERS/AMQA000006", Segments: 1, Bytes: receiverBytes},
		},
		Hints: []string{"ORDERS: the media point stays at AMQA000003 for queue ORDERS.HISTORY"},
	}
	t.Need.Steps[1].Store, t.Need.Steps[2].Store = "vault", "vault"
	t.Need.Steps[1].Missing = []string{"store vault is external: the site saves them first"}
	t.Findings = []finding.Finding{finding.New(finding.NeedNotMet, "ORDERS: 21474836480 bytes were asked for, 514088960 can go at the most")}
	return r
}
