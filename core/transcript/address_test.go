package transcript

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// rewritten anonymises one line of an MQSC answer.
func rewritten(t *testing.T, line string) string {
	t.Helper()
	got := anonymised(t, &Transcript{entries: []entry{&block{language: observe.MQSC, manager: "ORDERS", text: "DISPLAY QMGR", body: []byte(line + "\n")}}})
	return strings.TrimSuffix(string(got.entries[0].(*block).body), "\n")
}

// TestUnknownAddressesAreHidden: what has the form of an address is a name,
// though nothing else says so.
func TestUnknownAddressesAreHidden(t *testing.T) {
	for line, secrets := range map[string]string{
		"host db7.acme.example is down":              "db7 acme example",
		"call hans.mueller@acme.de now":              "hans mueller acme",
		"at 10.1.2.3, 10.1.2.3:1414 or 192.168.0.17": "10.1.2.3 192.168.0.17",
		"from 10.1.2.3-10.1.2.9":                     "10.1.2.3 10.1.2.9",
		"at fe80::1%eth7 or [2001:db8::77]:1414":     "fe80 2001 db8 eth7",
		"to tcp://db.acme.de:1414/x?user=hans":       "db acme hans",
		"to https://[2001:db8::77]/hans":             "db8 2001 hans",
		"in /home/hans/acme.txt":                     "hans acme",
		`in C:\Users\hans`:                           "hans",
		"CONNAME(mq.acme.de(1414))":                  "acme",
		"CONNAME('10.1.2.3(1414),db7.acme')":         "10.1.2.3 db7",
		"STATUS(HANSSTATUS) PLATFORM(HANS)":          "HANSSTATUS HANS",
		"PROGRAM(HANSPGM) VERSION(HANSVER)":          "HANSPGM HANSVER",
		"Site = frankfurt":                           "frankfurt",
		"# call Hans Mueller, 069 12345":             "Hans Mueller 069 12345",
		`{"principal":"hans","x":"10.1.2.3"}`:        "hans 10.1.2.3",
	} {
		got := rewritten(t, line)
		if len(got) != len(line) {
			t.Errorf("%s became %s, of another length", line, got)
		}
		for secret := range strings.FieldsSeq(secrets) {
			if strings.Contains(strings.ToUpper(got), strings.ToUpper(secret)) {
				t.Errorf("%s became %s", line, got)
			}
		}
	}
}

// TestHarmlessStays: what says what an answer means, and what only looks like
// an address.
func TestHarmlessStays(t *testing.T) {
	for _, line := range []string{
		"AMQ8705I: Display Queue Manager Status Details.",
		"   STATUS(RUNNING)   TYPE(QUEUE)   LOGTYPE(LINEAR)   UOWSTATE(ACTIVE)   UOWLOG(AMQA000042)   LOGPATH( )",
		"   TYPE(CONN)   PLATFORM(OS400)   STARTDA(2026-05-24)   STARTTI(04.33.20)   CURDEPTH(418290)",
		"03/12/26 02:17:41 - Process(23841.1) Program(amqzmuc0) VRMF(9.3.0.15) Time(2026-03-12T06:17:41.212Z)",
		"The oldest log file required to start is S0000112.LOG.",
		"Version:     9.3.0.15",
		"2026-05-27-13.59.00.000000 2026-05-27 13.59.10.123 14:05:35.12 20260527140535123",
		"AMQA000008 and AMQA000010, e.g. 2.5GB in 3.2s at 99.5%",
		"AllQueueManagers:",
		"   DefaultPrefix=/QIBM/UserData/mqm",
		"LogType=LINEAR",
		`{"ibm_messageId":"AMQ7467I","ibm_version":"9.3.0.15","loglevel":"INFO"}`,
		"all queues of the log(s)",
	} {
		if got := rewritten(t, line); got != line {
			t.Errorf("%s\nbecame\n%s", line, got)
		}
	}
}

// TestCells: what each kind of column keeps.
func TestCells(t *testing.T) {
	tests := []struct {
		column, cell string
		stays        bool
	}{
		{"STATUS", "SAVED", true}, {"STATUS", "HANSSTATUS", false}, {"SIZE", "100412", true}, {"SIZE", "hans", false},
		{"ID", "7", true}, {"ID", "hans-77", false}, {"ID", "Hans Mueller", false}, {"SITE", "frankfurt", false}, {"SITE", "17", true},
		{"SITE", "AMQA000008", true}, {"SITE", "10.1.2.3", false}, {"SITE", "*LOCAL", true},
		{"SHA256", strings.Repeat("6f1e", 16), true}, {"SHA256", "hanssha", false}, {"MESSAGE_KEY", "000004D2", true}, {"MESSAGE_KEY", "hanskey", false},
		{"FROM_PROGRAM", "AMQZXMA0", true}, {"FROM_PROGRAM", "HANSPGM", false}, {"MESSAGE_ID", "AMQ7460", true}, {"MESSAGE_ID", "HAN0001", false},
		{"SEGMENT", "AMQA000008", true}, {"SEGMENT", "Hans Mueller", false}, {"POSITION", "2026-05-27 17.20.11", true}, {"POSITION", "hanspos", false},
		{"ATTACH_TIMESTAMP", "2026-05-27-13.59.00.000000", true}, {"UNTIL", "2026-05-27T08:00:00Z", true}, {"REASON", "0691234", false},
	}
	for _, test := range tests {
		got := anonymised(t, &Transcript{entries: []entry{
			&block{language: observe.SQL, manager: "ORDERS", text: "QSYS2.ASP_INFO", body: []byte(test.column + "\n" + test.cell + "\n")},
		}})
		want := test.column + "\n" + test.cell + "\n"
		body := string(got.entries[0].(*block).body)
		if (body == want) != test.stays || len(body) != len(want) || !strings.HasPrefix(body, test.column+"\n") {
			t.Errorf("%q became %q", want, body)
		}
	}
}
