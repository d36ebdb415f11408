package connect

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

var multiplatforms = observe.Target{Name: "QM.1", Platform: observe.Multiplatforms}

func extentAction(kind plugins.Kind, object, name string) plugins.Action {
	return plugins.Action{Kind: kind, QueueManager: "QM.1", Object: object, Segment: recovery.SegmentID{QueueManager: "QM.1", Name: name}}
}

// A copy has no statement: of one that a person made there would be no manifest,
// so that the next plan would call its extent lost.
func TestExtentStatements(t *testing.T) {
	disk := Store{Kind: "directory"}
	const path = "/var/mqm/log/QM!1/active/S0000127.LOG"
	for name, test := range map[string]struct {
		action plugins.Action
		store  Store
		want   string
	}{
		"delete": {extentAction(plugins.KindDelete, path, "S0000127.LOG"), disk, "CTL rm -- '" + path + "'"},
		"mark-archived": {extentAction(plugins.KindMarkArchived, "S0000127.LOG", "S0000127.LOG"), disk,
			"MQSC SET LOG ARCHIVED(S0000127.LOG)"},
		"archive":    {extentAction(plugins.KindArchive, path, "S0000127.LOG"), disk, ""},
		"the site's": {extentAction(plugins.KindArchive, path, "S0000127.LOG"), Store{Kind: "external"}, ""},
		"a command": {plugins.Action{Kind: plugins.KindCommand, Command: plugins.Command{Language: observe.CTL, Text: "rcdmqimg -m QM.1 -t all '*'"}}, disk,
			"CTL rcdmqimg -m QM.1 -t all '*'"},
	} {
		commands, err := Statements(multiplatforms, test.action, false, test.store)
		var lines []string
		for _, c := range commands {
			lines = append(lines, string(c.Language)+" "+c.Text)
		}
		if got := strings.Join(lines, "\n"); err != nil || got != test.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got, test.want)
		}
	}
}

func TestExtentStatementsRefuse(t *testing.T) {
	for _, action := range []plugins.Action{
		extentAction(plugins.KindDelete, "S0000127.LOG", "S0000127.LOG"),
		extentAction(plugins.KindDelete, "active/S0000127.LOG", "S0000127.LOG"),
		extentAction(plugins.KindDelete, "/log/S0000128.LOG", "S0000127.LOG"),
		extentAction(plugins.KindDelete, "/log/../x/S0000127.LOG", "S0000127.LOG"),
		extentAction(plugins.KindDelete, "/S0000127.LOG", "S0000127.LOG"),
		extentAction(plugins.KindDelete, "/log\n/S0000127.LOG", "S0000127.LOG"),
		extentAction(plugins.KindDelete, "/log/R0000127.LOG", "R0000127.LOG"),
		extentAction(plugins.KindArchive, "/log/amqhlctl.lfh", "amqhlctl.lfh"),
		extentAction(plugins.KindMarkArchived, "", "R0000127.LOG"), // case 36
		extentAction(plugins.KindMarkArchived, "", "S0000127.LOG) X("),
	} {
		if commands, err := Statements(multiplatforms, action, false, Store{Kind: "directory"}); err == nil || len(commands) > 0 {
			t.Errorf("%s %q: %v", action.Kind, action.Object, commands)
		}
	}
	for _, test := range []struct {
		name, kind string
		want       error
	}{{"S0000127.LOG", "directory", nil}, {"S0000127.LOG", "external", ErrSiteSaves}} {
		id := recovery.SegmentID{QueueManager: "QM.1", Name: test.name}
		if commands, err := RestoreStatements(multiplatforms, id, Store{Kind: test.kind}); !errors.Is(err, test.want) || len(commands) > 0 {
			t.Errorf("%v: %v, %v", test, commands, err)
		}
	}
}
