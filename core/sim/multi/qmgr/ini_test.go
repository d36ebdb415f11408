package qmgr

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// qm.ini has the stanzas of a real one, and the reader of the housekeeper finds
// in it what the queue manager was made with.
func TestConfiguration(t *testing.T) {
	resources := []Resource{{Name: "BANK", SwitchFile: "bank.so", OpenString: "o", CloseString: "c"}}
	s := onDisk(t, Spec{Name: "QM.1", JSON: true, ErrorLogSize: 65536, Log: small(extents.Linear, extents.Archive), Resources: resources})
	content, err := disk.ReadAll(s.site.Disk, s.m.path("qm.ini"))
	s.must(err)
	f := mqini.Parse(content)
	log := mqini.Log(f)
	if log.Type.Value != mqini.Linear || log.Management.Value != mqini.Archive || log.PrimaryFiles.Value != 3 ||
		log.SecondaryFiles.Value != 2 || log.FilePages.Value != 64 || log.Path.Value != s.root+"/var/mqm/log/QM!1/" ||
		log.WriteIntegrity.Value != mqini.TripleWrite || len(f.Problems)+len(log.Problems) != 0 {
		t.Errorf("%+v", log)
	}
	if services := mqini.MessageServices(f); len(services) == 0 {
		t.Error("no service of messages")
	}
	// Attributes are indented by three blanks (reference, Multiplatforms 1.2
	// item 9).
	if !strings.Contains(string(content), "\nLog:\n   LogPrimaryFiles=3\n   LogSecondaryFiles=2\n") {
		t.Errorf("%s", content)
	}
	c, err := s.m.site.readConfig(content)
	s.must(err)
	c.log.Limits, c.log.Began = s.m.conf().log.Limits, s.m.conf().log.Began
	if !reflect.DeepEqual(c, *s.m.conf()) {
		t.Errorf("read %+v\nmade %+v", c, *s.m.conf())
	}
}

// Before 9.0.2 there is no LogManagement.
func TestConfigurationOfAnOldRelease(t *testing.T) {
	s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
	s.site = siteAt(s.root, s.clock, "8.0.0.4")
	s.create(Spec{Log: small(extents.Linear, extents.Manual)})
	content, err := disk.ReadAll(s.site.Disk, s.m.path("qm.ini"))
	s.must(err)
	if strings.Contains(string(content), "LogManagement") {
		t.Errorf("%s", content)
	}
}

// Counts of files may be changed; they hold from the next start on.
func TestCountsChangedAtARestart(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		content, err := disk.ReadAll(s.site.Disk, s.m.path("qm.ini"))
		s.must(err)
		changed := strings.Replace(string(content), "LogPrimaryFiles=3", "LogPrimaryFiles=6", 1)
		s.must(disk.Replace(s.site.Disk, s.m.path("qm.ini"), []byte(changed)))
		s.end()
		if got := s.m.Status().Log.Primary; got != 0 { // it has ended
			t.Error(got)
		}
		s.start()
		if got := s.m.Status().Log.Primary; got != 6 {
			t.Error(kind, got)
		}
		s.holds("Q", "kept")
	}
}

// What LogType and LogFilePages say later changes nothing about the log
// (reference, Multiplatforms 1.1 item 4; case 24).
func TestKindAndSizeAreFixed(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		s.end()
		content, err := disk.ReadAll(s.site.Disk, s.m.path("qm.ini"))
		s.must(err)
		other := extents.Circular
		if kind == extents.Circular {
			other = extents.Linear
		}
		changed := strings.Replace(string(content), "LogType="+string(kind), "LogType="+string(other), 1)
		changed = strings.Replace(changed, "LogFilePages=64", "LogFilePages=65535", 1)
		s.must(disk.Replace(s.site.Disk, s.m.path("qm.ini"), []byte(changed)))
		s.reopen()
		s.start()
		for range 100 { // more than an extent, in pieces
			s.put("Q", long(9_000))
			_, err := s.m.Get(s.ctx, "Q")
			s.must(err)
		}
		if _, err := s.m.Image(s.ctx, Selection{"queue", "Q"}); (err == nil) != (kind == extents.Linear) {
			t.Error(kind, err)
		}
		s.end()
	}
}

func TestConfigurationThatSaysTooLittle(t *testing.T) {
	s := ready(t, extents.Linear)
	s.end()
	for _, content := range []string{
		"", "Log:\n", "Log:\n   LogType=LINEAR\n   LogPath=/x\n",
		"Log:\n   LogType=LINEAR\n   LogType=CIRCULAR\n   LogPrimaryFiles=3\n   LogSecondaryFiles=2\n   LogFilePages=64\n   LogPath=/x\n",
		"Log:\n   LogType=LINEAR\n   LogPrimaryFiles=3\n   LogSecondaryFiles=2\n   LogFilePages=64\n   LogPath=/elsewhere\n",
	} {
		s.must(disk.Replace(s.site.Disk, s.m.path("qm.ini"), []byte(content)))
		if _, err := s.m.Start(s.ctx); err == nil {
			t.Errorf("it starts with %q", content)
		}
	}
}

func FuzzConfiguration(f *testing.F) {
	f.Add([]byte("Log:\n   LogType=LINEAR\n   LogPrimaryFiles=3\n   LogSecondaryFiles=2\n   LogFilePages=64\n   LogPath=/r/var/mqm/log/Q/\nQMErrorLog:\n   ErrorLogSize=65536\n"))
	f.Add([]byte("XAResourceManager:\n   Name=A\n"))
	site := Site{Root: "/r"}
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := site.readConfig(content)
		if err != nil {
			return
		}
		if c.logDir == "" || strings.HasPrefix(c.logDir, "/") || strings.Contains("/"+c.logDir+"/", "/../") {
			t.Errorf("log folder %q", c.logDir)
		}
		if c.log.Primary <= 0 || c.log.Secondary <= 0 || c.log.FilePages <= 0 {
			t.Errorf("%+v", c.log)
		}
	})
}

func FuzzState(f *testing.F) {
	f.Add([]byte(`{"Format":1,"State":"Running","Suspended":true,"Owner":{"User":1,"Known":true},"Applications":{"3":"APP"}}`))
	f.Add([]byte(`{"Format":1,"State":"Ended normally"}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		k, err := parseState(content)
		if err == nil && (k.Format != format || k.Suspended && k.State != Running) {
			t.Errorf("%+v", k)
		}
	})
}

func TestStatesThatCantBe(t *testing.T) {
	for _, content := range []string{"", "{", `{"Format":2,"State":"Running"}`, `{"Format":1,"State":"Dancing"}`, `{"Format":1,"State":"Ended normally","Suspended":true}`} {
		if k, err := parseState([]byte(content)); err == nil {
			t.Errorf("%q is read: %+v", content, k)
		}
	}
}
