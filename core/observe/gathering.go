package observe

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// gathering is what the reading of every log has: whom it asks, by which
// clock, and what it has noted so far.
type gathering struct {
	ctx      context.Context
	asker    Asker
	target   Target
	clock    wallClock
	observed time.Time // when the pieces were listed; zero: no clock known
	now      Stamp     // the same as the system's wall clock shows it

	inventory  *recovery.Inventory // of the facts that are gathered
	copies     []recovery.Copy
	holds      []holdRow
	history    []historyRow
	putBack    historyRow // the newest row that says that the log was put back; a zero time: none
	seen       []Sighting // recovery points that earlier runs saw, oldest first
	unanswered []unheard  // questions of try without an answer
}

func newGathering(ctx context.Context, asker Asker, target Target) gathering {
	return gathering{ctx: ctx, asker: asker, target: target, clock: wallClock{}}
}

// open notes what could not be learned, or what a person should know.
func (g *gathering) open(code finding.Code, format string, args ...any) {
	g.inventory.Open = append(g.inventory.Open, finding.About(g.target.Name, code, format, args...))
}

// ask asks one question that the plan can't do without.
func (g *gathering) ask(language Language, text string) ([]byte, bool) {
	q := Question{Language: language, QueueManager: g.target.Name, Text: text}
	answer, err := g.asker.Ask(g.ctx, q)
	if err != nil {
		g.openError(q, err)
		return nil, false
	}
	g.setObserved(answer)
	return answer.Body, true
}

// setObserved notes when an answer was given.
func (g *gathering) setObserved(answer Answer) {
	if answer.At.IsZero() {
		return
	}
	g.observed = answer.At
	if g.clock.zone != nil {
		g.observed = answer.At.In(g.clock.zone)
	}
	g.now = LocalStamp(g.observed)
}

// wall gives a moment as the system's wall clock showed it, as far as its
// zone or its present offset tells.
func (g *gathering) wall(moment time.Time) Stamp {
	return LocalStamp(moment.In(g.observed.Location()))
}

// try asks one question that the plan can do without. A system that refuses
// it is no worse than one that was not asked.
func (g *gathering) try(language Language, text string) ([]byte, bool) {
	q := Question{Language: language, QueueManager: g.target.Name, Text: text}
	answer, err := g.asker.Ask(g.ctx, q)
	g.silent(q, err)
	return answer.Body, err == nil
}

// openError turns the error of a question into a finding.
func (g *gathering) openError(q Question, err error) {
	var missing *columnsMissing
	switch failed := new(Failed); {
	case errors.As(err, new(*NotAnswered)):
		g.open(finding.NotAnswered, "nobody answered %s", q)
	case errors.As(err, &missing):
		g.open(finding.ServiceMissing, "%s: %v", q, missing)
	case q.Language == Store && errors.As(err, &failed):
		g.open(finding.StoreUnreadable, "%s", cmp.Or(firstLine(failed.Body), err.Error())) // the store's fault, not the system's
	case errors.As(err, &failed) && serviceMissing.Match(failed.Body):
		g.open(finding.ServiceMissing, "%s: %s", q, firstLine(failed.Body))
	default:
		g.open(finding.FactsUnreadable, "%s: %v", q, err)
	}
}

// serviceMissing fits what a system says that lacks an SQL service or a
// column of it (reference, IBM i, trap 28).
var serviceMissing = regexp.MustCompile(`SQL0204|SQL0206|\b42704\b|\b42703\b`)

func (g *gathering) setZone() {
	if g.target.Zone == "" {
		return
	}
	zone, err := time.LoadLocation(g.target.Zone)
	if err != nil {
		g.open(finding.FactsUnreadable, "time zone %q is not known", g.target.Zone)
		return
	}
	g.clock.zone = zone
}
