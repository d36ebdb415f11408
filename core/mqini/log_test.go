package mqini

import (
	"fmt"
	"strings"
	"testing"
)

// qmIni is laid out as crtmqm writes it and people edit it.
const qmIni = `#*******************************************************************#
#* Module Name: qm.ini                                             *#
#*******************************************************************#
ExitPath:
   ExitsDefaultPath=/var/mqm/exits
   ExitsDefaultPath64=/var/mqm/exits64
Log:
   LogPrimaryFiles=3
   LogSecondaryFiles=2
   LogFilePages=4096
   LogType=LINEAR
   LogBufferPages=0
   LogPath=/var/mqm/log/ORDERS!PROD/
   LogWriteIntegrity=TripleWrite
   LogManagement=Archive
 Service:
   Name=AuthorizationService
   EntryPoints=14
  ServiceComponent:
   Service=AuthorizationService
   Name=MQSeries.UNIX.auth.service
   Module=amqzfu
   ComponentDataSize=0
QMErrorLog:
   ErrorLogSize=262144
   ExcludeMessage=7234
   SuppressMessage=9001,9002,9202
   SuppressInterval=30
DiagnosticMessages:
   Name          = JSONLogs
   Service       = File
   Format        = json
   FilePath      = +MQ_Q_MGR_DATA_PATH+/errors/json
   Severities    = E,S,T
`

func show[T any](s Setting[T]) string {
	if !s.Known() {
		return s.State.String()
	}
	return fmt.Sprint(s.Value)
}

func TestLog(t *testing.T) {
	const nativeHA = "Log:\n   LogType          = REPLICATED\n   LogManagement    = Automatic\n   LogPrimaryFiles=10\n   LogSecondaryFiles=10\n   LogFilePages=8192\n   LogPath=/var/mqm/log/QM1/\n"
	tests := map[string]struct{ text, want, problems string }{
		"usual":          {qmIni, "LINEAR Archive 3 2 4096 /var/mqm/log/ORDERS!PROD/ TripleWrite", ""},
		"Native HA":      {nativeHA, "REPLICATED Automatic 10 10 8192 /var/mqm/log/QM1/ not given", ""},
		"any case":       {"LOG:\nlogtype=linear\nLOGMANAGEMENT=manual\n", "LINEAR Manual not given not given not given not given not given", ""},
		"no LogType":     {"Log:\n   LogPath=/a\n", "not given not given not given not given not given /a not given", ""},
		"no stanza":      {"TCP:\n", "not given not given not given not given not given not given not given", ""},
		"commented":      {"Log:\n#  LogType=LINEAR\n   LogPath=/a\n", "not given not given not given not given not given /a not given", ""},
		"comment behind": {"Log:\n   LogType=LINEAR # since 2019\n", "unclear not given not given not given not given not given not given", "line 2: LogType=LINEAR # since 2019: not one of [CIRCULAR LINEAR REPLICATED]"},
		"two kinds": {"Log:\n LogType=LINEAR\n LogType=CIRCULAR\n", "unclear not given not given not given not given not given not given",
			"line 3: LogType twice in the stanza Log, first in line 2; line 3: LogType=CIRCULAR differs from line 2"},
		"twice the same": {"Log:\n LogType=LINEAR\n LogType=Linear\n", "LINEAR not given not given not given not given not given not given",
			"line 3: LogType twice in the stanza Log, first in line 2"},
		"two stanzas": {"Log:\n LogType=LINEAR\n LogPath=/a\nTCP:\nLog:\n LogType=REPLICATED\n", "unclear not given not given not given not given /a not given",
			"line 5: a second stanza Log, the first is in line 1; line 6: LogType=REPLICATED differs from line 2"},
		"empty":   {"Log:\n LogType=\n LogPath=\n", "unclear not given not given not given not given unclear not given", "line 2: LogType=: not one of [CIRCULAR LINEAR REPLICATED]; line 3: LogPath=: no value"},
		"numbers": {"Log:\n LogPrimaryFiles=511\n LogSecondaryFiles=many\n LogFilePages=65536\n", "not given not given unclear unclear unclear not given not given", "line 2: LogPrimaryFiles=511: not from 2 to 510; line 4: LogFilePages=65536: not from 1 to 65535; line 3: LogSecondaryFiles=many: not a whole number"},
		"too many": {"Log:\n LogPrimaryFiles=500\n LogSecondaryFiles=20\n", "not given not given 500 20 not given not given not given",
			"line 3: LogPrimaryFiles and LogSecondaryFiles are 520, more than 511"},
		"unread line": {"Log:\n LogType LINEAR\n", "not given not given not given not given not given not given not given", "line 2: neither a stanza nor an attribute"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := Log(Parse([]byte(test.text)))
			got := strings.Join([]string{show(s.Type), show(s.Management), show(s.PrimaryFiles), show(s.SecondaryFiles), show(s.FilePages), show(s.Path), show(s.WriteIntegrity)}, " ")
			if got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			checkProblems(t, s.Problems, test.problems)
		})
	}
}

// checkProblems compares problems in any order.
func checkProblems(t *testing.T, got []Problem, want string) {
	t.Helper()
	left := want
	for _, problem := range got {
		if !strings.Contains(left, problem.String()) {
			t.Errorf("problem %s, want %s", problem, want)
		}
		left = strings.Replace(left, problem.String(), "", 1)
	}
	if strings.Trim(left, "; ") != "" {
		t.Errorf("no problem %s", left)
	}
}

func TestLogFolders(t *testing.T) {
	for _, test := range []struct{ path, folder, active string }{
		{"/var/mqm/log/QM1/", "/var/mqm/log/QM1", "/var/mqm/log/QM1/active"},
		{"/var/mqm/log/QM1/active/", "/var/mqm/log/QM1", "/var/mqm/log/QM1/active"},
		{"/var/mqm/log/QM1//active", "/var/mqm/log/QM1", "/var/mqm/log/QM1/active"},
		{"/var/mqm/log/my log", "/var/mqm/log/my log", "/var/mqm/log/my log/active"},
		{`C:\ProgramData\IBM\MQ\log\QM1\`, `C:\ProgramData\IBM\MQ\log\QM1`, `C:\ProgramData\IBM\MQ\log\QM1\active`},
		{`C:\ProgramData\IBM\MQ\log\QM1\active\`, `C:\ProgramData\IBM\MQ\log\QM1`, `C:\ProgramData\IBM\MQ\log\QM1\active`},
		{`/log/a\active`, `/log/a\active`, `/log/a\active/active`},
		{"/active", "/active", "/active/active"},
	} {
		if got := LogFolder(test.path); got != test.folder {
			t.Errorf("%s: folder %s, want %s", test.path, got, test.folder)
		}
		if got := ActiveFolder(test.path); got != test.active {
			t.Errorf("%s: active %s, want %s", test.path, got, test.active)
		}
	}
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"/var/mqm/log/QM1/", "/var/mqm/log/QM1/active", true},
		{"/var/mqm/log/QM1", "/var/mqm/log/QM2", false},
		{"/var/mqm/log/qm1", "/var/mqm/log/QM1", false},
		{`C:\MQ\log\QM1\`, `c:/mq/Log/QM1/Active/`, true},
		{`C:\MQ\log\QM1`, `D:\MQ\log\QM1`, false},
	} {
		if got := SameLog(test.a, test.b); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}
