package run

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// A member's commands and data sets are the group's own; those of others are
// not, nor is a command that goes on to another member than it says.
func TestMembersOfAGroup(t *testing.T) {
	group := observe.Target{Name: "QSG1", Platform: observe.ZOS, Group: true, Members: []string{"QMA1", "QMBK"}}
	command := func(to, text string) plugins.Command {
		return plugins.Command{Language: observe.MQSC, QueueManager: to, Text: text}
	}
	for _, test := range []struct {
		command plugins.Command
		wrong   string
	}{
		{command("QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMBK) EXCLINT(30)"), ""},
		{command("QSG1", "ALTER SMDS(QMA1) CFSTRUCT(APPSTR1) DSBUFS(112)"), ""},
		{command("QMX1", "BACKUP CFSTRUCT(APPSTR1)"), "not the target"},
		{command("QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMA1)"), "sends it on"},
		{command("QMBK", "RECOVER CFSTRUCT(APPSTR1) CMDSCOPE(QMBK)"), "RECOVER"},
	} {
		if got := refuseCommand(group, test.command); (got == "") != (test.wrong == "") || !strings.Contains(got, test.wrong) {
			t.Errorf("%v: %q, want %q", test.command, got, test.wrong)
		}
	}
	for label, wrong := range map[string]string{"QMA1": "", "QSG1": "", "QMX1": `labelled "QMX1"`} {
		a := plugins.Action{ID: "1", Kind: plugins.KindAlert, QueueManager: label}
		described := plugins.Description{Actions: []plugins.Kind{plugins.KindAlert}}
		if got := refuse(job{target: group}, described, a, nil, nil); (got == "") != (wrong == "") || !strings.Contains(got, wrong) {
			t.Errorf("labelled %s: %q", label, got)
		}
	}
	for member, fine := range map[string]bool{"QMA1": true, "QSG1": true, "QMX1": false, "": false} {
		a := plugins.Action{Kind: plugins.KindDelete, Segment: recovery.SegmentID{QueueManager: member, Name: "MQP.QMA1.ARC1.A0000001"}}
		if got := refuseSegment(group, a); (got == "") != fine {
			t.Errorf("a data set of %q: %q", member, got)
		}
	}
}
