package mqsc

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scoped is an answer of the command server to a command with CMDSCOPE(*).
const scoped = `CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000004
CSQN137I !QMA1 CSQNDISP 'DISPLAY SMDSCONN' accepted for CMDSCOPE(*), sent to 3
CSQ9022I !QMA1 CSQNDISP ' DISPLAY SMDSCONN' NORMAL COMPLETION
CSQN205I   COUNT=       4, RETURN=00000000, REASON=00000004
CSQN121I !QMA1 CSQNRQST 'DISPLAY SMDSCONN' command responses from QMA1
CSQM201I !QMA1 CSQMDRTC DIS SMDSCONN DETAILS
SMDSCONN(QMA1)
CFSTRUCT(APPSTR1)
STATUS(OPEN)
END SMDSCONN DETAILS
CSQ9022I !QMA1 CSQMDRTC ' DIS SMDSCONN' NORMAL COMPLETION
CSQN205I   COUNT=       4, RETURN=00000000, REASON=00000004
CSQN121I !QMA1 CSQNRQST 'DISPLAY SMDSCONN' command responses from QMA2
CSQM201I !QMA2 CSQMDRTC DIS SMDSCONN DETAILS
SMDSCONN(QMA1)
CFSTRUCT(APPSTR1)
STATUS(ALLOCFAIL)
END SMDSCONN DETAILS
CSQ9022I !QMA2 CSQMDRTC ' DIS SMDSCONN' NORMAL COMPLETION
CSQN205I   COUNT=       2, RETURN=00000000, REASON=00000000
CSQN122I !QMA1 CSQNRQST 'DISPLAY SMDSCONN' command for CMDSCOPE(*) normal completion
`

// shown gives every object with who showed it.
func shown(answered Answered) []string {
	var lines []string
	for _, reply := range answered.Replies {
		for _, line := range flat(reply.Answer) {
			lines = append(lines, fmt.Sprintf("%s/%s: %s", reply.QueueManager, reply.Prefix, line))
		}
	}
	return lines
}

func TestParseReplies(t *testing.T) {
	two := []string{
		"QMA1/!QMA1: CSQM201I SMDSCONN=QMA1 CFSTRUCT=APPSTR1 STATUS=OPEN",
		"QMA2/!QMA2: CSQM201I SMDSCONN=QMA1 CFSTRUCT=APPSTR1 STATUS=ALLOCFAIL",
	}
	console := strings.NewReplacer("DETAILS\nSMDSCONN", "DETAILS 284\nSMDSCONN").Replace(scoped)
	log := strings.Builder{}
	for line := range strings.Lines(console) {
		switch {
		case strings.HasPrefix(line, "CSQN205I"):
		case strings.HasPrefix(line, "CSQ"):
			log.WriteString("N 4000000 SYSA     26148 02:00:01.10 STC00123 00000090  " + line)
		case strings.HasPrefix(line, "END"):
			log.WriteString("E                                         284 00000090  " + line)
		default:
			log.WriteString("D                                         284 00000090  " + line)
		}
	}
	bare := "CSQM201I M60A CSQMDRTC DIS CFSTATUS DETAILS 284\nCFSTATUS(APLC4)\nTYPE(BACKUP)\nEND CFSTATUS DETAILS\nCSQ9022I M60A CSQMDRTC ' DIS CFSTATUS' NORMAL COMPLETION\n"
	tests := map[string]struct {
		body   string
		want   []string
		sets   int
		sent   int
		silent string
		failed bool
		more   bool
	}{
		"command server":     {body: scoped, want: two, sets: 4, sent: 3},
		"console":            {body: console, want: two, sets: 4, sent: 3},
		"console log":        {body: log.String(), want: two, sent: 3},
		"capitals":           {body: strings.ToUpper(scoped), want: two, sets: 4, sent: 3},
		"carriage returns":   {body: strings.ReplaceAll(scoped, "\n", "\r\n"), want: two, sets: 4, sent: 3},
		"a highlighted line": {body: strings.Replace(scoped, "CSQM201I !QMA2", "*CSQM201I !QMA2", 1), want: two, sets: 4, sent: 3},
		"one queue manager":  {body: bare, want: []string{"/M60A: CSQM201I CFSTATUS=APLC4 TYPE=BACKUP"}, sent: -1},
		"by prefix alone": {body: bare + strings.ReplaceAll(bare, "M60A", "M60B"), want: []string{
			"/M60A: CSQM201I CFSTATUS=APLC4 TYPE=BACKUP", "/M60B: CSQM201I CFSTATUS=APLC4 TYPE=BACKUP",
		}, sent: -1},
		"no prefix":        {body: strings.ReplaceAll(bare, "M60A ", ""), want: []string{"/: CSQM201I CFSTATUS=APLC4 TYPE=BACKUP"}, sent: -1},
		"cut behind a set": {body: scoped[:strings.Index(scoped, "CSQN205I   COUNT=       2")], want: two, sets: 3, sent: 3, more: true},
		"a member that ended": {body: "CSQN205I   COUNT=       2, RETURN=00000000, REASON=00000000\n" +
			"CSQN132E !QMA1 CSQNRQST CMDSCOPE(QMBK) not allowed, not active, sent to QMBK\n", sets: 1, sent: -1, silent: "QMBK"},
		"refused": {body: "CSQN205I   COUNT=       4, RETURN=0000000C, REASON=00000008\nCSQM090E +CSQ1 CSQMUQLC FAILURE REASON CODE X'00D44002'\n" +
			"CSQ9023E +CSQ1 CSQMUQLC ' DISPLAY QUEUE' ABNORMAL COMPLETION\n", sets: 1, sent: -1, failed: true},
		"nothing": {sent: -1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseReplies([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, shown(got)); diff != "" {
				t.Error(diff)
			}
			if len(got.Sets) != test.sets || got.SentTo != test.sent || got.Failed != test.failed || got.More != test.more {
				t.Errorf("%d sets, sent to %d, failed %v, more %v", len(got.Sets), got.SentTo, got.Failed, got.More)
			}
			if silent := strings.Join(got.Silent, " "); silent != test.silent {
				t.Errorf("silent %q, want %q", silent, test.silent)
			}
		})
	}
}

func TestTornReplies(t *testing.T) {
	body := strings.Replace(scoped, "STATUS(ALLOCFAIL)", "STATUS(ALLOC", 1)
	_, err := ParseReplies([]byte(body))
	var place *Error
	if want := strings.Count(body[:strings.Index(body, "STATUS(ALLOC")], "\n") + 1; !errors.As(err, &place) || place.Line != want {
		t.Errorf("%v, want line %d", err, want)
	}
}

func FuzzParseReplies(f *testing.F) {
	for _, seed := range []string{scoped, logReport, consoleAnswer, "CSQN121I X from \nQUEUE(A", "E 284 0090  SMDS(A\n) B(C)"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		answered, err := ParseReplies(body)
		if lines := strings.Count(string(body), "\n") + 1; err != nil {
			var place *Error
			if !errors.As(err, &place) || place.Line < 1 || place.Line > lines {
				t.Fatalf("error without a place: %v", err)
			}
		}
		for i, reply := range answered.Replies {
			if i > 0 && reply.QueueManager == answered.Replies[i-1].QueueManager && reply.Prefix == answered.Replies[i-1].Prefix {
				t.Fatalf("replies %d and %d are of one queue manager", i-1, i)
			}
			for _, message := range reply.Messages {
				message.Settings()
				message.LogStatus()
				message.DataSetUses()
				message.RestartRBA()
				if table, ok := message.ReadTable(); ok {
					for _, row := range table.Rows {
						table.Get(row, "STATUS")
					}
				}
			}
		}
	})
}
