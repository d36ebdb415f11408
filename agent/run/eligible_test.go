package run

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
)

// A no names the policy that says it, in the words of the operator; where no
// policy matters, none.
func TestEligible(t *testing.T) {
	once := Binding{"once", recovery.Promise{Strategy: recovery.Conservative}}
	nine := Binding{"nine", recovery.Promise{Strategy: recovery.Conservative, KeepNewest: 9}}
	tests := []struct {
		segment  string
		bindings []Binding
		yes      bool
		why      string // its beginning
	}{
		{"AMQA000006", []Binding{once}, true, "no recovery needs it"},
		{"LIBA/AMQA000006", []Binding{once}, true, "no recovery needs it"},
		{"AMQA000010", []Binding{once}, false, "policy once: is being written"},
		{"AMQA000008", []Binding{once}, false, "policy once: needed from the "},
		{"AMQA000006", []Binding{once, nine}, false, "policy nine: one of the 9 newest"},
		{"AMQA000006", nil, false, "no policy speaks of it"},
		{"AMQA000099", []Binding{once}, false, "it is not in the list of segments"},
		{"LIBZ/AMQA000006", []Binding{once}, false, "it is not in the list of segments"},
	}
	script, err := transcript.Open(filepath.Join("..", "..", "plugins", "journal", "testdata", "case01.mqt"))
	if err != nil {
		t.Fatal(err)
	}
	target := script.Targets()[0]
	for _, test := range tests {
		gate := connect.New(connect.Plan, map[string]connect.Dialer{target.Name: connect.Transcript(script)})
		answer, err := Eligible(t.Context(), gate, target, test.bindings, test.segment)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Eligible != test.yes || !strings.HasPrefix(answer.Why, test.why) || answer.Target != "QM1" || answer.Segment != test.segment || answer.Observed.IsZero() {
			t.Errorf("%s under %v: %+v", test.segment, test.bindings, answer)
		}
	}
}
