package journal

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Each row changes the transcript or a setting and names the findings beside
// those of the decision, as "code: a part of the text".
func TestFindings(t *testing.T) {
	conservative := recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}
	operator := ">>> SQL QM1: QSYS2.MESSAGE_QUEUE_INFO\nMESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TEXT\n"
	history := ">>> HISTORY QM1: segments\nAT,KIND,LIBRARY,SEGMENT,POSITION\n"
	tests := []struct {
		name     string
		text     string
		settings map[string]any
		want     []string
	}{
		{"a healthy one", orders, nil, nil},
		{"DLTRCV(*YES)", edit(t, orders, "QSYS,NO,", "QSYS,YES,"), nil, []string{"system-deletes-receivers: QM1: QMQM1/AMQAJRN has DLTRCV(*YES)"}},
		{"as long as it may be", orders, map[string]any{"long_chain": int64(6)}, nil},
		{"longer", orders, map[string]any{"long_chain": int64(5)}, []string{"chain-long: QMQM1/AMQAJRN has 6 receivers"}},
		{"CPI70E3", orders + operator + "QSYS,QSYSOPR,CPI70E3,2026-05-27-16.00.00,AMQAJRN in QMQM1\n", nil,
			[]string{"name-clash: CPI70E3 on QSYS/QSYSOPR at 2026-05-27 16:00:00: AMQAJRN in QMQM1"}},
		{"AMQ7472", orders + operator + "QMQM1,QMQMMSG,AMQ7472,2026-05-27-16.00.00,object Q1 damaged\n", nil, []string{"object-damaged: AMQ7472 sent 2026-05-27 16:00:00 object Q1 damaged"}},

		{"as far behind as they may be", orders, map[string]any{"behind": int64(3)}, nil},
		{"the media point is behind by count", orders, map[string]any{"behind": int64(2)}, []string{
			"media-point-not-moving: media point 3 receivers behind attached (AMQA000003, MEDIALOG of DISPLAY QMSTATUS)",
			"pinned-by-queue: the media point stays at AMQA000003 for queue DEEP.Q (depth 500)"}},
		{"the startup point beside it", edit(t, orders, "RECLOG(AMQA000005)", "RECLOG(AMQA000004)"), map[string]any{"behind": int64(1)}, []string{
			"startup-point-not-moving: startup point 2 receivers behind attached (AMQA000004,",
			"media-point-not-moving: media point 3 receivers behind",
			"pinned-by-queue: the media point stays at AMQA000003 for queue DEEP.Q"}},
		{"what pins the startup point", edit(t, edit(t, orders, "RECLOG(AMQA000005)", "RECLOG(AMQA000003)"), "UOWLOG(AMQA000005)", "UOWLOG(AMQA000003)"), map[string]any{"behind": int64(2)}, []string{
			"startup-point-not-moving: startup point 3 receivers behind",
			"pinned-by-unit-of-work: the startup point stays at AMQA000003 for unit of work of connection A1B2 (order.exe, started 2026-05-27 14.30.00)",
			"media-point-not-moving: ", "pinned-by-queue: the media point"}},
		{"by age", edit(t, orders, ">>> MQSC QM1: DISPLAY QMSTATUS\nQMNAME(QM1) STATUS(RUNNING) RECLOG(AMQA000005) MEDIALOG(AMQA000003)\n", ""), map[string]any{"not_moving": 13 * time.Hour}, []string{
			"media-point-not-moving: recovery point 3 receivers behind attached (AMQA000003, AMQJRNINF in QMQM1); its entry is 13h30m old", "pinned-by-queue: the media point"}},
		{"by days", edit(t, orders, "CLOCK 2026-05-28", "CLOCK 2026-06-08"), nil, []string{
			"media-point-not-moving: MEDIALOG of DISPLAY QMSTATUS); its entry is 11 days old", "pinned-by-queue: the media point"}},
		{"not old enough", edit(t, orders, ">>> MQSC QM1: DISPLAY QMSTATUS\nQMNAME(QM1) STATUS(RUNNING) RECLOG(AMQA000005) MEDIALOG(AMQA000003)\n", ""), map[string]any{"not_moving": 13*time.Hour + 30*time.Minute}, nil},
		{"old, but in the attached receiver", edit(t, edit(t, orders, "AMQA000003QMQM1     20260527123000000", "AMQA000006QMQM1     20260527153000000"), "RECLOG(AMQA000005) MEDIALOG(AMQA000003)", ""), map[string]any{"not_moving": time.Hour}, nil},
		{"without a clock nothing is old", strings.Replace(orders, ">>> CLOCK 2026-05-28T02:00:00+02:00\n", "", 1), map[string]any{"not_moving": time.Hour}, nil},
		{"with what earlier runs saw", orders + ">>> SQL QM1: QSYS2.MESSAGE_QUEUE_INFO\nMESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TOKENS\nAMQ7462,2026-05-27-16.00.00,AMQA000003QMQM1     20260527123000000\nAMQ7460,2026-05-27-16.00.00,AMQA000005QMQM1     20260527143000000\n" +
			history + "2026-05-26T20:00:00Z,media,QMQM1,AMQA000002,\n2026-05-27T21:00:00Z,restart,QMQM1,AMQA000005,\n2026-05-27T20:00:00Z,media,QMQM1,AMQA000003,\n", map[string]any{"not_moving": 13 * time.Hour}, []string{
			"media-point-not-moving: its entry is 13h30m old, and it has stood there since 2026-05-27T20:00:00Z",
			"pinned-by-queue: "}},
		{"one receiver", orders, map[string]any{"behind": int64(1)}, []string{"media-point-not-moving: ", "pinned-by-queue: "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := slices.DeleteFunc(planText(t, test.text, conservative, test.settings).Findings,
				func(f finding.Finding) bool { return f.Code == finding.NotChecked }) // core/observe tests it
			if len(found) != len(test.want) {
				t.Fatalf("%d findings, want %d: %v", len(found), len(test.want), found)
			}
			for i, f := range found {
				code, text, _ := strings.Cut(test.want[i], ": ")
				if string(f.Code) != code || !strings.Contains(f.Text, text) || !strings.HasPrefix(f.Text, "QM1: ") {
					t.Errorf("%s: %s\nwant %s", f.Code, f.Text, test.want[i])
				}
			}
		})
	}
}

// From CPF7019's numbers on it is a finding, for each size option; at the
// maximum journaling has stopped.
func TestSequenceNearEnd(t *testing.T) {
	tests := []struct {
		option string
		number uint64
		want   string // the end of the text; empty: not near
	}{
		{"NONE", 2000000000, ""},
		{"NONE", 2000000001, "journaling stops at 2147483136"},
		{"NONE", 2147483135, "journaling stops at 2147483136"},
		{"NONE", 2147483136, "journaling has stopped, since 2147483136 is the maximum"},
		{"NONE", 2147483137, "journaling has stopped, since 2147483136 is the maximum"},
		{"MAXOPT1", 9500000000, ""},
		{"MAXOPT1", 9500000001, "journaling stops at 9999999999"},
		{"MAXOPT2", 9500000001, "journaling stops at 9999999999"},
		{"MAXOPT2", 9999999999, "journaling has stopped, since 9999999999 is the maximum"},
		{"SYSDFT", 9500000001, "journaling stops at 9999999999"},
		{"MAXOPT3", 9500000001, ""},
		{"MAXOPT3", 18446600000000000000, ""},
		{"MAXOPT3", 18446600000000000001, "journaling stops at 18446744073709551600"},
		{"MAXOPT3", 18446744073709551600, "journaling has stopped, since 18446744073709551600 is the maximum"},
		{"RMVINTENT MAXOPT2", 9500000001, "journaling stops at 9999999999"},
		{"", 2000000001, "journaling stops at 2147483136"}, // not known: it may have no option
		{"", 2147483137, ""}, // has one, or it would have stopped
		{"", 9500000001, "journaling stops at 9999999999"},
		{"", 10000000000, ""}, // MAXOPT3
		{"", 18446600000000000001, "journaling stops at 18446744073709551600"},
	}
	for _, test := range tests {
		facts := observe.JournalFacts{Journal: observe.Journal{SizeOption: test.option}, Receivers: []observe.Receiver{
			{First: 18446744073709551600}, {ID: recovery.SegmentID{Library: "L", Name: "AMQA000002"}, First: 1, Last: test.number}}}
		got := sequenceNearEnd(facts)
		if (got == "") != (test.want == "") || !strings.HasSuffix(got, test.want) {
			t.Errorf("%s %d: %q, want %s", test.option, test.number, got, test.want)
		}
		facts.Receivers[1].First, facts.Receivers[1].Last = test.number, 0 // the last is not told of an attached one
		if again := sequenceNearEnd(facts); again != got {
			t.Errorf("%s: first %d: %q", test.option, test.number, again)
		}
	}
	if got := sequenceNearEnd(observe.JournalFacts{}); got != "" {
		t.Error(got)
	}
}
