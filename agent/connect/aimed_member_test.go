package connect

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// A BACKUP without CMDSCOPE runs on whichever member got it and floods that
// log; CMDSCOPE names another than the plan says to people.
func TestAimedAtAMember(t *testing.T) {
	group := observe.Target{Name: "QSG1", Platform: observe.ZOS, Group: true, Members: []string{"QMA1", "QMBK"}}
	single := observe.Target{Name: "QM01", Platform: observe.ZOS}
	tests := []struct {
		name   string
		target observe.Target
		to     string
		text   string
		wrong  string
	}{
		{"a backup on its member", group, "QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMBK) EXCLINT(30)", ""},
		{"quoted", group, "QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE('QMBK')", ""},
		{"no scope, to the member itself", group, "QMBK", "BACKUP CFSTRUCT(APPSTR1)", ""},
		{"blank scope", group, "QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(' ')", ""},
		{"no scope, to the group", group, "QSG1", "BACKUP CFSTRUCT(APPSTR1)", "does not say which member"},
		{"archive of anybody's log", group, "QSG1", "ARC LOG", "does not say which member"},
		{"a definition of the whole group", group, "QSG1", "ALTER SMDS(QMA1) CFSTRUCT(APPSTR1) DSBUFS(112)", ""},
		{"another member", group, "QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMA1)", "sends it on"},
		{"a stranger", group, "QMBK", "ARCHIVE LOG CMDSCOPE(QMX1)", "not of QSG1"},
		{"everybody", group, "QMBK", "START SMDSCONN(*) CFSTRUCT(APPSTR1) CMDSCOPE(*)", "every member"},
		{"a single one", single, "QM01", "ARCHIVE LOG", ""},
		{"a single one, elsewhere", single, "QM01", "ARCHIVE LOG CMDSCOPE(QM02)", "not of QM01"},
		{"unreadable", group, "QMBK", "BACKUP CFSTRUCT(APPSTR1", ":"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Aimed(test.target, "", plugins.Command{Language: observe.MQSC, QueueManager: test.to, Text: test.text})
			switch {
			case test.wrong == "" && err != nil:
				t.Error(err)
			case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)):
				t.Errorf("got %v, want %q", err, test.wrong)
			}
		})
	}
}
