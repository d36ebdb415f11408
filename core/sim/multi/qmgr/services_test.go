package qmgr

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// ini changes qm.ini of a queue manager that has ended.
func (s *station) ini(change func(string) string) {
	s.Helper()
	content, err := disk.ReadAll(s.site.Disk, s.m.path(configFile))
	s.must(err)
	s.must(disk.Replace(s.site.Disk, s.m.path(configFile), []byte(change(string(content)))))
}

// What qm.ini does not say clearly is not guessed: no start.
func TestUnclearConfigurationIsNoStart(t *testing.T) {
	for name, change := range map[string][2]string{
		"management":       {"LogManagement=Manual", "LogManagement=Nonsense"},
		"a count":          {"LogPrimaryFiles=3", "LogPrimaryFiles=many"},
		"two counts":       {"LogPrimaryFiles=3", "LogPrimaryFiles=3\n   LogPrimaryFiles=4"},
		"size of messages": {"Log:", "QMErrorLog:\n   ErrorLogSize=1\nLog:"},
	} {
		s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
		s.ini(func(content string) string { return strings.Replace(content, change[0], change[1], 1) })
		if _, err := s.m.Start(s.ctx); err == nil || !strings.Contains(err.Error(), "qm.ini") {
			t.Errorf("%s: %v", name, err)
		}
		s.ini(func(content string) string { return strings.Replace(content, change[1], change[0], 1) })
		s.start()
	}
}

// The services of DiagnosticMessages stanzas (reference, Multiplatforms 2.3 item
// 41), and what QMErrorLog can hide (2.2 item 40).
func TestServicesOfMessages(t *testing.T) {
	s := inMemory(t, Spec{JSON: true, Log: small(extents.Linear, extents.Manual)})
	s.ini(func(content string) string {
		return content + `QMErrorLog:
   ExcludeMessage=7467,7234
DiagnosticMessages:
   Name=Severe
   Service=File
   Format=text
   FilePath=+MQ_Q_MGR_DATA_PATH+/severe
   FilePrefix=BAD
   Severities=E+
DiagnosticMessages:
   Name=Few
   Service=File
   Format=json
   FilePath=+MQ_DATA_PATH+/few
   ExcludeMessage=7468
   SuppressMessage=7467
   SuppressInterval=60
`
	})
	s.start()
	s.define("Q")
	s.must(s.m.Checkpoint(s.ctx))
	s.must(s.m.Damage(s.ctx, queueRef("Q")))
	s.clock.advance(time.Hour)
	s.must(s.m.Checkpoint(s.ctx))
	count := func(file, id string) int {
		t.Helper()
		content, err := disk.ReadAll(s.site.Disk, file)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		return strings.Count(string(content), id)
	}
	errors := s.m.path("errors") + "/"
	for _, test := range []struct {
		file, id string
		want     int
	}{
		{errors + "AMQERR01.LOG", "AMQ7467I: ", 3}, {errors + "AMQERR01.LOG", "AMQ7472E: ", 1},
		{errors + "AMQERR01.json", `"AMQ7467I"`, 3}, {errors + "AMQERR01.json", `"AMQ7472E"`, 1},
		{s.m.path("severe/BAD01.LOG"), "AMQ7467I: ", 0}, {s.m.path("severe/BAD01.LOG"), "AMQ7472E: ", 1},
		{"var/mqm/few/AMQERR01.json", `"AMQ7467I"`, 2}, {"var/mqm/few/AMQERR01.json", `"AMQ7468I"`, 0}, {"var/mqm/few/AMQERR01.json", `"AMQ7472E"`, 1},
	} {
		if got := count(test.file, test.id); got != test.want {
			t.Errorf("%s has %d of %s, wanted %d", test.file, got, test.id, test.want)
		}
	}
	content, err := disk.ReadAll(s.site.Disk, errors+"AMQERR01.json")
	s.must(err)
	for line := range strings.Lines(string(content)) {
		var record map[string]any
		s.must(json.Unmarshal([]byte(line), &record))
		if record["ibm_qmgrId"] != s.m.Attributes()["QMID"] || record["ibm_qmgrId"] == "" { // item 42
			t.Errorf("%v", record)
		}
	}
}
