package transcript

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
)

var update = flag.Bool("update", false, "write the golden files")

func orders(t interface{ Fatal(...any) }) *Transcript {
	got, err := Open("testdata/orders.mqt")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func anonymised(t interface{ Fatal(...any) }, transcript *Transcript) *Transcript {
	got, err := Anonymise(transcript, []byte("a key for tests"))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// answer gives the body of the first block of a language whose text begins so.
func answerTo(t *testing.T, transcript *Transcript, language observe.Language, begins string) *block {
	t.Helper()
	for _, e := range transcript.entries {
		if b, ok := e.(*block); ok && b.language == language && strings.HasPrefix(b.text, begins) {
			return b
		}
	}
	t.Fatalf("no %s block %s", language, begins)
	return nil
}

func TestAnonymiseGolden(t *testing.T) {
	const golden = "testdata/orders.anonymised"
	got := written(t, anonymised(t, orders(t)))
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// TestAnonymiseHidesAndKeeps: the names are gone in every case of letters,
// what the plan needs is there.
func TestAnonymiseHidesAndKeeps(t *testing.T) {
	got := written(t, anonymised(t, orders(t)))
	for _, name := range []string{"ORDERS", "MILLER", "10.1.2.3", "migrates"} {
		if strings.Contains(strings.ToUpper(got), strings.ToUpper(name)) {
			t.Errorf("%s is still there", name)
		}
	}
	for _, word := range []string{
		"AMQA000008", "AMQA000009", "AMQA000010", "AMQAJRN", "AMQJRNINF", "QMQMMSG", "QSYSOPR,QSYS", "*LOCAL",
		"2026-05-27-13.59.00.000000", "20260527140535123", "2026-05-27 14.05.35", "AMQ7462", "SQL0204", "SAVED", "100412",
		"STATUS(RUNNING)", "LOGPATH(/QIBM/UserData/mqm/qmgrs/", "AMQALMPX", "Europe/Berlin",
	} {
		if !strings.Contains(got, word) {
			t.Errorf("%s is gone", word)
		}
	}
}

// TestAnonymisedFactsAgree: header, directive, cells, user space and target
// name the same queue manager and the same library, and the library can still
// be derived from the name (IBM Docs, CRTMQM MQMLIB(*AUTO)).
func TestAnonymisedFactsAgree(t *testing.T) {
	got := anonymised(t, orders(t))
	target := got.Targets()[0]
	if target.Library != "QM"+target.Name || len(target.Name) != len("ORDERS") || target.Zone != "Europe/Berlin" {
		t.Errorf("target %+v", target)
	}
	for _, name := range []string{"QSYS2.JOURNAL_INFO", "QSYS2.JOURNAL_RECEIVER_INFO"} {
		b := answerTo(t, got, observe.SQL, name)
		rows, err := csv.NewReader(bytes.NewReader(b.body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			for i, column := range rows[0] {
				if strings.HasSuffix(column, "JOURNAL_LIBRARY") && row[i] != target.Library || b.manager != target.Name {
					t.Errorf("%s: %s is %s, the library %s", name, column, row[i], target.Library)
				}
			}
		}
	}
	space := answerTo(t, got, observe.UsrSpc, target.Library+"/AMQJRNINF")
	if want := "AMQA000008" + target.Library + "  20260527140535123\n"; string(space.body) != want {
		t.Errorf("user space %q, want %q", space.body, want)
	}
	tokens := answerTo(t, got, observe.SQL, "QSYS2.MESSAGE_QUEUE_INFO")
	if !strings.Contains(string(tokens.body), "AMQA000008"+target.Library+"  20260527140535,") {
		t.Errorf("substitution data does not name the library at its width:\n%s", tokens.body)
	}
}

func toBytesEBCDIC(text string) []byte {
	out := make([]byte, len(text))
	for i := range out {
		out[i] = toEBCDIC(text[i])
	}
	return out
}

func TestAnonymiseEBCDICUserSpace(t *testing.T) {
	for _, name := range []string{"AMQA000008", "**********"} {
		raw := append(toBytesEBCDIC(name+"QMORDERS  20260527140535123"), 1, 2, 3)
		transcript := &Transcript{entries: []entry{
			&target{name: "ORDERS", platform: observe.IBMi},
			&block{language: observe.UsrSpc, manager: "ORDERS", text: "QMORDERS/AMQJRNINF", body: raw},
		}}
		got := anonymised(t, transcript)
		body := answerTo(t, got, observe.UsrSpc, "QM").body
		target := got.Targets()[0]
		want := append(toBytesEBCDIC(name+target.Library+"  20260527140535123"), 0, 0, 0)
		if target.Library == "QMORDERS" || !bytes.Equal(body, want) {
			t.Errorf("user space %x, want %x of %+v", body, want, target)
		}
	}
}

func TestAnonymiseLongName(t *testing.T) {
	transcript, err := read(`>>> QMGR saturn.queue.manager ibmi
>>> FILE saturn.queue.manager: /QIBM/UserData/mqm/mqs.ini
QueueManager:
   Name=saturn.queue.manager
   Prefix=/QIBM/UserData/mqm
   Library=QMSATURN.Q
   Directory=saturn!queue!manager
>>> FILE saturn.queue.manager: /QIBM/UserData/mqm/qmgrs/saturn!queue!manager/qm.ini
Log:
   LogReceiverSize=100000
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := anonymised(t, transcript)
	name := got.Targets()[0].Name
	if !regexp.MustCompile(`^[a-z]{6}\.[a-z]{5}\.[a-z]{7}$`).MatchString(name) || name == "saturn.queue.manager" {
		t.Fatalf("name %q", name)
	}
	text := written(t, got)
	folder := strings.ReplaceAll(name, ".", "!")
	for _, want := range []string{"Name=" + name, "Library=QM" + strings.ToUpper(name[:8]), "Directory=" + folder, "qmgrs/" + folder + "/qm.ini", "LogReceiverSize=100000"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestAnonymiseDocuments(t *testing.T) {
	transcript, err := read(`>>> QMGR QM1 multiplatforms
>>> MQSC QM1: DISPLAY QMSTATUS ALL
QMNAME(QM1)  LOGTYPE(LINEAR)  CURRLOG(S0000130.LOG)  RECLOG(S0000112.LOG)  MEDIALOG(S0000104.LOG) HOSTNAME(pay1.bank.example)
>>> MQSC QM1: DISPLAY CHANNEL(TO.BANK) CONNAME
CHANNEL(TO.BANK) CONNAME(pay2.bank.example(1414)) DESCR(Ring Mr Smith) TRPTYPE(TCP) MCAUSER('smith')
>>> LOGDIR QM1: /mqha/secret/QM1/active
S0000100.LOG 16785408 2026-05-28T02:00:00Z smith 0660
>>> FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR01.LOG
03/12/26 02:17:41 - Process(23841.1) User(smith) Program(amqzmuc0)
                    Host(pay1.bank.example) Installation(Inst7)
                    VRMF(9.3.0.15) QMgr(QM1)
                    Time(2026-03-12T06:17:41.212Z)
AMQ7467I: The oldest log file required to start queue manager QM1 is S0000112.LOG.
>>> FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR01.json
{"ibm_messageId":"AMQ7467I","host":"pay1.bank.example","ibm_userName":"smith","ibm_datetime":"2026-03-12T06:17:41.212Z"}
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := written(t, anonymised(t, transcript))
	for _, name := range []string{"QM1", "smith", "bank", "secret", "Ring", "Inst7"} {
		if regexp.MustCompile(`(?i)\b` + name + `\b`).MatchString(text) {
			t.Errorf("%s is still in\n%s", name, text)
		}
	}
	for _, word := range []string{
		"CURRLOG(S0000130.LOG)", "LOGTYPE(LINEAR)", "S0000100.LOG 16785408 2026-05-28T02:00:00Z", "(1414)", "VRMF(9.3.0.15)",
		"required to start queue manager", "S0000112.LOG.", `"AMQ7467I"`, "Time(2026-03-12T06:17:41.212Z)", "/active", "Process(23841.1)",
	} {
		if !strings.Contains(text, word) {
			t.Errorf("%s is gone from\n%s", word, text)
		}
	}
}

func TestAnonymiseRefusesWhatItCannotRead(t *testing.T) {
	for name, b := range map[string]*block{
		"packed file":      {language: observe.File, manager: "Q", text: "x", body: []byte("PK\x03\x04\x00QMORDERS")},
		"EBCDIC file":      {language: observe.File, manager: "Q", text: "x", body: toBytesEBCDIC("QMORDERS AMQAJRN")},
		"broken table":     {language: observe.SQL, manager: "Q", text: "QSYS2.ASP_INFO", body: []byte("A\n\"b\n")},
		"short user space": {language: observe.UsrSpc, manager: "Q", text: "L/AMQJRNINF", body: []byte("AMQA000008QMORDERS")},
		"odd library":      {language: observe.UsrSpc, manager: "Q", text: "L/AMQJRNINF", body: append([]byte("AMQA000008"), make([]byte, 27)...)},
	} {
		if _, err := Anonymise(&Transcript{entries: []entry{b}}, []byte("k")); err == nil || !strings.Contains(err.Error(), b.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Anonymise(&Transcript{}, nil); err == nil {
		t.Error("no key was enough")
	}
}

// TestPseudonyms: the same length, the same classes of characters, no two
// alike, none that was there before, and none kept by mistake.
func TestPseudonyms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z][A-Z0-9._]{1,9}`), 1, 30, rapid.ID).Draw(t, "names")
		transcript := &Transcript{}
		for _, name := range names {
			transcript.entries = append(transcript.entries, &target{name: name, platform: observe.IBMi})
		}
		got := anonymised(t, transcript).Targets()
		known, used := map[string]bool{}, map[string]bool{}
		for _, name := range names {
			known[name] = true
		}
		for i, name := range names {
			pseudonym := got[i].Name
			kept := newLexicon(nil).stays(name)
			if kept != (pseudonym == name) || used[pseudonym] || !kept && known[pseudonym] || shape(pseudonym) != shape(name) {
				t.Fatalf("%s became %s", name, pseudonym)
			}
			used[pseudonym] = true
		}
	})
}

// shape writes a name with one letter for each class of characters.
func shape(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return 'A'
		case r >= '0' && r <= '9':
			return '0'
		}
		return r
	}, name)
}

func TestAnotherKeyAnotherPseudonym(t *testing.T) {
	one, _ := Anonymise(orders(t), []byte("one"))
	same, _ := Anonymise(orders(t), []byte("one"))
	two, _ := Anonymise(orders(t), []byte("two"))
	if written(t, one) != written(t, same) {
		t.Error("the same key gave two results")
	}
	if one.Targets()[0].Name == two.Targets()[0].Name {
		t.Error("two keys gave the same pseudonym")
	}
}

// FuzzAnonymise: no answer breaks it, and a table keeps its form.
func FuzzAnonymise(f *testing.F) {
	f.Add("A,JOURNAL_LIBRARY,MESSAGE_TEXT\n1,QMORDERS,\"receiver AMQA000008QMORDERS  2026\"\n")
	f.Add("QMNAME(ORDERS) CONNAME('a(1)',b) DESCR('x') {\"host\":\"y\"} /var/ORDERS 'q'\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []observe.Language{observe.SQL, observe.MQSC, observe.LogDir, observe.UsrSpc, observe.HoldOn} {
			got, err := Anonymise(&Transcript{entries: []entry{
				&target{name: "ORDERS", platform: observe.IBMi},
				&block{language: language, manager: "ORDERS", text: text, body: []byte(text)},
			}}, []byte("k"))
			if err == nil && bytes.Count(got.entries[1].(*block).body, []byte("\n")) > strings.Count(text, "\n")+1 {
				t.Fatalf("%s: lines were added: %q", language, got.entries[1].(*block).body)
			}
		}
	})
}
