package report

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
)

// The line below the heading says which step is enough, or that none is.
func TestNeedLine(t *testing.T) {
	step := func(cost string, segments, enough int) ledger.NeedStep {
		return ledger.NeedStep{Cost: cost, First: "S0000100.LOG", Last: "S0000111.LOG", Segments: segments, Enough: enough, Bytes: 1 << 20, TotalBytes: 2 << 20}
	}
	for want, need := range map[string]ledger.Need{
		"Enough with step nothing.": {Met: true, Steps: []ledger.NeedStep{step("nothing", 12, 12)}},
		"Enough with step rebuild: of its 12 extents the oldest 3 would do.": {Met: true, Steps: []ledger.NeedStep{step("nothing", 4, 0), step("rebuild", 12, 3)}},
		"NOT ENOUGH: all steps together free 2.0 MiB (2097152 bytes).":       {Steps: []ledger.NeedStep{step("nothing", 12, 0)}},
		"NOT ENOUGH: all steps together free 0 bytes.":                       {},
		"NOTHING CAN GO, whatever is given up: QM1: no media point":          {Blocked: "nothing goes: QM1: no media point"},
	} {
		need.Bytes = 20 << 30
		target := ledger.Target{Name: "QM1", Platform: "multiplatforms", Need: &need}
		var d document
		needPart(&d, target)
		for _, o := range []string{renderText(d, Options{}), strings.ReplaceAll(renderMarkdown(d), "*", "")} {
			if !strings.Contains(o, "Room for 20.0 GiB") || !strings.Contains(o, want) {
				t.Errorf("%q is not in\n%s", want, o)
			}
		}
	}
	var d document
	needPart(&d, ledger.Target{Name: "QM1"})
	if len(d.blocks) > 0 {
		t.Errorf("nobody asked, and it says %+v", d.blocks)
	}
}
