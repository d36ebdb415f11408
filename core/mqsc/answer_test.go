package mqsc

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const runmqscAnswer = `5724-H72 (C) Copyright IBM Corp. 1994, 2024.
Starting MQSC for queue manager QM1.


     1 : DISPLAY CHSTATUS(*) ALL
AMQ8417I: Display Channel Status details.
   CHANNEL(TO.QM2)                         CHLTYPE(SDR)
   CONNAME(10.0.0.42(1414))                CURRENT
   RQMNAME(QM2)                            STATUS(RUNNING)
   SUBSTATE( )                             XMITQ(QM2)
     2 : DISPLAY QLOCAL(A) +
       : DESCR
AMQ8409I: Display Queue details.
   QUEUE(A)                                TYPE(QLOCAL)
   DESCR('Orders (EU) - don''t purge')  
     3 : DIS QLOCAL(NONE)
AMQ8147E: IBM MQ object NONE not found.
3 MQSC commands read.
No commands have a syntax error.
One valid MQSC command could not be processed.
`

const consoleAnswer = `CSQN205I   COUNT=       4, RETURN=00000000, REASON=00000000
CSQM293I !QMA1 CSQMDRTC 2 CFSTATUS FOUND MATCHING REQUEST CRITERIA
CSQM201I !QMA1 CSQMDRTC DIS CFSTATUS DETAILS 284
CFSTATUS(APLC4)
TYPE(BACKUP)
QMNAME(M60A)
BKUPTIME(15.56.15)
LOGS( M60A,
QMA1 )
FAILTIME( )
END CFSTATUS DETAILS
CSQM201I !QMA1 CSQMDRTC DIS CFSTATUS DETAILS 285
CFSTATUS(APLC5)
TYPE(BACKUP)
END CFSTATUS DETAILS
CSQ9022I !QMA1 CSQMDRTC ' DIS CFSTATUS' NORMAL COMPLETION
`

func TestParseAnswer(t *testing.T) {
	tests := map[string]struct {
		body string
		want []string // the objects, as shown by flat
		ids  string   // of the messages
	}{
		"runmqsc": {runmqscAnswer, []string{
			"AMQ8417I CHANNEL=TO.QM2 CHLTYPE=SDR CONNAME=10.0.0.42(1414) CURRENT RQMNAME=QM2 STATUS=RUNNING SUBSTATE= XMITQ=QM2",
			"AMQ8409I QUEUE=A TYPE=QLOCAL DESCR=Orders (EU) - don't purge",
		}, "AMQ8417I AMQ8409I AMQ8147E"},
		"console": {consoleAnswer, []string{
			"CSQM201I CFSTATUS=APLC4 TYPE=BACKUP QMNAME=M60A BKUPTIME=15.56.15 LOGS=M60A,QMA1 FAILTIME=",
			"CSQM201I CFSTATUS=APLC5 TYPE=BACKUP",
		}, "CSQN205I CSQM293I CSQM201I CSQM201I CSQ9022I"},
		"console log": {"N 4000000 SYSA 26148 02:00:01.10 STC00123 00000090  CSQM201I !QMA1 CSQMDRTC DIS SMDS DETAILS 284\n" +
			"D 284 00000090  SMDS(QMA1)\nD 284 00000090  CFSTRUCT(APPL1)\nE 284 00000090  END SMDS DETAILS\n",
			[]string{"CSQM201I SMDS=QMA1 CFSTRUCT=APPL1"}, "CSQM201I"},
		"command server": {"CSQM416I !MQ21 CHANNEL(A) CHLTYPE(SDR) CURRENT\nCSQM416I !MQ21 CHANNEL(B) CHLTYPE(SDR)\n",
			[]string{"CSQM416I CHANNEL=A CHLTYPE=SDR CURRENT", "CSQM416I CHANNEL=B CHLTYPE=SDR"}, "CSQM416I CSQM416I"},
		"7.x": {"AMQ8409: Display Queue details.\r\n   QUEUE(A)\r\n   CURDEPTH(0)\r\n",
			[]string{"AMQ8409 QUEUE=A CURDEPTH=0"}, "AMQ8409"},
		"one line, headers": {"AMQ8408I: Display Queue Manager details.   QMNAME(QM1)      PLATFORM(UNIX)  AMQ8409I: Display Queue details.   QUEUE(A)",
			[]string{"AMQ8408I QMNAME=QM1 PLATFORM=UNIX", "AMQ8409I QUEUE=A"}, "AMQ8408I AMQ8409I"},
		"one line, bare": {"QUEUE(A) CURDEPTH(1) QUEUE(B) CURDEPTH(2)", []string{" QUEUE=A CURDEPTH=1", " QUEUE=B CURDEPTH=2"}, ""},
		"no header":      {"QMNAME(QM1)  LOGTYPE(LINEAR)\nMEDIALOG(S0000104.LOG)", []string{" QMNAME=QM1 LOGTYPE=LINEAR MEDIALOG=S0000104.LOG"}, ""},
		"bare on a line": {"CHANNEL(A)\nCURRENT\nSTATUS(RUNNING)", []string{" CHANNEL=A CURRENT STATUS=RUNNING"}, ""},
		"handles": {"AMQ8276I: Display Connection details.\n   CONN(1)     TYPE(HANDLE)\n \n   OBJNAME(A)   OBJTYPE(QUEUE)\n\n   OBJNAME(B)  OBJTYPE(QUEUE)",
			[]string{"AMQ8276I CONN=1 TYPE=HANDLE OBJNAME=A OBJTYPE=QUEUE OBJNAME=B OBJTYPE=QUEUE"}, "AMQ8276I"},
		"wrapped":         {"QMNAME(QM1)\n   LOGPATH(/var/mqm/log/\n      QM1/active/)  LOGPRIM(3)", []string{" QMNAME=QM1 LOGPATH=/var/mqm/log/QM1/active/ LOGPRIM=3"}, ""},
		"quote unclosed":  {"QUEUE(A) DESCR('tis) CURDEPTH(1)", []string{" QUEUE=A DESCR='tis CURDEPTH=1"}, ""},
		"quoted bracket":  {"QUEUE(A) DESCR('a) b (') CURDEPTH(1)", []string{" QUEUE=A DESCR=a) b ( CURDEPTH=1"}, ""},
		"syntax error":    {"AMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QLOCAL(X) FOO\n\nAMQ8427I: Valid syntax for the MQSC command:\n   QLOCAL(X) ALL\n", nil, "AMQ8405I AMQ8427I"},
		"not found, z/OS": {"CSQM297I !QMA1 CSQMDRTC NO CFSTATUS FOUND MATCHING REQUEST CRITERIA\n", nil, "CSQM297I"},
		"prose":           {"CSQE241I !QMA1 SMDS(QMA1) CFSTRUCT(APPL1) NOW HAS STATUS(FAILED)\nFOO(BAR) is none\nsee AMQ7467I: text", nil, "CSQE241I"},
		"nothing":         {"", nil, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer, err := ParseAnswer([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, flat(answer)); diff != "" {
				t.Error(diff)
			}
			var ids []string
			for _, message := range answer.Messages {
				ids = append(ids, message.ID)
			}
			if got := strings.Join(ids, " "); got != test.ids {
				t.Errorf("messages %s, want %s", got, test.ids)
			}
		})
	}
}

func flat(answer Answer) []string {
	var lines []string
	for _, object := range answer.Objects {
		line := object.Message
		for _, attribute := range object.Attributes {
			line += " " + attribute.Name
			if !attribute.Bare {
				line += "=" + attribute.Value
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func TestTornAnswer(t *testing.T) {
	tests := map[string]struct{ body, want string }{
		"at the end":  {"AMQ8705I: Status.\n   QMNAME(QM1)      RECLOG(S00001", "2:21: a value is not closed"},
		"at a header": {"CSQM201I !QMA1 DIS X\nLOGS(QMA1,\nCSQ9022I !QMA1 OK", "2:1: a value is not closed"},
		"swallowed":   {"QMNAME(QM1\n  RECLOG(S0000001.LOG)\n", "1:1: a value is not closed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ParseAnswer([]byte(test.body))
			var place *Error
			if !errors.As(err, &place) || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestAnswerReading(t *testing.T) {
	answer, err := ParseAnswer([]byte(runmqscAnswer + consoleAnswer))
	if err != nil {
		t.Fatal(err)
	}
	channel, backup := answer.Objects[0], answer.Objects[2]
	if value, ok := channel.Get("substate"); !ok || value != "" {
		t.Errorf("SUBSTATE( ) is %q, %v", value, ok)
	}
	if value, ok := channel.Get("CURRENT"); !ok || value != "" {
		t.Errorf("CURRENT is %q, %v", value, ok)
	}
	if value, ok := channel.Get("BATCHES"); ok {
		t.Errorf("BATCHES is %q", value)
	}
	if diff := cmp.Diff([]string{"M60A", "QMA1"}, backup.List("LOGS")); diff != "" || len(backup.List("FAILTIME")) != 0 {
		t.Error(diff)
	}
	if message, ok := answer.Message("AMQ8147"); !ok || message.Text != "IBM MQ object NONE not found." || !answer.NotFound() || answer.SyntaxError() {
		t.Errorf("%v %v", message, ok)
	}
}

func TestMessageLines(t *testing.T) {
	body := "CSQI070I +CSQ1 Data set usage ...\nData set  RBA/LRSN          DSName\nLog, oldest for page set recovery  000000056000  CSQ1.LOG(1) \n" +
		"FULL(2) OF(8)\nEnd of data set report\nCSQ9022I +CSQ1 CSQIDUSE ' DISPLAY USAGE' NORMAL COMPLETION\n"
	answer, err := ParseAnswer([]byte(body))
	if err != nil || len(answer.Objects) != 0 {
		t.Fatalf("%v, %v", answer, err)
	}
	report, _ := answer.Message("CSQI070I")
	want := []string{"Data set  RBA/LRSN          DSName", "Log, oldest for page set recovery  000000056000  CSQ1.LOG(1)", "FULL(2) OF(8)", "End of data set report"}
	if diff := cmp.Diff(want, report.Lines); diff != "" || report.Text != "+CSQ1 Data set usage ..." {
		t.Errorf("%q %s", report.Text, diff)
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, seed := range []string{runmqscAnswer, consoleAnswer, "QUEUE(A) DESCR('a) b (') CURDEPTH(1)\nFOO( )", "AMQ8405I: x\nDIS Q(", "E 284 0090  SMDS(A\n) B(C)"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		answer, err := ParseAnswer(body)
		if err != nil {
			var place *Error
			if !errors.As(err, &place) || place.Line < 1 || place.Column < 1 {
				t.Fatalf("error without a place: %v", err)
			}
		}
		for _, object := range answer.Objects {
			if len(object.Attributes) == 0 {
				t.Fatal("an object without attributes")
			}
		}
		for _, message := range answer.Messages {
			if message.ID == "" || strings.Contains(message.Text, "\n") {
				t.Fatalf("message %v", message)
			}
		}
	})
}
