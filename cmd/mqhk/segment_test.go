package main

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// A hold and a note take the same names, and refuse what can be none: it would
// keep nothing, or everything.
func TestSegmentOf(t *testing.T) {
	for _, test := range []struct {
		platform   observe.Platform
		text, want string
		refused    string
	}{
		{observe.Multiplatforms, "S9999998.LOG", "S9999998.LOG", ""},
		{observe.Multiplatforms, " s9999998.log ", "S9999998.LOG", ""},
		{observe.Multiplatforms, "S9999998", "S9999998.LOG", ""},
		{observe.Multiplatforms, "", "", ""},
		{observe.Multiplatforms, "105", "", "is no name of a log extent"},
		{observe.Multiplatforms, "S999998", "", "is no name of a log extent"},
		{observe.Multiplatforms, "S9999998.LFH", "", "is no name of a log extent"},
		{observe.Multiplatforms, "LIB/S9999998.LOG", "", "is no name of a log extent"},
		{observe.Multiplatforms, "AMQA000001", "", "is no name of a log extent"},
		{observe.Multiplatforms, "R0000009", "", "kept for reuse"},
		{observe.IBMi, "qmorders/amqa000001", "QMORDERS/AMQA000001", ""},
		{observe.IBMi, "AMQA000001", "AMQA000001", ""},
		{observe.IBMi, "LIB/", "", "LIBRARY/RECEIVER"},
		{observe.IBMi, "105", "", "LIBRARY/RECEIVER"},
		{observe.IBMi, "S0000123.LOG", "", "LIBRARY/RECEIVER"},
		{observe.ZOS, "hlq.archlog.a0000001", "HLQ.ARCHLOG.A0000001", ""},
	} {
		got, err := segmentOf(observe.Target{Name: "QM1", Platform: test.platform}, test.text)
		if got != test.want || (err == nil) != (test.refused == "") || err != nil && !strings.Contains(err.Error(), test.refused) {
			t.Errorf("%s %q: %q, %v", test.platform, test.text, got, err)
		}
	}
}

// Names and ranges that are to be restored are read likewise.
func TestExtentsOf(t *testing.T) {
	for _, test := range []struct {
		platform   observe.Platform
		text, want string
	}{
		{observe.Multiplatforms, "s0000105", "S0000105.LOG"},
		{observe.Multiplatforms, "S0000105..S0000107.LOG", "S0000105.LOG..S0000107.LOG"},
		{observe.Multiplatforms, "../../S0000105.LOG", ""},
		{observe.Multiplatforms, "R0000105.LOG", ""},
		{observe.IBMi, "amqa000001@2026-05-27T13:59:00", "AMQA000001@2026-05-27T13:59:00"},
	} {
		list, err := extentsOf(observe.Target{Name: "QM1", Platform: test.platform}, []string{test.text})
		if got := strings.Join(list, " "); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%q: %q, %v", test.text, got, err)
		}
	}
}
