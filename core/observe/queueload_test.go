package observe

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestReadQueueLoads(t *testing.T) {
	const status = "QUEUE(A) TYPE(QUEUE) CURDEPTH(3) CURFSIZE(2) MEDIALOG(AMQA000001)\nQUEUE(b.Mixed) TYPE(QUEUE) CURDEPTH(7)\nQUEUE(C) TYPE(QUEUE) CURDEPTH(0) CURFSIZE(1)\n"
	const local = "QUEUE(A) TYPE(QLOCAL) MAXMSGL(4194304)\nQUEUE(b.Mixed) TYPE(QLOCAL) MAXMSGL(100)\nQUEUE(OTHER) TYPE(QLOCAL) MAXMSGL(5)\nQUEUE(C) TYPE(QLOCAL) MAXMSGL( )\n"
	const question = "MQSC QM1: DISPLAY QLOCAL(*) MAXMSGL"
	told := func(status, local string) *system {
		return &system{answers: map[string]string{"queues": status, question: local}}
	}
	held := func(name string, depth, file, longest int64) QueueLoad {
		return QueueLoad{Name: name, Depth: depth, File: file, Longest: longest}
	}
	tests := []struct {
		name   string
		system *system
		want   []QueueLoad
		says   string // of the error; empty: none
	}{
		{"all is told", told(status, local), []QueueLoad{held("A", 3, 2<<20, 4194304), held("b.Mixed", 7, -1, 100), held("C", 0, 1<<20, -1)}, ""},
		{"no longest message", told(status, "AMQ8147I: IBM MQ object * not found.\n"), []QueueLoad{held("A", 3, 2<<20, -1), held("b.Mixed", 7, -1, -1), held("C", 0, 1<<20, -1)}, ""},
		{"not asked for it", told(status, local).without(question), []QueueLoad{held("A", 3, 2<<20, -1), held("b.Mixed", 7, -1, -1), held("C", 0, 1<<20, -1)}, ""},
		{"an answer that is torn", told(status, "QUEUE(A) MAXMSGL(41"), []QueueLoad{held("A", 3, 2<<20, -1), held("b.Mixed", 7, -1, -1), held("C", 0, 1<<20, -1)}, ""},
		{"nothing is on them", told("QUEUE(A) CURDEPTH(0)\n", local), []QueueLoad{held("A", 0, -1, -1)}, ""},
		{"a size that is none", told("QUEUE(A) CURDEPTH(0) CURFSIZE(-1)\n", local), []QueueLoad{held("A", 0, -1, -1)}, ""},

		{"nobody answers", &system{}, nil, "not answered: MQSC QM1: DISPLAY QSTATUS(*) TYPE(QUEUE) ALL"},
		{"no depth", told("QUEUE(A) CURDEPTH(3)\nQUEUE(B) TYPE(QUEUE)\n", local), nil, `queue "B" has no depth: CURDEPTH()`},
		{"a depth that is none", told("QUEUE(A) CURDEPTH(-3)\n", local), nil, "CURDEPTH(-3)"},
		{"no name", told("TYPE(QUEUE) CURDEPTH(3)\n", local), nil, `queue "" has no depth`},
		{"no queue", told("AMQ8147I: IBM MQ object * not found.\n", local), nil, "shows no queue"},
		{"torn", told("QUEUE(A) CURDEPTH(3", local), nil, "DISPLAY QSTATUS"},
		{"not understood", told("AMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QSTATUS(*)\n", local), nil, "could not read the command"},
	}
	for _, test := range tests {
		got, err := ReadQueueLoads(t.Context(), test.system, theTarget)
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		for i := range got {
			got[i].Image, got[i].ImageTold = "", false // TestReadQueueImages
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
	quiet := told("QUEUE(A) CURDEPTH(0)\n", local)
	quiet.errors = map[string]string{question: "asked though nothing is on the queues"}
	if got, err := ReadQueueLoads(t.Context(), quiet, theTarget); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// What tells of the images of queues: MEDIALOG in a level that prints it, and
// IMGRCOVQ in one that knows it, which on Multiplatforms is asked for whether
// anything is on the queues or not.
func TestReadQueueImages(t *testing.T) {
	const question = "MQSC QM1: DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE"
	target := Target{Name: "QM1", Platform: Multiplatforms}
	status := "QUEUE(A) CURDEPTH(0) MEDIALOG(S0000001.LOG)\nQUEUE(B) CURDEPTH(0) MEDIALOG( )\nQUEUE(C) CURDEPTH(0)\n"
	for local, want := range map[string]string{
		"QUEUE(A) MAXMSGL(1) IMGRCOVQ(QMGR) USAGE(NORMAL)\nQUEUE(B) MAXMSGL(1) IMGRCOVQ(NO) USAGE(XMITQ)\n": "A S0000001.LOG true QMGR, B  true NO, C  false ",
		"AMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QLOCAL(*)\n":    "A S0000001.LOG true , B  true , C  false ",
	} {
		loads, err := ReadQueueLoads(t.Context(), &system{answers: map[string]string{"queues": status, question: local}}, target)
		var got []string
		for _, q := range loads {
			got = append(got, fmt.Sprintf("%s %s %v %s", q.Name, q.Image, q.ImageTold, q.Recoverable))
		}
		if err != nil || strings.Join(got, ", ") != want {
			t.Errorf("%s, %v\nwant %s", got, err, want)
		}
	}
}

func FuzzReadQueueLoads(f *testing.F) {
	f.Add("QUEUE(A) CURDEPTH(3) CURFSIZE(2)\n", "QUEUE(A) MAXMSGL(4194304)\n")
	f.Add("AMQ8450I: Display queue status details.\n   QUEUE(A)      TYPE(QUEUE)\n   CURDEPTH(9223372036854775807)   CURFSIZE(9223372036854775807)\n", "")
	f.Fuzz(func(t *testing.T, status, local string) {
		loads, err := ReadQueueLoads(t.Context(), &system{answers: map[string]string{"queues": status, "MQSC QM1: DISPLAY QLOCAL(*) MAXMSGL": local}}, theTarget)
		if (err == nil) != (len(loads) > 0) {
			t.Errorf("%+v, %v", loads, err)
		}
		for _, q := range loads {
			if q.Name == "" || q.Depth < 0 || q.File < -1 || q.Longest < -1 {
				t.Errorf("%+v", q)
			}
		}
	})
}
