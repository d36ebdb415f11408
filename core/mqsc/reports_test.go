package mqsc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// logReport is in the layout of "DISPLAY LOG".
const logReport = `CSQJ322I +CSQ1 DISPLAY LOG report ...
Parameter   Initial value          SET value
----------- ---------------------- ----------
INBUFF      60
OUTBUFF     4000
MAXARCH     500                    1000
COMPLOG     NONE
DEALLCT                            9
End of LOG report
CSQJ370I +CSQ1 LOG status report ...
Copy %Full DSName
1     68   MQM2.LOGCOPY1.DS01
2     68   MQM2.LOGCOPY2.DS01
Restarted at 2026-01-10 09:58:41 using RBA=0000000012345000
Latest RBA=0000000012390ADD
Offload task is AVAILABLE
Full logs to offload - 0 of 8
CSQ9022I +CSQ1 CSQJC001 ' DISPLAY LOG' NORMAL COMPLETION
`

func TestSettings(t *testing.T) {
	answer, err := ParseReplies([]byte(logReport))
	if err != nil || len(answer.Replies) != 1 {
		t.Fatalf("%v, %d replies", err, len(answer.Replies))
	}
	message, _ := answer.Replies[0].Message("CSQJ322")
	want := []Setting{
		{Name: "INBUFF", Initial: "60"}, {Name: "OUTBUFF", Initial: "4000"}, {"MAXARCH", "500", "1000", true},
		{Name: "COMPLOG", Initial: "NONE"}, {"DEALLCT", "", "9", true},
	}
	if diff := cmp.Diff(want, message.Settings()); diff != "" {
		t.Error(diff)
	}
	if want[2].Value() != "1000" || want[0].Value() != "60" {
		t.Error("the value that holds is another one")
	}
}

func TestLogStatus(t *testing.T) {
	whole := LogStatus{
		Copies:    []LogCopy{{"1", "68", "MQM2.LOGCOPY1.DS01"}, {"2", "68", "MQM2.LOGCOPY2.DS01"}},
		Restarted: "2026-01-10 09:58:41", RestartRBA: "0000000012345000", LatestRBA: "0000000012390ADD",
		Offload: "AVAILABLE", ToOffload: "0", Total: "8",
	}
	other := func(change func(*LogStatus)) LogStatus {
		s := whole
		change(&s)
		return s
	}
	tests := map[string]struct {
		body string
		want LogStatus
	}{
		"as in the manual": {logReport, whole},
		"in capitals":      {strings.ToUpper(logReport), whole},
		"12 digits": {strings.ReplaceAll(logReport, "RBA=0000", "RBA="), other(func(s *LogStatus) {
			s.RestartRBA, s.LatestRBA = "000012345000", "000012390ADD"
		})},
		"folded": {strings.Replace(logReport, " using RBA=", "\nusing RBA=", 1), whole},
		"a copy inactive": {strings.Replace(logReport, "2     68   MQM2.LOGCOPY2.DS01", "2      0   Inactive", 1), other(func(s *LogStatus) {
			s.Copies = []LogCopy{{"1", "68", "MQM2.LOGCOPY1.DS01"}, {"2", "0", ""}}
		})},
		"more columns": {strings.ReplaceAll(logReport, "68   MQM2", "68   NO          NO        MQM2"), whole},
		"offloading": {strings.Replace(logReport, "is AVAILABLE", "is BUSY, allocating archive data set", 1), other(func(s *LogStatus) {
			s.Offload = ""
		})},
		"two words": {strings.Replace(logReport, "is AVAILABLE", "is ALLOCATING ARCHIVE", 1), other(func(s *LogStatus) {
			s.Offload = "ALLOCATING ARCHIVE"
		})},
		"suspended (trap 34)": {strings.Replace(logReport, "Latest RBA", "Logging suspended at 2026-01-10 10:00:00\nLatest RBA", 1), other(func(s *LogStatus) {
			s.Suspended = true
		})},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer, err := ParseReplies([]byte(test.body))
			if err != nil || len(answer.Replies) != 1 {
				t.Fatalf("%v, %d replies", err, len(answer.Replies))
			}
			message, _ := answer.Replies[0].Message("CSQJ370")
			if diff := cmp.Diff(test.want, message.LogStatus()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDataSetUses(t *testing.T) {
	tests := map[string]struct {
		lines string
		want  map[string]DataSetUse
	}{
		"wide": {"Data set  RBA/LRSN          DSName\n" +
			"Log, oldest with active unit of work     0000000012340000  MQM2.LOGCOPY1.DS01\n" +
			"Log, oldest for page set recovery        0000000012000000  MQM2.LOGCOPY1.DS02\n" +
			"Log, oldest for CF structure recovery    B7133C7222C5      MQM2.ARC1.A0000007\nEnd of data set report",
			map[string]DataSetUse{
				OldestUnit:      {"0000000012340000", "MQM2.LOGCOPY1.DS01"},
				OldestPageSet:   {"0000000012000000", "MQM2.LOGCOPY1.DS02"},
				OldestStructure: {"B7133C7222C5", "MQM2.ARC1.A0000007"},
			}},
		"folded, in capitals": {"LOG, OLDEST WITH ACTIVE UNIT OF WORK\n  000012340000  MQM2.LOGCOPY1.DS01\nLOG, OLDEST FOR PAGE SET RECOVERY\nEND OF DATA SET REPORT\n000000000001 X.Y",
			map[string]DataSetUse{OldestUnit: {"000012340000", "MQM2.LOGCOPY1.DS01"}, OldestPageSet: {}}},
		"a place that is none": {"Log, oldest for page set recovery  00001200  A.B", map[string]DataSetUse{OldestPageSet: {}}},
		"nothing":              {"", map[string]DataSetUse{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := Message{Lines: strings.Split(test.lines, "\n")}.DataSetUses()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRestartRBA(t *testing.T) {
	for text, want := range map[string]string{
		"+CSQ1 CSQIDUSE Restart RBA for system as configured=0000000012000000": "0000000012000000",
		"M60A CSQIDUSE RESTART RBA FOR SYSTEM AS CONFIGURED = 000000529193":    "000000529193",
		"+CSQ1 CSQIDUSE Restart RBA including offline page sets=":              "",
		"+CSQ1 CSQIDUSE Restart RBA including offline page sets=12AB":          "",
	} {
		if got := (Message{Text: text}).RestartRBA(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
