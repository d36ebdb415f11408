package mqini

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mqsIni knows queue managers of two installations.
const mqsIni = `#* Module Name: mqs.ini *#
AllQueueManagers:
   DefaultPrefix=/var/mqm

LogDefaults:
   LogPrimaryFiles=3
   LogSecondaryFiles=2
   LogFilePages=4096
   LogType=CIRCULAR
   LogBufferPages=0
   LogDefaultPath=/var/mqm/log

QueueManager:
   Name=ORDERS.PROD
   Prefix=/var/mqm
   Directory=ORDERS!PROD
   InstallationName=Installation1

QueueManager:
   Name=PAY/1
   Prefix=/var/mqm
   Directory=PAY&1.000
   DataPath=/MQHA/my data/PAY&1/
   InstallationName=Installation2

DefaultQueueManager:
   Name=ORDERS.PROD
QueueManager:
   Name=LEGACY
   Prefix=C:\ProgramData\IBM\MQ
   Directory=LEGACY
`

func TestManagers(t *testing.T) {
	f := Parse([]byte(mqsIni))
	var got [][]string
	for _, m := range Managers(f) {
		dir, _ := m.DataDir()
		got = append(got, []string{m.Name, m.InstallationName, dir})
		checkProblems(t, m.Problems, "")
	}
	want := [][]string{
		{"ORDERS.PROD", "Installation1", "/var/mqm/qmgrs/ORDERS!PROD"},
		{"PAY/1", "Installation2", "/MQHA/my data/PAY&1"},
		{"LEGACY", "", `C:\ProgramData\IBM\MQ\qmgrs\LEGACY`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if Log(f).Type.Known() {
		t.Error("the defaults are no queue manager's log")
	}
}

func TestFindManager(t *testing.T) {
	f := Parse([]byte("QueueManager:\n Name=A\n Prefix=/x\n Directory=A\nQueueManager:\n Name=B\nQueueManager:\n Name=B\n"))
	if m, err := FindManager(f, "A"); err != nil || m.Line != 1 {
		t.Error(m, err)
	}
	if _, err := FindManager(f, "a"); !errors.Is(err, ErrNoManager) {
		t.Error(err)
	}
	if _, err := FindManager(f, "B"); !errors.Is(err, ErrManagerTwice) {
		t.Error(err)
	}
}

func TestDataDir(t *testing.T) {
	tests := map[string]struct{ text, dir, problems string }{
		"dspmqinf": {"QueueManager:\n   Name=QM.NAME\n   Prefix=/var/mqm\n   Directory=QM!NAME\n   DataPath=/MQHA/qmgrs/QM!NAME\n", "/MQHA/qmgrs/QM!NAME", ""},
		"command":  {"addmqinf -s QueueManager -v Name=QM.NAME -v Directory=QM!NAME -v Prefix=/var/mqm\n", "/var/mqm/qmgrs/QM!NAME", ""},
		"half":     {"QueueManager:\n Name=A\n Prefix=/var/mqm\n", "", ""},
		"disputed": {"QueueManager:\n Name=A\n Prefix=/x\n Directory=A\n DataPath=/a\n DataPath=/b\n", "", "line 6: DataPath twice in the stanza QueueManager, first in line 5; line 6: DataPath=/b differs from line 5"},
		"root":     {"QueueManager:\n Name=A\n Prefix=/\n Directory=A\n", "/qmgrs/A", ""},
		"nameless": {"QueueManager:\n DataPath=/a\n", "/a", "line 1: a queue manager without a name"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := Managers(Parse([]byte(test.text)))[0]
			if dir, ok := m.DataDir(); dir != test.dir || ok != (test.dir != "") {
				t.Errorf("%q, %v; want %q", dir, ok, test.dir)
			}
			checkProblems(t, m.Problems, test.problems)
		})
	}
}

func TestMangledName(t *testing.T) {
	for name, want := range map[string]string{"QM.ROH": "QM!ROH", "A/B.C": "A&B!C", "QM1": "QM1"} {
		if got := MangledName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
