package mqini

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMessageServices(t *testing.T) {
	services := MessageServices(Parse([]byte(qmIni)))
	if len(services) != 2 {
		t.Fatalf("%+v", services)
	}
	errorLog, json := services[0], services[1]
	if diff := cmp.Diff([]string{"7234"}, errorLog.Exclude); diff != "" || errorLog.FileSize.Value != 262144 || errorLog.SuppressInterval.Value != 30 {
		t.Errorf("%+v", errorLog)
	}
	for _, test := range []struct {
		service MessageService
		id, why string
	}{
		{errorLog, "AMQ7467I", ""},
		{errorLog, "AMQ7234", "ExcludeMessage names 7234"},
		{errorLog, "AMQ9002I", "SuppressMessage names 9002"},
		{json, "AMQ7467I", "DiagnosticMessages: Severities=E,S,T leaves it out"},
		{json, "AMQ7468", "leaves it out"},
		{json, "AMQ6709E", ""},
		{json, "S0000001.LOG", "is no message"},
	} {
		why, hides := test.service.Hides(test.id)
		if hides != (test.why != "") || !strings.Contains(why, test.why) {
			t.Errorf("%s hides %s: %v, %s; want %s", test.service.Stanza, test.id, hides, why, test.why)
		}
	}
	files, ok := json.Files("/var/mqm/qmgrs/ORDERS!PROD/", "/var/mqm")
	if diff := cmp.Diff([]string{"/var/mqm/qmgrs/ORDERS!PROD/errors/json/AMQERR01.json", "/var/mqm/qmgrs/ORDERS!PROD/errors/json/AMQERR02.json", "/var/mqm/qmgrs/ORDERS!PROD/errors/json/AMQERR03.json"}, files); diff != "" || !ok {
		t.Error(diff, ok)
	}
}

func TestMessageServiceShapes(t *testing.T) {
	tests := map[string]struct {
		text  string
		hides string // what 7467I is hidden by
		file  string // the first file, "" for none, "?" for not known
	}{
		"nothing":          {"Log:\n", "", "/qm/errors/AMQERR01.LOG"},
		"excluded":         {"QMErrorLog:\n  ExcludeMessage = 7467 , AMQ7468I\n", "ExcludeMessage names 7467", "/qm/errors/AMQERR01.LOG"},
		"suppressed":       {"QMErrorLog:\n  SuppressMessage=amq7467\n", "SuppressMessage names 7467", "/qm/errors/AMQERR01.LOG"},
		"named twice":      {"QMErrorLog:\n  ExcludeMessage=7234\n  ExcludeMessage=7467\n", "ExcludeMessage names 7467", "/qm/errors/AMQERR01.LOG"},
		"unread":           {"QMErrorLog:\n  ExcludeMessage=746*\n", "can't be read", "/qm/errors/AMQERR01.LOG"},
		"second":           {"DiagnosticMessages:\n Name=A\n Service=FILE\n Format=JSON\n Severities=all\n FilePrefix=QMLOG\n", "", "/qm/errors/QMLOG01.json"},
		"from warnings":    {"DiagnosticMessages:\n Name=A\n Service=File\n Severities=W+\n", "leaves it out", "/qm/errors/AMQERR01.LOG"},
		"from information": {"DiagnosticMessages:\n Name=A\n Service=File\n Severities=I+\n", "", "/qm/errors/AMQERR01.LOG"},
		"words":            {"DiagnosticMessages:\n Name=A\n Service=File\n Severities=Info, Warning\n", "", "/qm/errors/AMQERR01.LOG"},
		"strange":          {"DiagnosticMessages:\n Name=A\n Service=File\n Severities=loud\n", "leaves it out", "/qm/errors/AMQERR01.LOG"},
		"syslog":           {"DiagnosticMessages:\n Name=A\n Service=Syslog\n Ident=qm\n", "", ""},
		"system's":         {"DiagnosticMessages:\n Name=A\n Service=File\n FilePath=+MQ_DATA_PATH+/x\n", "", "/mq/x/AMQERR01.LOG"},
		"insert":           {"DiagnosticMessages:\n Name=A\n Service=File\n FilePath=+MQ_NEW+/x\n", "", "?"},
		"two paths":        {"DiagnosticMessages:\n Name=A\n Service=File\n FilePath=/x\n FilePath=/y\n", "", "?"},
		"no service":       {"DiagnosticMessages:\n Name=A\n", "", "?"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			services := MessageServices(Parse([]byte(test.text)))
			last := services[len(services)-1]
			why, hides := last.Hides("AMQ7467I")
			if hides != (test.hides != "") || !strings.Contains(why, test.hides) {
				t.Errorf("hides: %v, %s; want %s", hides, why, test.hides)
			}
			files, ok := last.Files("/qm", "/mq/")
			got := "?"
			if ok {
				got = strings.Join(files[:min(1, len(files))], "")
			}
			if got != test.file {
				t.Errorf("writes %s, want %s", got, test.file)
			}
		})
	}
}
