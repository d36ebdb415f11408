package wire

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// MaxManagers is the largest number of queue managers one plan can speak of.
// A queue-sharing group has 32 members at most; the rest is air.
const MaxManagers = 4096

// errAfterLast says that a plan went on after its end.
var errAfterLast = errors.New("a part follows the last one")

// PlanDecoder joins the parts of a plan. The zero value is ready.
type PlanDecoder struct {
	plan plugins.Plan
	next int // index of the queue manager that the last part spoke of, plus one
	done bool
}

// Add reads the next part. It fails when the part contradicts those before
// it or refers to texts that are not there; the plan is then worthless.
func (d *PlanDecoder) Add(part *PlanPart) error {
	if d.done {
		return errAfterLast
	}
	if part.GetPromise() != nil {
		promise, err := decodePromise(part.GetPromise())
		if err != nil {
			return err
		}
		d.plan.Decision.Promise = promise
	}
	d.plan.Again = d.plan.Again || part.GetAgain()
	table := &tableReader{strings: part.GetStrings()}
	if err := d.manager(table, part); err != nil {
		return err
	}
	d.rows(table, part)
	if err := d.pictures(table, part.GetPictures()); err != nil {
		return err
	}
	d.done = part.GetLast()
	return table.err
}

// Done tells whether the last part was read.
func (d *PlanDecoder) Done() bool { return d.done }

// Plan gives the whole plan; it fails before the last part was read.
func (d *PlanDecoder) Plan() (plugins.Plan, error) {
	if !d.done {
		return plugins.Plan{}, errors.New("the last part of the plan is missing")
	}
	return d.plan, nil
}

// manager reads what belongs to one queue manager. A head begins the next
// one; a part without a head goes on with the last.
func (d *PlanDecoder) manager(t *tableReader, part *PlanPart) error {
	index := int64(part.GetManager())
	if head := part.GetHead(); head != nil {
		if index != int64(d.next) || index >= MaxManagers {
			return fmt.Errorf("queue manager %d of the plan begins where %d should (of %d at most)", index, d.next, MaxManagers)
		}
		m, err := decodeHead(t, head)
		if err != nil {
			return err
		}
		d.plan.Decision.Managers = append(d.plan.Decision.Managers, m)
		d.next++
	}
	rows := len(part.GetSegments()) + len(part.GetVerdicts()) + len(part.GetNeeds()) + len(part.GetCopies()) + len(part.GetOpen())
	if rows == 0 {
		return nil
	}
	if d.next == 0 || index != int64(d.next-1) {
		return fmt.Errorf("rows of queue manager %d stand before its head or after the next one's", index)
	}
	m := &d.plan.Decision.Managers[d.next-1]
	decodeSegments(t, part.GetSegments(), &m.Inventory)
	m.Verdicts = roomFor(m.Verdicts, len(part.GetVerdicts()))
	for _, v := range part.GetVerdicts() {
		m.Verdicts = append(m.Verdicts, recovery.Verdict{
			Kind: small[recovery.VerdictKind](v.GetKind()), Reason: t.text(v.GetReason()), Why: t.text(v.GetWhy()),
		})
	}
	for _, n := range part.GetNeeds() {
		m.Inventory.Needs = append(m.Inventory.Needs, recovery.Need{
			Kind: small[recovery.NeedKind](n.GetKind()), From: recovery.Position(n.GetFrom()),
			Name: t.text(n.GetName()), Entry: t.text(n.GetEntry()), Source: t.text(n.GetSource()),
			Logged: n.GetLogged(),
		})
	}
	decodeCopies(t, part.GetCopies(), &m.Inventory)
	m.Inventory.Open = decodeFindings(t, part.GetOpen(), m.Inventory.Open)
	return nil
}

func decodeHead(t *tableReader, head *Head) (m recovery.ManagerDecision, err error) {
	m.Inventory.QueueManager = t.text(head.GetQueueManager())
	m.Inventory.Incarnation = t.text(head.GetIncarnation())
	m.Inventory.Observed = DecodeTime(head.GetObserved())
	m.Inventory.Ordered = head.GetOrdered()
	m.Inventory.Remover = small[recovery.Remover](head.GetRemover())
	m.Inventory.Weakest = small[recovery.Strategy](head.GetWeakest())
	if m.Cut, err = whole("cut", head.GetCut()); err != nil {
		return m, err
	}
	for _, r := range []struct {
		to   *recovery.Recovery
		from *Recovery
	}{
		{&m.Outlook.Restart, head.GetRestart()},
		{&m.Outlook.Rebuild, head.GetRebuild()},
		{&m.Outlook.StartUpDamage, head.GetStartUpDamage()},
	} {
		if *r.to, err = decodeRecovery(t, r.from); err != nil {
			return m, err
		}
	}
	return m, nil
}

func decodeRecovery(t *tableReader, r *Recovery) (read recovery.Recovery, err error) {
	read.Ready = small[recovery.Readiness](r.GetReady())
	read.First, read.Last = t.text(r.GetFirst()), t.text(r.GetLast())
	for _, count := range []struct {
		to   *int
		from int64
	}{
		{&read.Needs, r.GetNeeds()}, {&read.OnSystem, r.GetOnSystem()},
		{&read.InStore, r.GetInStore()}, {&read.Missing, r.GetMissing()},
	} {
		if *count.to, err = whole("count of segments", count.from); err != nil {
			return read, err
		}
	}
	return read, nil
}

// roomFor makes room for so many more. It doubles, where append would add a
// quarter and copy a long chain of segments many times.
func roomFor[E any](list []E, more int) []E {
	if cap(list)-len(list) >= more {
		return list
	}
	return slices.Grow(list, max(more, len(list)))
}

func decodeSegments(t *tableReader, segments []*Segment, inventory *recovery.Inventory) {
	inventory.Segments = roomFor(inventory.Segments, len(segments))
	for _, s := range segments {
		inventory.Segments = append(inventory.Segments, recovery.Segment{
			ID:   recovery.SegmentID{QueueManager: t.text(s.GetQueueManager()), Library: t.text(s.GetLibrary()), Name: t.text(s.GetName())},
			From: recovery.Position(s.GetFrom()), To: recovery.Position(s.GetTo()),
			Bytes: s.GetBytes(), State: small[recovery.State](s.GetState()),
			Opened: t.text(s.GetOpened()), Fingerprint: t.text(s.GetFingerprint()), Pin: t.text(s.GetPin()),
			Unneeded: DecodeTime(s.GetUnneeded()),
		})
	}
}

func decodeCopies(t *tableReader, copies []*Copy, inventory *recovery.Inventory) {
	for _, c := range copies {
		inventory.Copies = append(inventory.Copies, recovery.Copy{
			Segment: recovery.SegmentID{QueueManager: t.text(c.GetQueueManager()), Library: t.text(c.GetLibrary()), Name: t.text(c.GetName())},
			Store:   t.text(c.GetStore()), Opened: t.text(c.GetOpened()), Closed: t.text(c.GetClosed()),
			From: t.text(c.GetFrom()), To: t.text(c.GetTo()), Bytes: c.GetBytes(),
			SHA256: t.text(c.GetSha256()), Incarnation: t.text(c.GetIncarnation()), Verified: c.GetVerified(),
		})
	}
}

func decodeFindings(t *tableReader, findings []*Finding, read []finding.Finding) []finding.Finding {
	for _, f := range findings {
		severity := finding.Critical // a severity from a newer sender is taken for the worst
		if number := f.GetSeverity(); number >= 0 && number <= 255 {
			severity = finding.Severity(number)
		}
		read = append(read, finding.Finding{Severity: severity, Code: finding.Code(t.text(f.GetCode())), Text: t.text(f.GetText())})
	}
	return read
}

// rows reads what belongs to the whole plan.
func (d *PlanDecoder) rows(t *tableReader, part *PlanPart) {
	plan := &d.plan
	plan.Decision.Findings = decodeFindings(t, part.GetDecisionFindings(), plan.Decision.Findings)
	for _, o := range part.GetObjects() {
		object := plugins.Object{
			Kind: t.text(o.GetKind()), Name: t.text(o.GetName()), Owner: t.text(o.GetOwner()),
			Verdict: t.text(o.GetVerdict()), Reason: t.text(o.GetReason()),
		}
		if len(o.GetFacts()) > 0 {
			object.Facts = make(map[string]string, len(o.GetFacts()))
		}
		for _, fact := range o.GetFacts() {
			object.Facts[t.text(fact.GetKey())] = t.text(fact.GetValue())
		}
		plan.Objects = append(plan.Objects, object)
	}
	for _, a := range part.GetActions() {
		plan.Actions = append(plan.Actions, decodeAction(t, a))
	}
	plan.Findings = decodeFindings(t, part.GetFindings(), plan.Findings)
}
