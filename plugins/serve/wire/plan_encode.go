package wire

import (
	"maps"
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

const (
	// PartSize is the size in bytes that a part of a plan, of an answer or of
	// earlier results does not exceed; a single row that is larger stands
	// alone.
	PartSize = 256 << 10

	// rowSize is more than any row takes beside its texts and lists: eleven
	// fields of at most eleven bytes each and a time. wordSize is more than a
	// reference or the frame of a text takes.
	rowSize  = 160
	wordSize = 6
)

// EncodePlan writes a plan in parts and hands each to send; it ends with the
// first error of send.
func EncodePlan(plan plugins.Plan, send func(*PlanPart) error) error {
	e := &planEncoder{send: send}
	e.begin()
	e.part.Promise, e.part.Again = encodePromise(plan.Decision.Promise), plan.Again
	for i := range plan.Decision.Managers {
		if err := e.manager(i, &plan.Decision.Managers[i]); err != nil {
			return err
		}
	}
	if err := e.rows(plan); err != nil {
		return err
	}
	e.part.Last = true
	return send(e.part)
}

// planEncoder fills the part at hand and sends it when it is full.
type planEncoder struct {
	send  func(*PlanPart) error
	part  *PlanPart
	table tableWriter
	index int // of the queue manager whose rows are written
	size  int // of part, estimated from above
}

func (e *planEncoder) begin() {
	e.part = &PlanPart{Manager: uint32(e.index)}
	e.table.reset()
	e.size = rowSize
}

// room makes sure that another row of that many bytes fits, beginning a new
// part if it does not.
func (e *planEncoder) room(bytes int) error {
	if e.size+bytes > PartSize && e.size > rowSize {
		if err := e.flush(); err != nil {
			return err
		}
	}
	e.size += bytes
	return nil
}

func (e *planEncoder) flush() error {
	e.part.Strings = e.table.strings
	if err := e.send(e.part); err != nil {
		return err
	}
	e.begin()
	return nil
}

// row makes room for a row that holds these texts and extra bytes beside
// them.
func (e *planEncoder) row(extra int, texts ...string) error {
	bytes := rowSize + extra
	for _, text := range texts {
		if !e.table.has(text) {
			bytes += len(text) + wordSize
		}
	}
	return e.room(bytes)
}

func (e *planEncoder) manager(index int, m *recovery.ManagerDecision) error {
	if index > 0 {
		if err := e.flush(); err != nil {
			return err
		}
	}
	e.index, e.part.Manager = index, uint32(index)
	if err := e.head(m); err != nil {
		return err
	}
	if err := e.segments(m); err != nil {
		return err
	}
	for i := range m.Inventory.Needs {
		n := &m.Inventory.Needs[i]
		if err := e.row(0, n.Name, n.Entry, n.Source); err != nil {
			return err
		}
		e.part.Needs = append(e.part.Needs, &Need{
			Kind: Need_Kind(n.Kind), From: uint64(n.From),
			Name: e.table.ref(n.Name), Entry: e.table.ref(n.Entry), Source: e.table.ref(n.Source), Logged: n.Logged,
		})
	}
	if err := e.copies(m.Inventory.Copies); err != nil {
		return err
	}
	return e.findings(m.Inventory.Open, func(p *PlanPart) *[]*Finding { return &p.Open })
}

func (e *planEncoder) head(m *recovery.ManagerDecision) error {
	o := &m.Outlook
	err := e.row(3*rowSize, // for the three recoveries
		m.Inventory.QueueManager, m.Inventory.Incarnation,
		o.Restart.First, o.Restart.Last, o.Rebuild.First, o.Rebuild.Last, o.StartUpDamage.First, o.StartUpDamage.Last)
	if err != nil {
		return err
	}
	e.part.Head = &Head{
		QueueManager:  e.table.ref(m.Inventory.QueueManager),
		Incarnation:   e.table.ref(m.Inventory.Incarnation),
		Observed:      EncodeTime(m.Inventory.Observed),
		Ordered:       m.Inventory.Ordered,
		Remover:       Head_Remover(m.Inventory.Remover),
		Weakest:       Promise_Strategy(m.Inventory.Weakest),
		Cut:           int64(m.Cut),
		Restart:       e.recovery(o.Restart),
		Rebuild:       e.recovery(o.Rebuild),
		StartUpDamage: e.recovery(o.StartUpDamage),
	}
	return nil
}

func (e *planEncoder) recovery(r recovery.Recovery) *Recovery {
	return &Recovery{
		Ready: Recovery_Readiness(r.Ready), Needs: int64(r.Needs), OnSystem: int64(r.OnSystem),
		InStore: int64(r.InStore), Missing: int64(r.Missing), First: e.table.ref(r.First), Last: e.table.ref(r.Last),
	}
}

// segments writes segments and verdicts side by side, so that a reader can
// show them as they come.
func (e *planEncoder) segments(m *recovery.ManagerDecision) error {
	for i := range max(len(m.Inventory.Segments), len(m.Verdicts)) {
		if i < len(m.Inventory.Segments) {
			if err := e.segment(&m.Inventory.Segments[i]); err != nil {
				return err
			}
		}
		if i < len(m.Verdicts) {
			v := &m.Verdicts[i]
			if err := e.row(0, v.Reason, v.Why); err != nil {
				return err
			}
			e.part.Verdicts = append(e.part.Verdicts, &Verdict{
				Kind: Verdict_Kind(v.Kind), Reason: e.table.ref(v.Reason), Why: e.table.ref(v.Why),
			})
		}
	}
	return nil
}

func (e *planEncoder) segment(s *recovery.Segment) error {
	if err := e.row(0, s.ID.QueueManager, s.ID.Library, s.ID.Name, s.Opened, s.Fingerprint, s.Pin); err != nil {
		return err
	}
	e.part.Segments = append(e.part.Segments, &Segment{
		QueueManager: e.table.ref(s.ID.QueueManager), Library: e.table.ref(s.ID.Library), Name: e.table.ref(s.ID.Name),
		From: uint64(s.From), To: uint64(s.To), Bytes: s.Bytes, State: Segment_State(s.State),
		Opened: e.table.ref(s.Opened), Fingerprint: e.table.ref(s.Fingerprint), Pin: e.table.ref(s.Pin),
		Unneeded: EncodeTime(s.Unneeded),
	})
	return nil
}

func (e *planEncoder) copies(copies []recovery.Copy) error {
	for i := range copies {
		c := &copies[i]
		err := e.row(0, c.Segment.QueueManager, c.Segment.Library, c.Segment.Name, c.Store, c.Opened, c.Closed, c.From, c.To, c.SHA256, c.Incarnation)
		if err != nil {
			return err
		}
		e.part.Copies = append(e.part.Copies, &Copy{
			QueueManager: e.table.ref(c.Segment.QueueManager), Library: e.table.ref(c.Segment.Library), Name: e.table.ref(c.Segment.Name),
			Store: e.table.ref(c.Store), Opened: e.table.ref(c.Opened), Closed: e.table.ref(c.Closed),
			From: e.table.ref(c.From), To: e.table.ref(c.To), Bytes: c.Bytes, Sha256: e.table.ref(c.SHA256), Verified: c.Verified,
			Incarnation: e.table.ref(c.Incarnation),
		})
	}
	return nil
}

func (e *planEncoder) findings(findings []finding.Finding, list func(*PlanPart) *[]*Finding) error {
	for _, f := range findings {
		if err := e.row(0, string(f.Code), f.Text); err != nil {
			return err
		}
		rows := list(e.part)
		*rows = append(*rows, &Finding{
			Severity: Finding_Severity(f.Severity), Code: e.table.ref(string(f.Code)), Text: e.table.ref(f.Text),
		})
	}
	return nil
}

// rows writes what belongs to the whole plan.
func (e *planEncoder) rows(plan plugins.Plan) error {
	if err := e.findings(plan.Decision.Findings, func(p *PlanPart) *[]*Finding { return &p.DecisionFindings }); err != nil {
		return err
	}
	for i := range plan.Objects {
		if err := e.object(&plan.Objects[i]); err != nil {
			return err
		}
	}
	for i := range plan.Actions {
		a := &plan.Actions[i]
		if err := e.room(actionSize(a)); err != nil {
			return err
		}
		e.part.Actions = append(e.part.Actions, encodeAction(&e.table, a))
	}
	if err := e.findings(plan.Findings, func(p *PlanPart) *[]*Finding { return &p.Findings }); err != nil {
		return err
	}
	for i := range plan.Pictures {
		if err := e.picture(&plan.Pictures[i]); err != nil {
			return err
		}
	}
	e.part.Strings = e.table.strings
	return nil
}

func (e *planEncoder) object(o *plugins.Object) error {
	texts := []string{o.Kind, o.Name, o.Owner, o.Verdict, o.Reason}
	keys := slices.Sorted(maps.Keys(o.Facts))
	for _, key := range keys {
		texts = append(texts, key, o.Facts[key])
	}
	if err := e.row(3*wordSize*len(keys), texts...); err != nil {
		return err
	}
	object := &Object{
		Kind: e.table.ref(o.Kind), Name: e.table.ref(o.Name), Owner: e.table.ref(o.Owner),
		Verdict: e.table.ref(o.Verdict), Reason: e.table.ref(o.Reason),
	}
	for _, key := range keys {
		object.Facts = append(object.Facts, &Fact{Key: e.table.ref(key), Value: e.table.ref(o.Facts[key])})
	}
	e.part.Objects = append(e.part.Objects, object)
	return nil
}
