package engine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// realFolders is a queue manager on a real file system, laid out in folders.
func realFolders(t *testing.T) (s *estate, root string) {
	t.Helper()
	root = t.TempDir()
	d := disk.At(root)
	s = &estate{t: t, own: newPlatform(d, 256<<10)}
	s.opts = Options{Disk: d, Folder: "var/qmgrs/QM1", Files: folders{}, Costs: &seedCosts, Essential: func(r Ref) bool { return r.Kind == "queue-manager" }}
	s.must(d.MkdirAll("log"))
	e, err := Create(t.Context(), s.own, s.opts, testID)
	s.must(err)
	s.e = e
	return s, filepath.Join(root, "var/qmgrs/QM1")
}

// tree gives all files and folders below a folder.
func tree(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if name != "." {
			all = append(all, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (s *estate) wantTree(root string, want ...string) {
	s.t.Helper()
	shared := folders{}.Folders()
	want = slices.Sorted(slices.Values(append(want, shared...)))
	if got := slices.Sorted(slices.Values(tree(s.t, root))); !slices.Equal(got, want) {
		s.t.Errorf("files %q, want %q", got, want)
	}
}

// Files lie where the platform wants them; those of a deleted object go, with
// the folder that was its own, and what others put there stays.
func TestFilesInFolders(t *testing.T) {
	s, root := realFolders(t)
	s.must(s.e.Define(t.Context(), Ref{"queue-manager", "QM1"}, nil))
	s.define("A", "B")
	s.put("A", "1")
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	all := []string{"checkpoint.fil", "queue-manager/QM1", "queues/A", "queues/A/q", "queues/B", "queues/B/q"}
	s.wantTree(root, all...)
	s.must(s.e.Delete(t.Context(), Ref{Queue, "B"}, false))
	s.must(os.WriteFile(filepath.Join(root, "queues/A/amqalias"), nil, 0o600))
	s.put("A", "2")
	s.must(s.e.Suspend(t.Context()))
	s.wantTree(root, append(all, "suspended", "queues/A/q.mem", "queues/A/amqalias")...)
	s.must(s.resume())
	s.wantTree(root, append(all, "queues/A/amqalias")...)
	s.want("A", "1", "2")
	s.must(s.e.End(t.Context()))
	s.wantTree(root, append(all[:4], "queues/A/amqalias")...)
	_, err = s.start()
	s.must(err)
	s.want("A", "1", "2")
	s.must(s.e.Delete(t.Context(), Ref{Queue, "A"}, true))
	s.must(s.e.End(t.Context()))
	s.wantTree(root, "checkpoint.fil", "queue-manager/QM1", "queues/A", "queues/A/amqalias")
}

// A folder that has to be there is missing: the start names it, and works when
// it is back (SEED 7.5.1: the tree is rebuilt by hand).
func TestFolderMissing(t *testing.T) {
	s, root := realFolders(t)
	s.define("A")
	s.must(s.e.End(t.Context()))
	for _, folder := range (folders{}).Folders() {
		away := root + ".away"
		s.must(os.Rename(filepath.Join(root, folder), away))
		_, err := s.start()
		var file *FileError
		if !errors.As(err, &file) || file.Name != "var/qmgrs/QM1/"+folder || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: %v", folder, err)
		}
		s.must(os.Rename(away, filepath.Join(root, folder)))
	}
	_, err := s.start()
	s.must(err)
	s.must(s.e.End(t.Context()))
	// The data are lost and the tree is rebuilt, empty: nothing but the
	// control file is missed.
	control, err := os.ReadFile(filepath.Join(root, "checkpoint.fil"))
	s.must(err)
	s.must(os.RemoveAll(root))
	for _, folder := range (folders{}).Folders() {
		s.must(os.MkdirAll(filepath.Join(root, folder), 0o700))
	}
	var file *FileError
	if _, err := s.start(); !errors.As(err, &file) || !strings.HasSuffix(file.Name, "checkpoint.fil") {
		t.Errorf("without the control file: %v", err)
	}
	s.must(os.WriteFile(filepath.Join(root, "checkpoint.fil"), control, 0o600))
	done, err := s.start()
	if s.must(err); !slices.Equal(done.Damaged, []Ref{{Queue, "A"}}) {
		t.Errorf("%+v", done)
	}
	did, err := s.e.Rebuild(t.Context(), Ref{Queue, "A"})
	if !did || err != nil {
		t.Errorf("rebuilt %v, %v", did, err)
	}
	s.must(s.e.End(t.Context()))
}

// A crash after a checkpoint and before its sweep: the files of what was deleted
// go with the next start.
func TestLeftFilesGo(t *testing.T) {
	s := newEstateWith(t, 64<<10, func(o *Options) { o.Files = folders{} })
	s.define("A", "B")
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.must(s.e.Delete(t.Context(), Ref{Queue, "A"}, false))
	gone, err := s.disk.Contents("qm/queues/A/q")
	s.must(err)
	_, err = s.e.Checkpoint(t.Context())
	s.must(err)
	s.crash()
	s.disk.Put("qm/queues/A/q", gone)
	s.disk.Put("qm/queues/B/q.new", []byte("torn"))
	s.disk.Put("qm/queues/B/mine", []byte("not the queue manager's"))
	_, err = s.start()
	s.must(err)
	var left []string
	for _, folder := range []string{"qm/queues/A", "qm/queues/B"} {
		names, err := s.disk.List(folder)
		s.must(err)
		left = append(left, names...)
	}
	if !slices.Equal(left, []string{"mine", "q"}) {
		t.Errorf("left: %q", left)
	}
}

// A folder that another version of the engine wrote is refused, and says so.
func TestAnotherVersion(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.must(s.e.End(t.Context()))
	s.change("qm/control", func(b []byte) { b[len(controlMagic)-1]-- })
	var file *FileError
	if _, err := s.start(); !errors.As(err, &file) || !strings.Contains(err.Error(), "another version") {
		t.Errorf("%v", err)
	}
}

// A plain rm -r of a queue's folder under a queue manager that runs: messages go
// on being put and got, the next checkpoint finds the damage, and a rebuild
// makes folder and file anew.
func TestFolderOfAQueueRemoved(t *testing.T) {
	s, root := realFolders(t)
	s.define("A", "B")
	s.put("A", "1", "2")
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.must(os.RemoveAll(filepath.Join(root, "queues/A")))
	m, err := s.e.Get(t.Context(), "A")
	if s.must(err); string(m.Body) != "1" {
		t.Errorf("got %q", m.Body)
	}
	s.put("A", "3")
	s.put("B", "4")
	_, err = s.e.Checkpoint(t.Context())
	s.must(err)
	a := Ref{Queue, "A"}
	if o, err := s.e.Object(a); err != nil || !o.Damaged {
		t.Errorf("%+v, %v", o, err)
	}
	did, err := s.e.Rebuild(t.Context(), a)
	if !did || err != nil {
		t.Errorf("rebuilt %v, %v", did, err)
	}
	s.want("A", "2", "3")
	s.must(s.e.Verify(t.Context(), a))
	s.must(s.e.End(t.Context()))
	_, err = s.start()
	s.must(err)
	s.want("A", "2", "3")
	s.want("B", "4")
	s.must(s.e.End(t.Context()))
}
