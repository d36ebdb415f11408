package connect

import (
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// A person is told to type only what shows all of itself: a name that holds a
// control character, or turns the direction of writing, is in no grant, wherever
// it comes from. What is missing still counts as missing.
func TestCheckGrantsOnlyWhatShows(t *testing.T) {
	for name, test := range map[string]struct {
		needs   Needs
		changes []string
		missing []string
		says    bool // the row says that it grants nothing
	}{
		"the user's name": {Needs{Uses: []Use{ForDelete}}, []string{mqhkAsks, "uid=1001(r\x00\x7ft) gid=1001(mqhk)"},
			[]string{"delete in /var/mqm/log/PAY!1/active: unknown"}, false},
		"the user of the command line": {Needs{Uses: []Use{ForDelete}, User: "mqhk\nreboot"}, []string{memberOfMqm, noMember},
			[]string{"delete in /var/mqm/log/PAY!1/active: no"}, true},
		"the group of the extents": {Needs{Uses: []Use{ForSave}}, []string{"mqm:mqm -rw-rw----", "mqm:m\x01qm -rw-rw----"},
			[]string{"read the extents: no"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			rows := prunable(t, test.needs, test.changes...)
			if got := verdicts(rows); !slices.Equal(got, test.missing) {
				t.Errorf("missing %q, want %q", got, test.missing)
			}
			if got := grants(rows); len(got) > 0 {
				t.Errorf("grants %q", got)
			}
			if said := strings.Contains(notYes(rows)[0].Detail, unshowable); said != test.says {
				t.Errorf("%+v", notYes(rows))
			}
		})
	}
}

// All that is needed is granted, or nothing.
func TestShowable(t *testing.T) {
	for _, test := range []struct{ grant, want []string }{
		{nil, nil},
		{[]string{"chmod g+w /log"}, []string{"chmod g+w /log"}},
		{[]string{"chmod g+w /log", shellLine("usermod", "-aG", "mqm", "r\x00\x7ft")}, nil},
		{[]string{"GRTOBJAUT OBJ(QMA/AMQ\x1b) OBJTYPE(*LIB) USER(MQHK) AUT(*USE)"}, nil},
		{[]string{"chmod g+w '/log\u202e'"}, nil},
	} {
		row := Checked{Verdict: No, Detail: "why", Grant: test.grant}
		row.showable()
		if !slices.Equal(row.Grant, test.want) || row.Verdict != No || !strings.HasPrefix(row.Detail, "why") {
			t.Errorf("%q: %+v", test.grant, row)
		}
	}
}

// On IBM i such a name is none either: the grants say so in its place.
func TestCheckProfileShows(t *testing.T) {
	for printed, want := range map[string]string{
		"User profile . . . :   MQHK\n":                      "MQHK",
		"User profile . . . :   MQ\x1bHK\n":                  "",
		"User profile . . . :   MQ\x7fHK\nGroup . . :   X\n": "X", // a line that could be read
	} {
		if got := readProfile(printed).name; got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
	target := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	rows, err := Check(t.Context(), target, says{"DSPUSRPRF": "User profile . . . :   MQ\x1bHK\n", "CHKOBJ": "CPF9802: Not authorized."}, Needs{})
	if err != nil || len(grants(rows)) == 0 {
		t.Fatalf("%v, %+v", err, rows)
	}
	for _, grant := range grants(rows) {
		if strings.Contains(grant, "MQ\x1b") || strings.HasPrefix(grant, "GRTOBJAUT") && !strings.Contains(grant, "USER("+nobody+")") {
			t.Errorf("%q", grant)
		}
	}
}
