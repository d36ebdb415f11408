package run

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/archive"
)

// lyingArchive plans whatever it is told to, with the facts of a plan that is
// true.
type lyingArchive struct {
	archiving
	lie func(plan *plugins.Plan, asker observe.Asker)
}

func (lyingArchive) Describe() plugins.Description {
	d := archive.Plugin{Version: "1"}.Describe()
	d.Actions = append(d.Actions, plugins.KindCustom, plugins.KindAlert)
	return d
}

func (l lyingArchive) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	plan, err := l.archiving.Plan(ctx, request, asker, progress)
	if err == nil {
		l.lie(&plan, asker)
	}
	return plan, err
}

// ofExtent is an action on an extent as the plan's own facts show it.
func ofExtent(p *plugins.Plan, kind plugins.Kind, number int) plugins.Action {
	name := observe.ExtentName(number)
	a := plugins.Action{
		ID: fmt.Sprintf("lie-%s-%d", kind, number), Kind: kind, QueueManager: "QM1",
		Segment: recovery.SegmentID{QueueManager: "QM1", Name: name}, Object: name, Fingerprint: "bytes=8192",
	}
	for _, s := range p.Decision.Managers[0].Inventory.Segments {
		if s.ID.Name == name {
			a.Fingerprint = s.Fingerprint
		}
	}
	for _, other := range p.Actions { // the directory is that of the true ones
		if i := strings.LastIndexByte(other.Object, '/'); i >= 0 {
			a.Object = other.Object[:i+1] + name
		}
	}
	return a
}

// extentLie is a plan that must not be carried out, and what is said of it.
type extentLie struct {
	name string
	code finding.Code
	lie  func(p *plugins.Plan, asker observe.Asker)
}

func deleteOf(numbers ...int) func(*plugins.Plan, observe.Asker) {
	return func(p *plugins.Plan, _ observe.Asker) {
		for _, n := range numbers {
			p.Actions = append(p.Actions, ofExtent(p, plugins.KindDelete, n))
		}
	}
}

// insteadOf has every action of a true plan turned.
func insteadOf(turn func(a *plugins.Action)) func(*plugins.Plan, observe.Asker) {
	return func(p *plugins.Plan, _ observe.Asker) {
		for i := range p.Actions {
			turn(&p.Actions[i])
		}
	}
}

func sending(language observe.Language, text string) func(*plugins.Plan, observe.Asker) {
	return func(p *plugins.Plan, _ observe.Asker) {
		p.Actions = append(p.Actions, plugins.Action{ID: "send", Kind: plugins.KindCommand, QueueManager: "QM1", Object: "QM1",
			Command: plugins.Command{Language: language, QueueManager: "QM1", Text: text}})
	}
}

// reportOf has the queue manager told of an extent, with or without a copy that
// the plan makes.
func reportOf(save bool, numbers ...int) func(*plugins.Plan, observe.Asker) {
	return func(p *plugins.Plan, _ observe.Asker) {
		var all []plugins.Action
		for _, n := range numbers {
			mark := ofExtent(p, plugins.KindMarkArchived, n)
			if save {
				copied := ofExtent(p, plugins.KindArchive, n)
				copied.Store, mark.After = "vault", []string{copied.ID}
				all = append(all, copied)
			}
			all = append(all, mark)
		}
		p.Actions = all
	}
}

var extentLies = []extentLie{
	{"delete of a needed one", finding.GuardRefused, deleteOf(112)},
	{"delete of all", finding.GuardRefused, func(p *plugins.Plan, asker observe.Asker) {
		p.Actions = p.Actions[:1]
		for n := 101; n <= 130; n++ {
			p.Actions = append(p.Actions, ofExtent(p, plugins.KindDelete, n))
		}
	}},
	{"delete of the current one", finding.GuardRefused, deleteOf(130)},
	{"delete of one that is not there", finding.GuardRefused, deleteOf(99)},
	{"delete past an older one", finding.GuardRefused, func(p *plugins.Plan, _ observe.Asker) { p.Actions = p.Actions[1:]; p.Actions[0].After = nil }},
	{"delete, said to be saved first", finding.GuardRefused, func(p *plugins.Plan, asker observe.Asker) {
		save := ofExtent(p, plugins.KindArchive, 112)
		save.Store = "vault"
		p.Actions = append(p.Actions, save)
		deleteOf(112)(p, asker)
	}},
	{"delete of a file for reuse", finding.GuardRefused, func(p *plugins.Plan, _ observe.Asker) {
		a := ofExtent(p, plugins.KindDelete, 90)
		a.Segment.Name, a.Object = "R0000090.LOG", strings.Replace(a.Object, "S0000090", "R0000090", 1)
		p.Actions = append(p.Actions, a)
	}},
	{"delete of the control file", finding.GuardRefused, func(p *plugins.Plan, _ observe.Asker) {
		a := ofExtent(p, plugins.KindDelete, 100)
		a.ID, a.Segment.Name, a.Object = "control", "amqhlctl.lfh", strings.Replace(a.Object, "S0000100.LOG", "amqhlctl.lfh", 1)
		p.Actions = append(p.Actions, a)
	}},
	{"a name that leads out", finding.ActionRefused, insteadOf(func(a *plugins.Action) { a.Segment.Name = "../" + a.Segment.Name })},
	{"a name that leads out, with its path", finding.GuardRefused, func(p *plugins.Plan, _ observe.Asker) {
		a := &p.Actions[0]
		a.Segment.Name, a.Object = "../amqhlctl.lfh", strings.Replace(a.Object, a.Segment.Name, "../amqhlctl.lfh", 1)
	}},
	{"the path of another", finding.ActionRefused, insteadOf(func(a *plugins.Action) { a.Object = strings.Replace(a.Object, "/active/", "/active/../active/", 1) })},
	{"the path of another queue manager", finding.ActionRefused, insteadOf(func(a *plugins.Action) { a.Object = "/var/mqm/log/PAY/active/" + a.Segment.Name })},
	{"an extent of another queue manager", finding.ActionRefused, insteadOf(func(a *plugins.Action) { a.Segment.QueueManager = "PAY" })},
	{"another fingerprint", finding.GuardRefused, insteadOf(func(a *plugins.Action) { a.Fingerprint += "0" })},
	{"no fingerprint", finding.GuardRefused, insteadOf(func(a *plugins.Action) { a.Fingerprint = "" })},
	{"told under Manual", finding.GuardRefused, reportOf(true, 100, 101)},
	{"told under Manual without a copy", finding.GuardRefused, reportOf(false, 100)},
	{"told of what is current", finding.GuardRefused, reportOf(true, 130)},
	{"SET LOG", finding.ActionRefused, sending(observe.MQSC, "SET LOG ARCHIVED(S0000100.LOG)")},
	{"SET LOG in other words", finding.ActionRefused, sending(observe.MQSC, "set\n+log archived('S0000100.LOG')")},
	{"RESET QMGR TYPE(ARCHLOG)", finding.ActionRefused, sending(observe.MQSC, "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000129.LOG)")},
	{"rm", finding.ActionRefused, sending(observe.CTL, "rm /var/mqm/log/QM1/active/S0000100.LOG")},
	{"rcdmqimg with more behind it", finding.ActionRefused, sending(observe.CTL, "rcdmqimg -m QM1 -t all '*'; rm -rf /")},
	{"rcdmqimg of another", finding.ActionRefused, sending(observe.CTL, "rcdmqimg -m PAY -t all '*'")},
	{"rcrmqobj", finding.ActionRefused, sending(observe.CTL, "rcrmqobj -m QM1 -t all '*'")},
	{"dltmqm", finding.ActionRefused, sending(observe.CTL, "dltmqm QM1")},
	{"a question that is none", finding.QuestionRefused, func(_ *plugins.Plan, asker observe.Asker) {
		_, _ = asker.Ask(context.Background(), observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "SET LOG ARCHIVED(S0000100.LOG)"})
	}},
}

// No plugin can remove an extent that the policy promises to keep, nor any other
// file, nor have the queue manager do it, whatever it plans and however it says
// it: nothing has changed, and the run says why.
func TestLyingArchive(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, case18())
	s.refuses(t, "unsaved", extentLies)
	s.plugin = archiving{archive.Plugin{Version: "1"}}
	s.wants(s.apply("unsaved"), each(100, 111, "delete N done")) // it is no wall
}

// refuses has lies told, of which nothing may come.
func (s *extentSite) refuses(t *testing.T, policy string, lies []extentLie) {
	t.Helper()
	s.run(connect.Plan, policy)
	before := digest(t, s.host.Root)
	for _, lie := range lies {
		t.Run(lie.name, func(t *testing.T) {
			s.plugin = lyingArchive{lie: lie.lie}
			for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
				record := s.run(mode, policy)
				target := record.Targets[0]
				if len(target.Findings) == 0 || target.Findings[0].Code != lie.code {
					t.Errorf("mode %d: %s", mode, sayings(target))
				}
				for _, a := range target.Actions {
					if a.Outcome != "skipped" {
						t.Errorf("mode %d: %s is %s", mode, a.ID, a.Outcome)
					}
				}
				if want := map[connect.Mode]string{connect.Plan: Planned, connect.Apply: InPart}[mode]; record.Run.Outcome != want || record.Totals.Delete != 0 {
					t.Errorf("mode %d: %s, %+v", mode, record.Run.Outcome, record.Totals)
				}
			}
			if got := len(s.copies()); got != 0 {
				t.Errorf("%d copies were made", got)
			}
		})
	}
	if digest(t, s.host.Root) != before || len(s.manager().Reported) != 0 {
		t.Errorf("something has changed; reported %v", s.manager().Reported)
	}
}

// Under LogManagement=Archive nothing is deleted, and the queue manager is told
// of nothing without a copy, nor of what it does not wait for.
func TestLyingArchiveReports(t *testing.T) {
	manyProcesses(t)
	m := case18()
	m.Management, m.Reuse = "Archive", []int{90}
	s := newExtents(t, m)
	s.refuses(t, "saved", []extentLie{
		{"delete of a superfluous one", finding.GuardRefused, func(p *plugins.Plan, _ observe.Asker) {
			p.Actions = []plugins.Action{ofExtent(p, plugins.KindDelete, 100)}
		}},
		{"told without a copy", finding.GuardRefused, reportOf(false, 100)},
		{"told of what is current", finding.GuardRefused, reportOf(true, 130)},
		{"told of what is not there", finding.GuardRefused, reportOf(true, 99)},
		{"told of a file for reuse", finding.GuardRefused, func(p *plugins.Plan, _ observe.Asker) {
			a := ofExtent(p, plugins.KindMarkArchived, 90)
			a.Segment.Name, a.Object = "R0000090.LOG", strings.Replace(a.Object, "S0000090", "R0000090", 1)
			p.Actions = []plugins.Action{a}
		}},
		{"told with another path", finding.ActionRefused, insteadOf(func(a *plugins.Action) { a.Object = "/var/mqm/log/PAY/active/" + a.Segment.Name })},
		{"SET LOG", finding.ActionRefused, sending(observe.MQSC, "SET LOG ARCHIVED(S0000100.LOG)")},
	})
}
