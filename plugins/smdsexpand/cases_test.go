package smdsexpand

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

// codesOf gives the codes of a plan, each once, in order of the alphabet.
func codesOf(plan plugins.Plan) string {
	var codes []string
	for _, f := range plan.Findings {
		codes = append(codes, string(f.Code))
	}
	slices.Sort(codes)
	return strings.Join(slices.Compact(codes), " ")
}

// The transcript of the folder examples shows what its comments say.
func TestExample(t *testing.T) {
	plan := planWith(t, example(t), nil)
	if got, want := codesOf(plan), "buffers-short data-set-expanded data-set-filling expansion-ahead extents-refreshed too-little-history"; got != want {
		t.Errorf("findings\n got %s\nwant %s", got, want)
	}
	for code, want := range map[finding.Code]string{
		finding.DataSetFilling:  "APPSTR1/QMA1: 91% is in use; the next expansion, at 90%, adds 182.8 MiB, a tenth of its size, since it has no secondary quantity",
		finding.DataSetExpanded: "APPSTR1/QMA1: it expanded at 2026-05-27 23:01:00 by 42480 pages to 466740 in all; it has 11 extents of 123",
		finding.BuffersShort:    "APPSTR1/QMBK: 12 requests waited at once for a buffer (3% of all): ALTER SMDS(QMBK) CFSTRUCT(APPSTR1) DSBUFS(112), 112 x 256.0 KiB, that is 28.0 MiB of storage",
	} {
		if got := said(plan, code); len(got) != 1 || got[0] != want {
			t.Errorf("%s\n got %q\nwant %q", code, got, want)
		}
	}
	if len(plan.Actions) != 0 {
		t.Errorf("actions without a setting: %+v", plan.Actions)
	}
	verdicts := map[string]string{}
	for _, o := range plan.Objects {
		verdicts[o.Kind+" "+o.Name+" "+o.Owner] = o.Verdict
	}
	if got := fmt.Sprint(verdicts); got != fmt.Sprint(map[string]string{
		"data-set APPSTR1 QMA1": "expands", "data-set APPSTR1 QMA2": "fits", "data-set APPSTR1 QMBK": "fits",
		"data-set CSQSYSAPPL QMA1": "fits", "data-set CSQSYSAPPL QMA2": "fits", "data-set CSQSYSAPPL QMBK": "fits",
		"structure APPSTR1 ": "offloads", "structure CSQSYSAPPL ": "offloads",
	}) {
		t.Errorf("verdicts %s", got)
	}
	facts := object(t, plan, "data-set", "APPSTR1", "QMA1").Facts
	for name, want := range map[string]string{
		"used_blocks": "6634", "data_blocks": "7291", "total_blocks": "7292", "extents": "11", "extents_left": "112", "hi_a_rba": "1911767040", "lowest_free": "45",
		"buffers": "100", "buffer_bytes": "26214400", "connections": "3 of 3 usable", "next_expansion": "182.8 MiB",
	} {
		if facts[name] != want {
			t.Errorf("%s is %q, want %q", name, facts[name], want)
		}
	}
	if !strings.Contains(facts["forecast"], " to ") || !strings.Contains(facts["forecast"], "last value") {
		t.Errorf("forecast %q names no interval or no method", facts["forecast"])
	}
	if facts := object(t, plan, "structure", "APPSTR1", "").Facts; facts["size_used"] != "43" || facts["entries_used"] != "78084" || facts["offload_next"] != "OFFLD1SZ(32K) OFFLD1TH(70), in 27 per cent more" {
		t.Errorf("%v", facts)
	}
}

// entries of QMA1's data set of APPSTR1 in the catalog, on three volumes.
const (
	oneVolume = `      VOLUME
        VOLSER------------MQV000     PHYREC-SIZE---------4096     HI-A-RBA------1911767040     EXTENT-NUMBER---------11
        DEVTYPE------X'3010200F'     PHYRECS/TRK-----------12     HI-U-RBA------1911767040     EXTENT-TYPE--------X'40'
        VOLFLAG------------PRIME     TRACKS/CA-------------15
`
	manyExtents = `        REC-DELETED------------0     SPLITS-CA--------------0     EXTENTS--------------250
`
)

// fullOfExtents gives the example with 250 extents in QMA1's data set.
func fullOfExtents(t *testing.T) string {
	t.Helper()
	volumes := ""
	for i, n := range []int{123, 123, 4} {
		volumes += strings.NewReplacer("MQV000", fmt.Sprintf("MQV%03d", i), "EXTENT-NUMBER---------11", fmt.Sprintf("EXTENT-NUMBER--------%3d", n)).Replace(oneVolume)
	}
	return edit(t, example(t), oneVolume, volumes,
		"        REC-DELETED------------0     SPLITS-CA--------------0     EXTENTS---------------11\n", manyExtents)
}

// Case 46: with 250 extents of 255 five are left, and that is a warning; with the
// data class listed it is none. Nothing is ever said of making it smaller.
func TestCase46(t *testing.T) {
	text := fullOfExtents(t)
	plan := planWith(t, text, nil)
	got := said(plan, finding.ExtentsShort)
	if len(got) != 1 || !strings.HasPrefix(got[0], "APPSTR1/QMA1: 5 left: it has 250 extents and may have 255 (255 in total without extent constraint removal), for 1 expansion;") {
		t.Errorf("%q", got)
	}
	plan = planWith(t, text, map[string]any{"constraint_removed": []string{"DCSMDS"}, "volumes": int64(59)})
	if got := said(plan, finding.ExtentsShort); got != nil {
		t.Errorf("%q", got)
	}
	if facts := object(t, plan, "data-set", "APPSTR1", "QMA1").Facts; facts["extents_left"] != "7007" || !strings.HasPrefix(facts["extents_limit"], "7257 ") {
		t.Errorf("%v", facts)
	}
	for _, f := range plan.Findings {
		if entry, _ := finding.Lookup(f.Code); strings.Contains(f.Text, "reduce") || strings.Contains(entry.Remedy, "smaller") {
			t.Errorf("it shrinks by %s: %s", f.Code, f.Text)
		}
	}
}

// What is expected is told in expansions: 4500 cylinders of messages need more than
// 5000, for which 1000 cylinders with no secondary quantity need 17.
func TestExpected(t *testing.T) {
	plan := planWith(t, example(t), map[string]any{"expect": int64(4500 * cylinder)})
	var of []string
	for _, text := range said(plan, finding.ExpansionAhead) {
		if strings.HasPrefix(text, "APPSTR1/QMA2:") {
			of = append(of, text)
		}
	}
	if len(of) != 1 || !strings.Contains(of[0], "it is expected to hold 3.1 GiB, for which it needs 17 expansions;") {
		t.Errorf("%q", of)
	}
}

// Case 47: the advice becomes an action where the task says so, of the owner, and
// within the storage it allows.
func TestCase47(t *testing.T) {
	plan := planWith(t, example(t), map[string]any{"alter_buffers": true})
	if len(plan.Actions) != 1 {
		t.Fatalf("%+v", plan.Actions)
	}
	a := plan.Actions[0]
	if a.Command.Text != "ALTER SMDS(QMBK) CFSTRUCT(APPSTR1) DSBUFS(112)" || a.QueueManager != "QMBK" || a.Command.QueueManager != "QMBK" || a.Object != "APPSTR1/QMBK" ||
		a.Reason != "12 requests waited at once for a buffer (3% of all); 112 x 256.0 KiB, that is 28.0 MiB of storage" {
		t.Errorf("%+v", a)
	}
	plan = planWith(t, example(t), map[string]any{"alter_buffers": true, "buffer_storage": int64(25 << 20)})
	if len(plan.Actions) != 0 || !strings.Contains(said(plan, finding.BuffersShort)[0], "100 x 256.0 KiB, that is 25.0 MiB of storage, and more would take more than the task allows") {
		t.Errorf("%+v %q", plan.Actions, said(plan, finding.BuffersShort))
	}
	plan = planWith(t, edit(t, example(t), "12%     -12    3%", "12%       0    0%"), map[string]any{"alter_buffers": true})
	if len(plan.Actions) != 0 || said(plan, finding.BuffersShort) != nil {
		t.Error("advice where nobody waited")
	}
	plan = planWith(t, edit(t, example(t), "QMBK   3 !QMBK    ACTIVE ", "QMBK   3 !QMBK    INACTIVE"), map[string]any{"alter_buffers": true})
	for _, a := range plan.Actions {
		if a.QueueManager == "QMBK" {
			t.Errorf("a command to a member that does not run: %+v", a)
		}
	}
	plan = planWith(t, example(t), map[string]any{"buffer_storage": int64(20 << 20)})
	if got := said(plan, finding.BuffersLarge); len(got) != 6 || got[0] != "APPSTR1/QMA1: DSBUFS(100) of 256.0 KiB each are 25.0 MiB, and the task allows 20.0 MiB" {
		t.Errorf("%q", got)
	}
}

// Case 49: a reader that says that 0 or fewer pages were added is warned of once,
// and nothing is counted.
func TestCase49(t *testing.T) {
	const line = "0 pages added, total pages 466740\n"
	again := line + "N 4000000 SYSA     2026147 23:03:00.00 STC00123 00000090  CSQE219I !QMA2 CSQEDSS4 Extents refreshed for SMDS(QMA1) CFSTRUCT(APPSTR1) data set MQP.QMA1.APPSTR1.SMDS, -180 pages added, total pages 466740\n"
	plan := planWith(t, edit(t, example(t), line, again), nil)
	if got := said(plan, finding.ExtentsRefreshed); len(got) != 1 || !strings.Contains(got[0], "pages were added, and 1 more said the like: that is no expansion") {
		t.Errorf("%q", got)
	}
	if got := said(plan, finding.DataSetExpanded); len(got) != 1 {
		t.Errorf("%q", got)
	}
	// A reader's positive count is no expansion either; only the owner's is.
	plan = planWith(t, edit(t, example(t), " 0 pages added", " 42480 pages added"), nil)
	if len(said(plan, finding.ExtentsRefreshed)) != 0 || len(said(plan, finding.DataSetExpanded)) != 1 {
		t.Error(codesOf(plan))
	}
	plan = planWith(t, edit(t, example(t), "CSQE217I !QMA1", "CSQE217I !QMA2"), nil)
	if got := said(plan, finding.DataSetExpanded); got != nil {
		t.Errorf("another member's message counts: %q", got)
	}
	plan = planWith(t, edit(t, example(t), ", 42480 pages added", ", 0 pages added"), nil)
	if got := said(plan, finding.DataSetExpanded); got != nil {
		t.Errorf("nothing was added: %q", got)
	}
}

// Case 50: three data sets of a structure, whoever answered for them.
func TestCase50(t *testing.T) {
	plan := planWith(t, example(t), nil)
	var sets []string
	for _, o := range plan.Objects {
		if o.Kind == dataSetKind && o.Name == "APPSTR1" {
			sets = append(sets, o.Owner)
		}
	}
	if !slices.Equal(sets, []string{"QMA1", "QMA2", "QMBK"}) {
		t.Errorf("%v", sets)
	}
}
