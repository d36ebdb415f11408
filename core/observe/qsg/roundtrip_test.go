package qsg_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
	"github.com/mqhk/mqhk/core/transcript"
)

// on reads the facts of the group of a transcript.
func on(tb testing.TB, text []byte, wanted qsg.Wanted) qsg.Group {
	tb.Helper()
	script, err := transcript.Parse("group.mqt", bytes.NewReader(text), nil)
	if err != nil {
		tb.Fatal(err)
	}
	targets := script.Targets()
	if len(targets) != 1 {
		tb.Fatalf("targets %v", targets)
	}
	g, err := qsg.Read(tb.Context(), script.Player(), targets[0], wanted)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// sameFacts compares groups without what only says where a fact stood.
var sameFacts = []cmp.Option{
	cmp.Comparer(func(a, b bsds.RBA) bool { return a == b }),
	cmp.Comparer(func(a, b bsds.LRSN) bool { return a == b }),
	cmp.Comparer(func(a, b observe.Stamp) bool { return a.Equal(b.Time) }),
	cmpopts.IgnoreFields(bsds.Log{}, "Line"),
	cmpopts.IgnoreFields(idcams.NonVSAM{}, "Line"),
	cmpopts.IgnoreFields(idcams.Cluster{}, "Line"),
	cmpopts.IgnoreFields(qsg.BackupRow{}, "Line"),
	cmpopts.EquateEmpty(),
}

// What is written is read back equal, in whatever layout it is written.
func TestRoundTrip(t *testing.T) {
	for _, layout := range qsgtest.Layouts() {
		t.Run(layout.String(), func(t *testing.T) {
			want := qsgtest.Make(1, qsgtest.Size{Members: 3, Structures: 4, Days: 3, Archives: 6})
			got := on(t, qsgtest.Write(want, layout), qsg.Everything&^qsg.Messages)
			if layout == qsgtest.ByMember {
				for i := range want.Members {
					want.Members[i].CommandServer = qsg.Unsaid // nobody sent a command on
				}
			}
			if diff := cmp.Diff(want, got, sameFacts...); diff != "" {
				t.Error(diff)
			}
		})
	}
}
