package qsg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// Read asks for the wanted facts of a group. Commands are put to the group by
// its own name, so that any member that runs answers; a member itself is asked
// only for what the group's answer lacks of it. The error says that the target
// is no group, or that the context ended; whatever else goes wrong is in
// Group.Open.
func Read(ctx context.Context, asker observe.Asker, target observe.Target, wanted Wanted) (Group, error) {
	if !target.Group || target.Platform != observe.ZOS {
		return Group{}, fmt.Errorf("target %s is no queue-sharing group", target)
	}
	r := newReader(ctx, asker, target)
	steps := []struct {
		kinds Wanted
		read  func()
	}{
		{Everything, r.readMembers},
		{Structures | DataSets | Catalog | Allocations, r.readDefinitions},
		{Structures | DataSets, r.readSummary},
		{Backups, r.readBackups},
		{Connections, r.readConnections},
		{DataSets | Catalog, r.readDataSets},
		{DataSets, r.readDataSetUsage},
		{DataSets, r.readDataSetConnections},
		{Logs, r.readLogs},
		{Archives, r.readArchives},
		{Systems, r.readSystems},
		{Usage, r.readUsage},
		{BSDS, r.readBSDS},
		{Catalog, r.readCatalog},
		{ArchiveCatalog, r.readArchiveCatalog},
		{Repository, r.readRepository},
		{Allocations, r.readAllocations},
		{Messages, r.readMessages},
		{Notes, r.readNotes},
		{History, r.readHistory},
	}
	for _, step := range steps {
		if wanted.Has(step.kinds) && ctx.Err() == nil {
			step.read()
		}
	}
	if err := ctx.Err(); err != nil {
		return Group{}, fmt.Errorf("reading the group %s: %w", target.Name, err)
	}
	return r.done(), nil
}

// reader is what the reading of a group has: whom it asks, and what it has
// learned so far.
type reader struct {
	ctx      context.Context
	asker    observe.Asker
	target   observe.Target
	zone     *time.Location // nil: not known
	observed time.Time

	group      Group
	members    map[string]*Member
	prefixes   map[string]string // of commands, to the member
	structures map[string]*Structure
	dataSets   map[owned]*DataSet

	answers  map[observe.Question]asked // every question that was put
	parsed   map[string]*mqsc.Answered  // MQSC answers by what they say: one may answer many questions
	listings map[string]*idcams.Listing // those of LISTCAT likewise
}

// owned is what tells shared message data sets apart (case 50).
type owned struct{ structure, owner string }

// asked is what came back.
type asked struct {
	body []byte
	err  error
}

func newReader(ctx context.Context, asker observe.Asker, target observe.Target) *reader {
	r := &reader{
		ctx: ctx, asker: asker, target: target, group: Group{Name: target.Name, Admin: Structure{Name: AdminStructure}},
		members: map[string]*Member{}, prefixes: map[string]string{}, structures: map[string]*Structure{}, dataSets: map[owned]*DataSet{},
		answers: map[observe.Question]asked{}, parsed: map[string]*mqsc.Answered{}, listings: map[string]*idcams.Listing{},
	}
	if target.Zone == "" {
		return r
	}
	zone, err := time.LoadLocation(target.Zone)
	if err != nil {
		r.open(finding.FactsUnreadable, "time zone %q is not known", target.Zone)
	}
	r.zone = zone
	return r
}

// done gives the group with everything in order.
func (r *reader) done() Group {
	g := r.group
	for _, m := range r.members {
		g.Members = append(g.Members, *m)
	}
	for _, s := range r.structures {
		g.Structures = append(g.Structures, *s)
	}
	for _, d := range r.dataSets {
		if s, ok := r.structures[d.Structure]; ok && d.Name == "" {
			d.Name = dataSetName(s.Defined.DSGroup, d.Owner)
		}
		g.DataSets = append(g.DataSets, *d)
	}
	slices.SortFunc(g.Members, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(g.Structures, func(a, b Structure) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(g.DataSets, func(a, b DataSet) int {
		return cmp.Or(cmp.Compare(a.Structure, b.Structure), cmp.Compare(a.Owner, b.Owner))
	})
	g.Observed = r.observed
	if r.zone != nil && !r.observed.IsZero() {
		g.Observed = r.observed.In(r.zone)
	}
	g.Now = observe.LocalStamp(g.Observed)
	return g
}

func (r *reader) open(code finding.Code, format string, args ...any) {
	r.group.Open = append(r.group.Open, finding.About(r.target.Name, code, format, args...))
}

// names gives the members' names in order.
func (r *reader) names() []string {
	names := make([]string, 0, len(r.members))
	for name := range r.members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ask puts a question, once.
func (r *reader) ask(language observe.Language, name, text string) ([]byte, error) {
	q := observe.Question{Language: language, QueueManager: name, Text: text}
	if name != r.target.Name && !language.OfHost() {
		q.Scope = r.target.Name
	}
	if done, ok := r.answers[q]; ok {
		return done.body, done.err
	}
	answer, err := r.asker.Ask(r.ctx, q)
	if err == nil && !answer.At.IsZero() && answer.At.After(r.observed) && name == r.target.Name {
		r.observed = answer.At
	}
	r.answers[q] = asked{answer.Body, err}
	return answer.Body, err
}

// unheard notes that questions had no answer, and what is not known for that.
func (r *reader) unheard(code finding.Code, what string, questions []observe.Question, err error) {
	if r.ctx.Err() != nil || len(questions) == 0 {
		return
	}
	var names []string
	for _, q := range questions {
		name := strings.TrimSuffix(strings.Join(strings.Fields(q.String()), " "), ":")
		if !slices.Contains(r.group.Unanswered, name) {
			r.group.Unanswered = append(r.group.Unanswered, name)
		}
		names = append(names, shortened(name))
	}
	why := "nobody answered " + list(names)
	if !errors.As(err, new(*observe.NotAnswered)) && err != nil {
		why = err.Error()
		if len(names) > 1 {
			why = list(names) + ": " + why
		}
	}
	r.open(code, "%s not known: %s", what, why)
}

// shortened cuts a long question, such as one with many names of data sets.
func shortened(question string) string {
	const most = 80
	if len(question) <= most {
		return question
	}
	return question[:most] + "..."
}

// list names the first of many.
func list(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, "; ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], "; "), len(names)-most)
}
