package multi

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// No flag is swallowed: each has an effect, is refused with the command's exit
// code, or stands in the documentation as one without a meaning here.
func TestFlagsThatMeanNothingAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range commands() {
		for _, flag := range c.idle {
			if entry := "`" + name + " -" + strings.TrimSuffix(flag, "=") + "`"; !strings.Contains(string(text), entry) {
				t.Errorf("docs/simulator.md does not name %s", entry)
			}
		}
		all := c.flagNames()
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%s has a flag twice: %v", name, all)
		}
		for _, flag := range append(c.takes, c.idle...) {
			if flag = strings.TrimSuffix(flag, "="); !strings.Contains(c.usage+" ", "-"+flag+" ") && !strings.Contains(c.usage, "-"+flag+"]") {
				t.Errorf("the usage of %s does not have -%s: %s", name, flag, c.usage)
			}
		}
	}
}

// What is not simulated is refused.
func TestRefusedFlags(t *testing.T) {
	m := ready(t, extents.Linear)
	for _, r := range []refusal{
		{"crtmqm -p 1414 QM2", badParameter, "-p is not simulated"},
		{"crtmqm -oa nobody QM2", badParameter, "-oa nobody"},
		{"crtmqm -ss QM2", badParameter, "-ss is no flag"}, // Windows has it
		{"strmqm -x QM1", badParameter, "-x is not simulated"},
		{"strmqm -f QM1", badParameter, "-f is not simulated"},
		{"strmqm -si QM1", badParameter, "-si is no flag"},
		{"strmqm -d much QM1", badParameter, "-d much"},
		{"endmqm -t 10 QM1", badParameter, "-t is not simulated"},
		{"endmqm -tp 10 QM1", badParameter, "-tp is not simulated"},
		{"endmqm -x QM1", badParameter, "-x is not simulated"},
		{"endmqm -s QM1", badParameter, "-s is not simulated"},
		{"runmqsc -n", 20, "-n is not simulated"},
		{"runmqsc -w 30 QM1", 20, "-w is not simulated"},
		{"rsvmqtrn -m QM1 -f 0,1", badArguments, "-f is not simulated"},
		{"dspmqtrn -m QM1 -h", badArguments, "-h is not simulated"},
		{"dspmqver -p 2", badArguments, "-p is not simulated"},
		{"dspmq -f status", badArguments, "-f is not simulated"},
	} {
		m.fails(r.code, r.says, strings.Fields(r.argv)...)
	}
	m.is("Running")
}

// -z leaves the exit code to tell of errors; what -l of rcdmqimg tells is none.
// strmqm -d says how much a start prints.
func TestQuietFlags(t *testing.T) {
	m := ready(t, extents.Linear)
	for _, r := range []refusal{
		{"crtmqm -z QM1", alreadyExists, ""}, {"strmqm -z QM1", alreadyRuns, ""}, {"endmqm -z QM2", noManager, ""},
		{"dltmqm -z QM1", alreadyRuns, ""}, {"rcdmqimg -z -m QM1 -t qlocal NONE", nothingProcessed, ""},
		{"rcrmqobj -z -m QM1 -t qlocal Q", nothingProcessed, ""}, {"strmqm -z -d much QM1", badParameter, ""},
	} {
		if got := m.run("", strings.Fields(r.argv)...); got.Code != r.code || len(got.Err) > 0 {
			t.Errorf("%s: %d %q", r.argv, got.Code, got.Err)
		}
	}
	if r := m.run("", "rcdmqimg", "-z", "-l", "-m", "QM1", "-t", "all", "*"); r.Code != done || !strings.Contains(string(r.Err), "AMQ7468I") {
		t.Errorf("%d %q", r.Code, r.Err)
	}
	for shown, want := range map[string][2]bool{"none": {false, false}, "minimal": {true, false}, "all": {true, true}} {
		m.well("endmqm", "-i", "QM1")
		out := m.well("strmqm", "-d", shown, "-ns", "QM1")
		if strings.Contains(out, "started") != want[0] || strings.Contains(out, "log records accessed") != want[1] || want[0] != (out != "") {
			t.Errorf("-d %s:\n%s", shown, out)
		}
	}
	m.well("crtmqm", "-g", "mqapps", "-oa", "user", "QM2")
	if out := m.well("dspmq", "-a", "-s", "-n"); !strings.Contains(out, "QMNAME(QM1)") || strings.Contains(out, "QM2") || !strings.Contains(out, "STATUS(Running)") {
		t.Error(out)
	}
}
