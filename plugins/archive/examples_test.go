package archive

import (
	"os"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/transcript"
)

// example is the transcript of the README.
const example = "../../examples/qm1.mqt"

// The transcript of the folder examples, under the promises of the three bundled
// policies: it has to show what its comments and the README say.
func TestExample(t *testing.T) {
	script, err := transcript.Open(example)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [3]struct{ verdicts, codes string }{
		{"992-996 delete, 997-008 keep", "foreign-files file-system-filling"},
		{"992-002 archive+delete, 003-008 keep", "foreign-files file-system-filling"},
		{"992-005 hold, 006-008 keep", "foreign-files report-only file-system-filling"},
	} {
		plan := planOn(t, script, bundled[i], nil)
		if got := verdicts(plan); got != want.verdicts {
			t.Errorf("%s\n got %s\nwant %s", bundled[i].Promise.Strategy, got, want.verdicts)
		}
		if got := codes(plan); !sameWords(got, want.codes) {
			t.Errorf("%s: findings %s, want %s", bundled[i].Promise.Strategy, got, want.codes)
		}
	}
}

// sameWords compares lists without regard to order.
func sameWords(a, b string) bool {
	for _, word := range strings.Fields(a) {
		if !strings.Contains(" "+b+" ", " "+word+" ") {
			return false
		}
	}
	return len(strings.Fields(a)) == len(strings.Fields(b))
}

// What the example proposes to try shows something, under conservative.
func TestExampleChanged(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	_, second, _ := strings.Cut(whole, "amqhlctl.lfh")
	for name, test := range map[string]struct{ text, verdicts, code string }{
		"the media point moves":  {strings.ReplaceAll(whole, "MEDIALOG(S9999997.LOG)                  A", "MEDIALOG(S0000001.LOG)                  A"), "992-000 delete, 001-008 keep", ""},
		"an extent is missing":   {cutLine(whole, "S9999998.LOG 16785408"), "992-996 hold, 997 keep, 998 lost, 999-008 keep", "receiver-lost"},
		"the manager removes":    {strings.ReplaceAll(whole, "LogManagement=Manual\nS", "LogManagement=Archive\nS"), "992-008 keep", "queue-manager-removes"},
		"another kind of log":    {strings.ReplaceAll(whole, "LogType=LINEAR", "LogType=CIRCULAR"), "992-996 hold, 997-008 keep", "log-kind-unknown"},
		"nobody shows qm.ini":    {between(whole, ">>> FILE QM1: /var/mqm/qmgrs", "# It runs"), "992-996 hold, 997-008 keep", "log-kind-unknown"},
		"the restart point goes": {strings.Replace(whole, second, strings.Replace(second, "RECLOG(S0000003.LOG)", "RECLOG(S9999996.LOG)", 1), 1), "992-996 hold, 997-008 keep", "mark-went-back"},
	} {
		script, err := transcript.Parse(name, strings.NewReader(test.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		plan := planOn(t, script, bundled[0], nil)
		if got := verdicts(plan); got != test.verdicts || !strings.Contains(codes(plan), test.code) {
			t.Errorf("%s: %s (%s), want %s (%s)", name, got, codes(plan), test.verdicts, test.code)
		}
	}
}

// cutLine takes out the line that begins in some way.
func cutLine(text, begins string) string {
	before, rest, _ := strings.Cut(text, "\n"+begins)
	_, after, _ := strings.Cut(rest, "\n")
	return before + "\n" + after
}

// between takes out what lies between two texts, and the first of them.
func between(text, first, last string) string {
	before, rest, _ := strings.Cut(text, first)
	_, after, _ := strings.Cut(rest, last)
	return before + last + after
}
