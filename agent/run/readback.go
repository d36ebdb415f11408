package run

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// readBack looks at the target when all is done: what was deleted is gone, and
// a recovery finds what was promised. It is remembered for later runs.
func (a *applier) readBack(ctx context.Context) error {
	seen, err := a.look(ctx)
	if err != nil {
		return err
	}
	if err := a.remember(ctx, seen); err != nil {
		return err
	}
	back := &ledger.ReadBack{}
	back.Segments, back.Bytes = seen.present()
	for id, bytes := range a.deleted {
		if there, ok := seen.segment(id); ok && there.Fingerprint == a.fingerprints[id] {
			a.record.Findings = append([]finding.Finding{finding.New(finding.RunStopped,
				"%s: %s was deleted and is listed again", a.job.target.Name, id)}, a.record.Findings...)
			continue
		}
		back.Deleted++
		back.BytesFreed += bytes
	}
	for _, inv := range seen.inventories {
		if !inv.Observed.IsZero() {
			back.Observed = inv.Observed.Format(time.RFC3339)
		}
		back.Outlook = outlookOf(recovery.Decide([]recovery.Inventory{inv}, recovery.Promise{}).Managers[0].Outlook)
	}
	a.record.ReadBack = back
	if broken := brokenPromise(a.record.Recovery.Promise, back.Outlook); broken != "" {
		a.record.Findings = append([]finding.Finding{finding.New(finding.PromiseBroken, "%s: %s", a.job.target.Name, broken)}, a.record.Findings...)
	}
	return nil
}

// brokenPromise says which recovery would not be what the policy promises, by
// what is on the system and in the stores now; empty: none.
func brokenPromise(p ledger.Promise, found ledger.Outlook) string {
	for _, one := range []struct {
		name, promised string
		found          ledger.Readiness
	}{
		{"restart", p.Restart, found.Restart}, {"rebuild of a damaged object", p.Rebuild, found.Rebuild},
		{"restart with a start-up object damaged", p.StartUpDamage, found.StartUpDamage},
	} {
		promised, is := recovery.ParseReadiness(one.promised), recovery.ParseReadiness(one.found.Ready)
		if promised != recovery.ReadinessUnknown && is > promised {
			return fmt.Sprintf("%s: promised %s, and it is %s now", one.name, promised, is)
		}
	}
	return ""
}
