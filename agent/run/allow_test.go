package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// usual is what the plugins of the tests may do where their tasks do not say:
// that of the built-ins is what cmd/mqhk gives them.
var usual = map[string]policies.Capabilities{
	"journal": append(policies.Commands("CHGJRN", "RCDMQMIMG"), policies.Actions(policies.AllowArchive, policies.AllowDelete)...),
	"archive": append(policies.Commands("RCDMQIMG"), policies.Actions(policies.AllowArchive, policies.AllowMarkArchived, policies.AllowDelete)...),
	"keeper":  policies.Actions(policies.AllowDelete),
}

// outside are plans that hold, behind all that is allowed, one action that the
// task does not allow: nothing of the plan is done, and the line that would
// permit it is shown.
var outside = []lie{
	behind("an alert", `plan alert (action x); this line in the task would: allow = ["command:CHGJRN", "command:RCDMQMIMG", "archive", "delete", "alert"]`,
		plugins.Action{ID: "x", Kind: plugins.KindAlert, Object: "ORDERS"}),
	behind("a change that is not allowed", `plan command:CRTSAVF (action x); this line in the task would: allow = ["command:CHGJRN", "command:CRTSAVF", "command:RCDMQMIMG", "archive", "delete"]`,
		plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "ORDERS", Command: plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: "/* chgjrn */ crtsavf +\n file(mqvault/x)"}}),
	behind("an act of its own", `plan custom (action x); this line in the task would: allow = ["command:CHGJRN", "command:RCDMQMIMG", "archive", "delete", "custom"]`,
		plugins.Action{ID: "x", Kind: plugins.KindCustom, QueueManager: "ORDERS", Command: harmless}),
	behind("an act of its own with a change that is not allowed", `plan custom (action x), command:CRTSAVF (action x); this line in the task would: allow = ["command:CHGJRN", "command:CRTSAVF", "command:RCDMQMIMG", "archive", "delete", "custom"]`,
		plugins.Action{ID: "x", Kind: plugins.KindCustom, QueueManager: "ORDERS", Command: plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: "CRTSAVF FILE(MQVAULT/X)"}}),
}

// behind has a plan hold one action after all of its own.
func behind(name, says string, a plugins.Action) lie {
	return lie{name, finding.ActionRefused, says, func(_ context.Context, p *plugins.Plan, _ observe.Asker) {
		p.Actions = append(p.Actions, a)
	}}
}

// However an allowed command is written it is allowed; with another behind it, in
// a wrapper, or with what lets receivers go, it is not: not by any list.
func TestAllowsWhatTheReaderRecognises(t *testing.T) {
	everything := policies.Actions("command", "archive", "mark-archived", "delete", "alert", "custom")
	for _, test := range []struct {
		language observe.Language
		text     string
		allow    string // the capability that it takes; empty: no list allows it
	}{
		{observe.MQSC, "BACKUP CFSTRUCT(A)", "command:BACKUP CFSTRUCT"},
		{observe.MQSC, "* a note\nbac +\n  cfstruct(a) -\nexclint(30)", "command:BACKUP CFSTRUCT"},
		{observe.MQSC, "BACKUP CFSTRUCT(A)\nRECOVER CFSTRUCT(A)", ""},
		{observe.MQSC, "BACKUP CFSTRUCT(A); RECOVER CFSTRUCT(A)", ""},
		{observe.MQSC, "BACKUP +\n* a note\nCFSTRUCT(A)", ""},
		{observe.MQSC, "RECOVER CFSTRUCT(A)", ""},
		{observe.MQSC, "SET LOG ARCHIVED(S0000001.LOG)", ""},
		{observe.MQSC, "alter ql(A) DESCR('BACKUP CFSTRUCT')", "command:ALTER QLOCAL"},
		{observe.CL, "chgjrn jrn(a/b) /* rcdmqmimg */ jrnrcv(*gen)", "command:CHGJRN"},
		{observe.CL, "CHGJRN JRN(A/B) JRNRCV(*GEN) DLTRCV(*YES)", ""},
		{observe.CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) SAVF(C/D)", "command:SAVOBJ"},
		{observe.CL, "SAVOBJ OBJ(A) LIB(B) DEV(*SAVF) SAVF(C/D) STG(*FREE)", ""},
		{observe.CL, "CHGJRN JRN(A/B) JRNRCV(*GEN)\nDLTJRNRCV A/C", ""},
		{observe.CL, "SBMJOB CMD(CHGJRN JRN(A/B) JRNRCV(*GEN))", ""},
		{observe.CL, "MYLIB/CHGJRN JRN(A/B) JRNRCV(*GEN)", ""},
		{observe.CTL, "rcdmqimg -m QM1 -t all '*'", "command:RCDMQIMG"},
		{observe.CTL, "/opt/mqm/bin/rcdmqimg -m QM1 -t all '*'", ""},
		{observe.CTL, "rcdmqimg -m QM1 -t all '*' ; rm x", ""},
	} {
		a := plugins.Action{ID: "x", Kind: plugins.KindCommand, QueueManager: "Q", Command: plugins.Command{Language: test.language, QueueManager: "Q", Text: test.text}}
		described := plugins.Description{Actions: []plugins.Kind{plugins.KindCommand}}
		ask := func(allow policies.Capabilities) []finding.Finding {
			j := keptJob()
			j.target.Name, j.task.Allow = "Q", allow
			return refusals(j, described, plugins.Plan{Actions: []plugins.Action{a}}, nil)
		}
		if test.allow == "" {
			found := ask(everything)
			if len(found) == 0 || strings.Contains(found[0].Text, "this line in the task would") {
				t.Errorf("%q: %v; no list may allow it", test.text, found)
			}
			continue
		}
		c, err := policies.ParseCapability(test.allow)
		if err != nil {
			t.Fatal(err)
		}
		if found := ask(policies.Capabilities{c}); len(found) > 0 {
			t.Errorf("%q with %s: %v", test.text, c, found)
		}
		without := slices.DeleteFunc(append(policies.Commands(observe.ChangeVerbs()...), policies.Actions("delete", "custom")...),
			func(other policies.Capability) bool { return other == c })
		if found := ask(without); len(found) != 1 || !strings.Contains(found[0].Text, without.With(c).String()) {
			t.Errorf("%q without %s: %v", test.text, c, found)
		}
	}
}

// Right before they are done actions are looked at once more, whatever was
// planned: nothing is intended that the task does not allow.
func TestLastLookAtWhatIsAllowed(t *testing.T) {
	segment := receiverID(1)
	for _, a := range []plugins.Action{
		{ID: "x", Kind: plugins.KindDelete, Segment: segment},
		{ID: "x", Kind: plugins.KindArchive, Segment: segment},
		{ID: "x", Kind: plugins.KindMarkArchived, Segment: segment},
		{ID: "x", Kind: plugins.KindCustom},
		{ID: "x", Kind: "frobnicate"},
		{ID: "x", Kind: plugins.KindCommand, Command: plugins.Command{Language: observe.CL, Text: "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL)"}},
		{ID: "x", Kind: plugins.KindCommand, Command: plugins.Command{Language: observe.CL, Text: "CHGJRN JRN(A/B)\nDLTJRNRCV A/C"}},
		{ID: "x", Kind: plugins.KindCommand, Command: plugins.Command{Language: observe.CL, Text: "DLTJRNRCV A/C"}},
		{ID: "x", Kind: plugins.KindCommand},
	} {
		j := keptJob()
		j.task.Allow = policies.Commands("CHGJRN")
		ok := plugins.Action{ID: "ok", Kind: plugins.KindCommand, Command: plugins.Command{Language: observe.CL, Text: "chgjrn jrn(a/b)"}}
		applier := (&planner{}).newApplier(j) // without a ledger: an intent would be a panic
		var why *Stopped
		if err := applier.intend(t.Context(), []plugins.Action{ok, a}); !errors.As(err, &why) || why.Code != finding.ActionRefused {
			t.Errorf("%s %s: %v", a.Kind, a.Command.Text, err)
		}
	}
}

// A kept plan is held against what the task allows when it is carried out: another
// list is another policy, and what became unusual meanwhile is refused.
func TestKeptPlanAndWhatIsAllowed(t *testing.T) {
	s := newStation(t, 30)
	s.cl(changeReceiver, recordImages)
	s.run(connect.Plan, "conservative")
	_, kept, err := PlanToKeep(t.Context(), s.order(connect.Plan, "conservative"))
	s.must(err)
	before := s.receivers()

	s.allow = map[string]policies.Capabilities{"journal": policies.Actions(policies.AllowArchive, policies.AllowAlert)}
	order := s.order(connect.Apply, "conservative")
	order.Kept = &kept
	record, err := Run(t.Context(), order)
	s.must(err)
	if f := record.Targets[0].Findings[0]; f.Code != finding.ActionRefused || !strings.Contains(f.Text, `allow = ["archive", "delete", "alert"]`) {
		t.Errorf("findings %v", record.Targets[0].Findings)
	}

	s.allow = nil
	text := s.text
	s.text = strings.Replace(text, `strategy = "conservative"`, "strategy = \"conservative\"\n    allow = [\"delete\"]", 1)
	order = s.order(connect.Apply, "conservative")
	order.Kept = &kept
	record, err = Run(t.Context(), order)
	s.must(err)
	if got := record.Targets[0]; got.Failure != FailedKept || !strings.Contains(got.Error, string(PolicyDiffers)) {
		t.Errorf("%s: %s", got.Failure, got.Error)
	}
	if after := s.receivers(); !slices.Equal(before, after) {
		t.Errorf("receivers %v, before %v", after, before)
	}

	s.text = text // the plan was not used up by what was refused
	order = s.order(connect.Apply, "conservative")
	order.Kept = &kept
	record, err = Run(t.Context(), order)
	s.must(err)
	if record.Run.Outcome != Applied {
		t.Errorf("%s: %v", record.Run.Outcome, record.Targets[0].Findings)
	}
}

// A record says what a task allows where that is not what is usual.
func TestRecordSaysWhatIsAllowed(t *testing.T) {
	s := newStation(t, 2)
	if got := s.run(connect.Plan, "conservative").Targets[0].Allow; got != nil {
		t.Errorf("usual: %v", got)
	}
	if got := s.run(connect.Plan, "unsaved").Targets[0].Allow; !slices.Contains(got, "custom") {
		t.Errorf("of its own: %v", got)
	}
}
