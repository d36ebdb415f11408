package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

// rowOf makes the row of a message from its texts.
func rowOf(tokens, text, second string) Row {
	table := &Table{columns: map[string]int{"MESSAGE_TOKENS": 0, "MESSAGE_TEXT": 1, "MESSAGE_SECOND_LEVEL_TEXT": 2}}
	return Row{table, []string{tokens, text, second}, 7}
}

func TestMessageMark(t *testing.T) {
	tests := []struct {
		name                 string
		tokens, text, second string
		receiver, lib, entry string
		gone                 bool
	}{
		{name: "old form: a time alone", text: "oldest entry 2026-05-27 14:05:35", entry: "2026-05-27 14:05:35"},
		{name: "old form, API time", tokens: "1260527140535", entry: "2026-05-27 14:05:35"},
		{name: "old form, API time with milliseconds", tokens: "1260527140535123", entry: "2026-05-27 14:05:35.123"},
		{name: "later form", tokens: "AMQA000008LIBA      20260527140535123", receiver: "AMQA000008", lib: "LIBA", entry: "2026-05-27 14:05:35.123"},
		{name: "a library of ten characters leaves the time unread where it ends with a digit", tokens: "AMQA000008QMORDERS0120260527140535123", receiver: "AMQA000008", lib: "QMORDERS01"},
		{name: "a library of ten characters with a dot", tokens: "AMQA000008QMSATURN.Q20260527140535123", receiver: "AMQA000008", lib: "QMSATURN.Q", entry: "2026-05-27 14:05:35.123"},
		{name: "a receiver alone", tokens: "AMQB100044LIBA      ", receiver: "AMQB100044", lib: "LIBA"},
		{name: "in the text alone", text: "entry 2026-03-06 19.40.03, receiver AMQA000043 in QMPAYROLL", receiver: "AMQA000043", entry: "2026-03-06 19:40:03"},
		{name: "in the second level alone", second: "receiver AMQA000043/QMPAYROLL", receiver: "AMQA000043"},
		{name: "asterisks", tokens: "**********QMORDERS  20260401080000000", gone: true, entry: "2026-04-01 08:00:00"},
		{name: "asterisks explained below", tokens: "AMQA000008LIBA      20260401080000000", second: "If the name shows as ********** it is gone.", receiver: "AMQA000008", lib: "LIBA", entry: "2026-04-01 08:00:00"},
		{name: "the same in several texts", tokens: "AMQA000008LIBA      20260401080000123", text: "AMQA000008 2026-04-01-08.00.00", second: "AMQA000008", receiver: "AMQA000008", lib: "LIBA", entry: "2026-04-01 08:00:00.123"},
		{name: "a date in the job's form is not read", text: "entry of 03/12/26 14:05:35, receiver AMQA000008", receiver: "AMQA000008"},
		{name: "two times in one text: neither", tokens: "AMQA000008LIBA 20260401080000000 20260401090000000", receiver: "AMQA000008", lib: "LIBA"},
		{name: "a time that is none", tokens: "AMQA000008LIBA      20260231080000000", receiver: "AMQA000008", lib: "LIBA"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := message{startupMessage, at("12:00:00"), rowOf(test.tokens, test.text, test.second)}
			got, err := m.mark("LIBA")
			if err != nil {
				t.Fatal(err)
			}
			if got.kind != recovery.Restart || got.name != test.receiver || got.library != test.lib || got.gone != test.gone || got.entry.String() != test.entry {
				t.Errorf("%+v (%s)", got, got.entry)
			}
			if got.source != "AMQ7460 in LIBA/QMQMMSG, sent 2026-10-25 12.00.00" {
				t.Error(got.source)
			}
			m.id = mediaMessage
			if got, err = m.mark("LIBA"); err != nil || got.kind != recovery.Media {
				t.Errorf("as AMQ7462: %+v, %v", got, err)
			}
		})
	}
}

func TestMessageMarkWrong(t *testing.T) {
	tests := []struct{ name, tokens, text, says string }{
		{"two receivers in one text", "AMQA000008LIBA      AMQA000009LIBA", "", "AMQA000008 and AMQA000009"},
		{"two receivers in two texts", "AMQA000008LIBA", "receiver AMQA000009", "AMQA000008 and AMQA000009"},
		{"a receiver and asterisks in one text", "AMQA000008LIBA      **********", "", "AMQA000008 and **********"},
		{"asterisks, and then a receiver", "**********LIBA      20260401080000000", "receiver AMQA000009", "********** and AMQA000009"},
		{"two times in two texts", "AMQA000008LIBA      20260401080000000", "2026-04-01 09:00:00", "gives the times"},
		{"nothing", "", "journal information", "neither a receiver nor a time"},
		{"a date in the job's form alone", "", "oldest entry 03/12/26 14:05:35", "neither a receiver nor a time"},
		{"asterisks without a time", "**********LIBA", "", "neither a receiver nor a time"},
		{"nine asterisks", "*********", "", "neither a receiver nor a time"},
	}
	for _, test := range tests {
		m := message{startupMessage, at("12:00:00"), rowOf(test.tokens, test.text, "")}
		got, err := m.mark("LIBA")
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "line 7") || !strings.Contains(err.Error(), "AMQ7460") {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

const messageHeader = "MESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TIMESTAMP,MESSAGE_TOKENS\n"

func TestMessages(t *testing.T) {
	body := messageHeader +
		"LIBA,QMQMMSG,AMQ7462I,2026-05-27-17.30.00.200000,b\n" + // severity letter of a text log
		"LIBA,QMQMMSG,AMQ7460,2026-05-27-17.30.00.100000,a\n" +
		"LIBB,QMQMMSG,AMQ7460,2026-05-28-17.30.00.100000,another library\n" +
		"QMQM,QMQMMSG,AMQ7460,2026-05-28-17.30.00.100000,the product's queue\n" +
		"LIBA,QSYSOPR,AMQ7460,2026-05-28-17.30.00.100000,another queue\n" +
		"LIBA,QMQMMSG,AMQ7467,2026-05-28-17.30.00.100000,another message\n"
	table, err := ReadTable([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	found, err := messages(table, "LIBA", "QMQMMSG", startupMessage, mediaMessage)
	if err != nil || len(found) != 2 || found[0].id != startupMessage || found[1].id != mediaMessage {
		t.Errorf("%+v, %v", found, err)
	}
	for _, wrong := range []string{
		messageHeader + "LIBA,QMQMMSG,AMQ7460,,a\n",
		messageHeader + "LIBA,QMQMMSG,AMQ7460,03/12/26,a\n",
		"MESSAGE_ID\nAMQ7460\n",
	} {
		table, err := ReadTable([]byte(wrong))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := messages(table, "LIBA", "QMQMMSG", startupMessage); err == nil {
			t.Errorf("%q: %+v", wrong, found)
		}
	}
}

// Each message is an id, the minute in which it was sent, and the receiver
// that it names.
func TestNewestPair(t *testing.T) {
	tests := []struct {
		name     string
		messages string
		want     string // restart or media and the receiver
		wrong    bool
	}{
		{"none", "", "", false},
		{"one pair", "60 10:00 9, 62 10:00 8", "restart 9, media 8", false},
		{"media first", "62 10:00 8, 60 10:00 9", "restart 9, media 8", false},
		{"the newest of several", "60 10:00 3, 62 10:00 2, 60 11:00 9, 62 11:00 8, 60 09:00 2, 62 09:00 1", "restart 9, media 8", false},
		{"exactly a minute apart", "60 10:00 9, 62 10:01 8", "restart 9, media 8", false},
		{"a newer startup without its partner adds its mark", "60 10:00 7, 62 10:00 6, 60 11:00 9", "restart 7, media 6, restart 9", false},
		{"a newer media without its partner adds its mark", "60 10:00 7, 62 10:00 6, 62 11:00 8", "restart 7, media 6, media 8", false},
		{"two newer ones apart", "60 10:00 7, 62 10:00 6, 60 11:00 9, 62 12:00 8", "restart 7, media 6, restart 9, media 8", false},
		{"never a pair", "60 10:00 9, 62 12:00 8", "", true},
		{"startup alone", "60 10:00 9", "restart 9", false},
		{"media alone", "62 10:00 8", "media 8", false},
		{"the partner of a pair can't be read", "60 10:00 9, 62 10:00 0", "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := messageHeader
			for entry := range strings.SplitSeq(test.messages, ", ") {
				if f := strings.Fields(entry); len(f) == 3 {
					tokens := "AMQA00000" + f[2] + "LIBA"
					if f[2] == "0" {
						tokens = ""
					}
					body += "LIBA,QMQMMSG,AMQ74" + f[0] + ",2026-05-27 " + f[1] + ":00," + tokens + "\n"
				}
			}
			table, err := ReadTable([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			found, err := messages(table, "LIBA", "QMQMMSG", startupMessage, mediaMessage)
			if err != nil {
				t.Fatal(err)
			}
			marks, err := newestPair(found, "LIBA")
			if (err != nil) != test.wrong {
				t.Fatal(err)
			}
			var got []string
			for _, m := range marks {
				got = append(got, m.kind.String()+" "+m.name[9:])
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("got %v, want %s", got, test.want)
			}
		})
	}
}
