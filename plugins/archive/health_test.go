package archive

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

func configured(t *testing.T, settings map[string]any) plugins.Request {
	t.Helper()
	config, err := schema.New(settingsOfPlugin(), settings)
	if err != nil {
		t.Fatal(err)
	}
	return plugins.Request{Config: config, Round: 1, Target: observe.Target{Name: "QM1", Platform: observe.Multiplatforms},
		Promise: recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}}
}

func settingsOfPlugin() schema.Schema { return Plugin{}.Describe().Schema }

// What the log and its file system show, each at its threshold.
func TestLogFindings(t *testing.T) {
	calm := observe.Log{Directory: "/log/active", Owner: "mqm:mqm", Mode: "drwxrws---", InUse: -1, Utilised: -1,
		Current: "S0000002.LOG", Restart: "S9999999.LOG", Primary: 4, Secondary: 2, Size: 1000, Free: 201}
	tests := []struct {
		name   string
		change func(*observe.Log)
		want   string // code: text; empty: none
	}{
		{"calm", func(*observe.Log) {}, ""},
		{"nothing is told", func(l *observe.Log) { *l = observe.Log{InUse: -1, Utilised: -1} }, ""},
		{"one more than primary files, over the wrap", func(l *observe.Log) { l.Restart = "S9999998.LOG" },
			"active-span-long: a restart reads 5 extents, S9999998.LOG to S0000002.LOG, and there are 4 primary files and 2 secondary ones"},
		{"secondary files not told", func(l *observe.Log) { l.Primary, l.Secondary = 3, 0 }, "active-span-long: and there are 3 primary files"},
		{"no restart point", func(l *observe.Log) { l.Restart, l.Primary = "", 1 }, ""},
		{"in use", func(l *observe.Log) { l.InUse, l.Utilised = 80, 79 }, "log-filling: 80 per cent of the primary files are in use for a restart (LOGINUSE)"},
		{"utilised, and secondary files with it", func(l *observe.Log) { l.InUse, l.Utilised = 79, 112 }, "log-filling: the work of late needs 112 per cent of them (LOGUTIL)"},
		{"file system", func(l *observe.Log) { l.Free = 200 }, "file-system-filling: the file system of /log/active is 80 per cent full, 200 bytes are free; mqhk plan --need SIZE --target multiplatforms/QM1 says what can go"},
		{"file system, as df rounds", func(l *observe.Log) { l.Free = 191 }, "file-system-filling: the file system of /log/active is 81 per cent full"},
		{"full", func(l *observe.Log) { l.Free = 0 }, "file-system-filling: is 100 per cent full"},
		{"messages", func(l *observe.Log) { l.Suppressed = []string{"AMQ7467", "AMQ7468"} }, "messages-suppressed: qm.ini keeps AMQ7467, AMQ7468 out of the error log"},
		{"everybody", func(l *observe.Log) { l.Mode = "drwxrwxrwx" }, "others-may-delete: every user may delete files in /log/active (drwxrwxrwx, mqm:mqm); remedy: chmod o-w"},
		{"everybody, of his own alone", func(l *observe.Log) { l.Mode = "drwxrwxrwt" }, ""},
		{"another group", func(l *observe.Log) { l.Owner = "mqm:staff" }, "others-may-delete: the group staff may delete files in /log/active (drwxrws---, mqm:staff); remedy: chgrp mqm"},
		{"root's own group", func(l *observe.Log) { l.Owner = "root:root" }, ""},
		{"the owner's own group", func(l *observe.Log) { l.Owner = "mqhk:mqhk" }, ""},
		{"mqm of another owner", func(l *observe.Log) { l.Owner = "root:mqm" }, ""},
		{"another group, sticky", func(l *observe.Log) { l.Owner, l.Mode = "mqm:staff", "drwxrws--T" }, ""},
		{"another group, that may only read", func(l *observe.Log) { l.Owner, l.Mode = "mqm:staff", "drwxr-x---" }, ""},
		{"group not told", func(l *observe.Log) { l.Owner = "mqm" }, ""},
		{"both", func(l *observe.Log) { l.Owner, l.Mode = "mqm:staff", "drwxrwxrwx" }, "others-may-delete: every user and the group staff may delete files in /log/active (drwxrwxrwx, mqm:staff); remedy: chmod o-w, chgrp mqm"},
		{"no directory", func(l *observe.Log) { l.Mode = "-rwxrwxrwx" }, ""},
		{"a mode with more behind it", func(l *observe.Log) { l.Mode = "drwxrwxrwx+" }, "others-may-delete: every user"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			log := calm
			test.change(&log)
			found := logFindings(observe.ExtentFacts{Log: log}, configured(t, nil))
			if test.want == "" {
				if len(found) > 0 {
					t.Errorf("%v", found)
				}
				return
			}
			code, text, _ := strings.Cut(test.want, ": ")
			if len(found) != 1 || string(found[0].Code) != code || !strings.Contains(found[0].Text, text) || !strings.HasPrefix(found[0].Text, "QM1: ") {
				t.Errorf("%v\nwant %s", found, test.want)
			}
		})
	}
}

// Copies that do not reach the extents on the system are told of, where a range
// of need begins in them.
func TestJoins(t *testing.T) {
	const absent, online = recovery.Absent, recovery.Online
	tests := []struct {
		name   string
		states []recovery.State
		from   recovery.Position
		kind   recovery.NeedKind
		copies []int
		want   string // the hole; empty: none
	}{
		{"no copies needed", []recovery.State{online, online, online, recovery.Current}, 1, recovery.DataBackup, nil, ""},
		{"they join", []recovery.State{absent, absent, online, recovery.Current}, 1, recovery.DataBackup, []int{100, 101}, ""},
		{"a hole in the middle", []recovery.State{absent, absent, absent, online, recovery.Current}, 1, recovery.DataBackup, []int{100, 102}, "S0000101.LOG"},
		{"a hole at the end", []recovery.State{absent, absent, online, recovery.Current}, 1, recovery.Media, []int{100}, "S0000101.LOG"},
		{"a damaged copy is a hole", []recovery.State{absent, absent, online, recovery.Current}, 1, recovery.Media, []int{100, -101}, "S0000101.LOG"},
		{"nothing begins in them", []recovery.State{absent, absent, online, recovery.Current}, 3, recovery.DataBackup, []int{100}, ""},
		{"a hole before the need", []recovery.State{absent, absent, absent, online, recovery.Current}, 3, recovery.DataBackup, []int{100, 102}, ""},
		{"no copy at all: it is lost", []recovery.State{absent, absent, online, recovery.Current}, 1, recovery.DataBackup, nil, ""},
		{"a need before everything", []recovery.State{absent, absent, online, recovery.Current}, 0, recovery.DataBackup, []int{100}, "S0000101.LOG"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			facts := logOf(100+len(test.states)-2, test.states...)
			facts.Inventory.Needs = append(facts.Inventory.Needs, recovery.Need{Kind: test.kind, From: test.from, Source: "note 17"})
			for _, n := range test.copies {
				facts.Inventory.Copies = append(facts.Inventory.Copies, recovery.Copy{Segment: extentID(max(n, -n)), Store: "vault", Verified: n > 0})
			}
			found := decide(facts, configured(t, nil)).joinFindings()
			if test.want == "" {
				if len(found) > 0 {
					t.Errorf("%v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Code != finding.ArchiveBroken ||
				!strings.Contains(found[0].Text, "the copies from S0000100.LOG on do not reach the extents on the system: "+test.want+" is in no store") {
				t.Errorf("%v", found)
			}
		})
	}
}
