package transcript_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/transcript"
)

const groupExample = "../../examples/qsg1.mqt"

// groupIn reads the facts of the one group of a transcript.
func groupIn(t *testing.T, script *transcript.Transcript) qsg.Group {
	t.Helper()
	g, err := qsg.Read(t.Context(), script.Player(), script.Targets()[0], qsg.Everything)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// figures are the facts of a group without a name, in an order that does not
// depend on names.
func figures(g qsg.Group) []string {
	var all []string
	add := func(parts ...string) { all = append(all, strings.Join(parts, " ")) }
	for _, s := range g.Structures {
		add("backup", string(s.Backup.Status), s.Backup.Start.String(), s.Backup.End.String(), s.Backup.EndedAt.String())
	}
	for _, m := range g.Members {
		add("log", string(m.Status), m.Log.Latest.String(), m.Usage.Structures.From.String(), m.Archive["ARCRETN"])
		for _, log := range m.BSDS.Archive[0] {
			add("archive", log.Start.String(), log.End.String(), log.EndLRSN.String())
		}
		for _, entry := range m.Archives.NonVSAM {
			add("entry", entry.Creation.String(), entry.Expiration.Day.String())
		}
	}
	for _, d := range g.DataSets {
		add("data set", cmp.Diff(qsg.SpaceUsage{}, d.Usage), cmp.Diff(qsg.BufferUsage{}, d.Buffers), cmp.Diff(int64(0), d.Catalog.Extents.Value))
	}
	for _, s := range g.History {
		add("sample", s.At.String(), s.Kind)
	}
	for _, a := range g.Allocated {
		add("allocated", a.Status, cmp.Diff(qsg.Number{}, a.SizeKB))
	}
	slices.Sort(all)
	return all
}

// A group's transcript keeps its facts and loses its names: of queue managers,
// structures, data sets, volumes, systems and connectors. What names have in
// common stays: data sets are found by the generic name of their structure, and
// structures in the coupling facility by the group's.
func TestAnonymiseGroup(t *testing.T) {
	script, err := transcript.Open(groupExample)
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := transcript.Anonymise(script, []byte("a key"))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := hidden.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`APPSTR|QMA[12]|QMBK|\bMQP\b|MQA00|MQV00|\bCF01\b|DB2P|UCAT|SCMQ|MCMQ|DCSMDS|MVS[AB]\b|QSG1|\bSYSA\b|QSYSAPPL\.`)
	if found := names.FindAllString(text.String(), 3); found != nil {
		t.Errorf("names are left: %v", found)
	}
	before, after := groupIn(t, script), groupIn(t, hidden)
	for _, f := range after.Open {
		t.Errorf("%s: %s", f.Code, f.Text)
	}
	if diff := cmp.Diff(figures(before), figures(after)); diff != "" {
		t.Error(diff)
	}
	for i, m := range after.Members {
		if !slices.ContainsFunc(m.Searched, func(prefix string) bool { return strings.Contains(prefix, "."+m.Name+".") }) || len(m.Archives.NonVSAM) != len(before.Members[i].Archives.NonVSAM) {
			t.Errorf("member %d: archives under %v", i, m.Searched)
		}
	}
	if len(after.Allocated) != len(before.Allocated) {
		t.Errorf("%d structures in the coupling facility, want %d", len(after.Allocated), len(before.Allocated))
	}
}

// What a group was asked is recorded as it was asked, and plays again.
func TestRecordGroup(t *testing.T) {
	script, err := transcript.Open(groupExample)
	if err != nil {
		t.Fatal(err)
	}
	target := script.Targets()[0]
	recorder := transcript.NewRecorder(script.Player(), script.Targets())
	before, err := qsg.Read(t.Context(), recorder, target, qsg.Everything)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := recorder.Transcript().WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	again, err := transcript.Parse("again.mqt", &text, nil)
	if err != nil {
		t.Fatal(err)
	}
	after := groupIn(t, again)
	if diff := cmp.Diff(figures(before), figures(after)); diff != "" || len(after.Open) > 0 {
		t.Errorf("%v %s", after.Open, diff)
	}
	if diff := cmp.Diff([]string{"QMA1", "QMA2", "QMBK"}, again.Targets()[0].Members); diff != "" {
		t.Error(diff)
	}
}
