package qmgr

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// The folder's name: . is !, / is &, a number where it is taken ("IBM MQ file
// names"; reference, Multiplatforms 1.4 item 24).
func TestDirectoryNames(t *testing.T) {
	for _, test := range []struct {
		name  string
		taken []string
		want  string
	}{
		{"QM1", nil, "QM1"},
		{"QM.ROH", nil, "QM!ROH"},
		{"A/B.C_%", nil, "A&B!C_%"},
		{"QM1", []string{"QM1"}, "QM1.000"},
		{"QM1", []string{"QM1", "QM1.000"}, "QM1.001"},
	} {
		got, err := DirectoryFor(test.name, func(d string) bool {
			for _, taken := range test.taken {
				if d == taken {
					return true
				}
			}
			return false
		})
		if err != nil || got != test.want {
			t.Errorf("%s: %s, %v", test.name, got, err)
		}
	}
	if _, err := DirectoryFor("QM1", func(string) bool { return true }); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
}

func TestQueueManagerNames(t *testing.T) {
	for name, want := range map[string]bool{
		"QM1": true, "a.b/c_d%9": true, strings.Repeat("Q", 48): true,
		"": false, strings.Repeat("Q", 49): false, "QM 1": false, "QM!": false, "Ü": false, "QM-1": false,
	} {
		if err := checkName(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Two queue managers whose folders would have the same name, and two of the
// same name.
func TestCollidingQueueManagers(t *testing.T) {
	s := onDisk(t, Spec{Name: "QM1", Log: small(extents.Circular, extents.Manual)})
	second, err := Create(s.ctx, s.site, Spec{Name: "QM1", Log: small(extents.Linear, extents.Manual)})
	s.must(err) // that the name is known already is for mqs.ini to say
	if got := second.DataDir() + " " + second.LogDir(); got != "var/mqm/qmgrs/QM1.000 var/mqm/log/QM1.000" {
		t.Error(got)
	}
	_, err = Create(s.ctx, s.site, Spec{Name: "QM1", DataDir: "var/mqm/qmgrs/QM1", Log: small(extents.Linear, extents.Manual)})
	s.refuses(err, ErrExists)
	_, err = Create(s.ctx, s.site, Spec{Name: "NOT GOOD", Log: small(extents.Linear, extents.Manual)})
	s.refuses(err, ErrName)
	other, err := Create(s.ctx, s.site, Spec{Name: "QM2", DataDir: "data/two", LogDir: "logs/two", Log: small(extents.Linear, extents.Manual)})
	s.must(err)
	_, err = other.Start(s.ctx)
	s.must(err)
	if other.LogPath() != s.root+"/logs/two/active/" || other.DataPath() != s.root+"/data/two" {
		t.Error(other.LogPath(), other.DataPath())
	}
	s.must(other.End(s.ctx, EndOptions{}))
}

// Where objects are ("Directory structure on AIX and Linux systems"; reference,
// Multiplatforms 3.4 item 71).
func TestFilesOfObjects(t *testing.T) {
	for ref, want := range map[engine.Ref]string{
		{Kind: objects.Queue, Name: "QL.A"}:            "queues/QL!A/q",
		{Kind: objects.Queue, Name: "A/B"}:             "queues/A&B/q",
		{Kind: objects.Process, Name: "P.1"}:           "procdef/P!1",
		{Kind: objects.Namelist, Name: "N"}:            "namelist/N",
		{Kind: objects.Channel, Name: "TO.B"}:          "channel/TO!B",
		{Kind: objects.ClientChannel, Name: "C"}:       "clntconn/C",
		{Kind: objects.QueueManager, Name: "QM.1"}:     "qmanager/QMANAGER",
		{Kind: objects.Catalogue, Name: "QMQMOBJCAT"}:  "qmanager/QMQMOBJCAT",
		{Kind: objects.SyncFile, Name: "AMQRSYNA.DAT"}: "channel/AMQRSYNA.DAT",
		{Kind: objects.Service, Name: "S"}:             "services/S",
		{Kind: objects.Topic, Name: "T"}:               "topic/T",
		{Kind: objects.AliasQueue, Name: "QL.A"}:       "queues/QL!A/alias-queue",
	} {
		if got := (files{}).Object(ref); got != want {
			t.Errorf("%s: %s", ref, got)
		}
	}
	folders := strings.Join(files{}.Folders(), " ") + " "
	for _, c := range objects.Classes() {
		folder, _, _ := strings.Cut((files{}).Object(engine.Ref{Kind: c.Kind, Name: "X"}), "/")
		if !strings.Contains(folders, folder+" ") {
			t.Errorf("no folder %s for %s in %s", folder, c.Kind, folders)
		}
	}
}
