// Package journal prunes the journal receivers of IBM i queue managers. It
// only plans: core/observe learns the facts, core/recovery decides, and this
// package turns verdicts into ordered actions and adds what a person should
// know beside them.
package journal

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// Name is the plugin as tasks name it.
const Name = "journal"

// Plugin is the journal plugin. The zero value is ready.
type Plugin struct{ Version string }

// Describe says what the plugin needs and what it may plan.
func (p Plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      Name,
		Version:   p.Version,
		Doc:       "Prunes the journal receivers of IBM i queue managers that no recovery needs.",
		Platforms: []observe.Platform{observe.IBMi},
		Languages: []observe.Language{observe.SQL, observe.UsrSpc, observe.File, observe.MQSC, observe.Store, observe.HoldOn, observe.Note, observe.History},
		Actions:   []plugins.Kind{plugins.KindArchive, plugins.KindDelete},
		Schema: schema.Schema{
			Doc: "Thresholds of the findings; they keep and delete nothing.",
			Fields: []schema.Field{
				{Name: "behind", Kind: schema.Int, Default: int64(20), Min: 1, Max: 1000000,
					Doc: "Receivers that a recovery point may lie behind the attached one before that is a finding."},
				{Name: "not_moving", Kind: schema.Duration, Default: defaultNotMoving, Min: int64(minute), Max: int64(366 * day),
					Doc: "How old the entry at a recovery point may be before that is a finding."},
				{Name: "long_chain", Kind: schema.Int, Default: int64(200), Min: 2, Max: 1000000,
					Doc: "Receivers in the chain above which its length is a finding."},
			},
		},
	}
}

// Plan reads the journal of the target, decides, and orders what may go.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	host.Progress(0, 0, "reading the journal of "+request.Target.Name)
	facts, err := observe.ReadJournal(ctx, host, request.Target)
	if err != nil {
		return plugins.Plan{}, err
	}
	host.Log().Debug("journal read", "receivers", len(facts.Receivers), "open", len(facts.Inventory.Open))
	decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, request.Promise)
	plan := plugins.Plan{Decision: decision, Actions: actions(decision.Managers[0], request)}
	plan.Findings = append(plan.Findings, facts.Inventory.Open...)
	plan.Findings = append(plan.Findings, journalFindings(facts, request)...)
	plan.Findings = append(plan.Findings, p.pointFindings(ctx, facts, decision.Managers[0], request, host)...)
	host.Progress(1, 1, "planned")
	return plan, nil
}

// actions turns verdicts into steps: each receiver is saved before it goes,
// and goes after the one before it has gone (case 9: never in another order,
// never past a failure).
func actions(manager recovery.ManagerDecision, request plugins.Request) []plugins.Action {
	var steps []plugins.Action
	var previous string
	for i, verdict := range manager.Verdicts {
		segment := manager.Inventory.Segments[i]
		if !verdict.Kind.Goes() {
			continue
		}
		var after []string
		if verdict.Kind == recovery.ArchiveDelete {
			save := step(plugins.KindArchive, len(steps), segment, verdict)
			save.Store = request.Store
			steps = append(steps, save)
			after = append(after, save.ID)
		}
		if previous != "" {
			after = append(after, previous)
		}
		remove := step(plugins.KindDelete, len(steps), segment, verdict)
		remove.After = after
		steps = append(steps, remove)
		previous = remove.ID
	}
	return steps
}

func step(kind plugins.Kind, n int, segment recovery.Segment, verdict recovery.Verdict) plugins.Action {
	return plugins.Action{
		ID:           fmt.Sprintf("%s-%d", kind, n+1),
		QueueManager: segment.ID.QueueManager,
		Kind:         kind,
		Object:       segment.ID.String(),
		Segment:      segment.ID,
		Fingerprint:  segment.Fingerprint,
		Reason:       verdict.Why,
	}
}

// journalFindings says what the journal itself shows.
func journalFindings(facts observe.JournalFacts, request plugins.Request) []finding.Finding {
	var found []finding.Finding
	add := func(code finding.Code, format string, args ...any) {
		found = append(found, finding.New(code, request.Target.Name+": "+format, args...))
	}
	journal := facts.Journal.Library + "/" + facts.Journal.Name
	if facts.Journal.SystemDeletes {
		add(finding.SystemDeletes, "%s has DLTRCV(*YES): the system deletes receivers that MQ may need", journal)
	}
	if limit := request.Config.Int("long_chain"); limit > 0 && int64(len(facts.Receivers)) > limit {
		add(finding.ChainLong, "%s has %d receivers", journal, len(facts.Receivers))
	}
	if m := facts.Messages; !m.Clash.IsZero() {
		add(finding.NameClash, "CPI70E3 on %s at %s: %s", m.ClashQueue, m.Clash, m.ClashText)
	}
	for _, text := range facts.Messages.Damaged {
		add(finding.ObjectDamaged, "%s", text)
	}
	if text := sequenceNearEnd(facts); text != "" {
		add(finding.SequenceNearEnd, "%s: %s", journal, text)
	}
	return found
}
