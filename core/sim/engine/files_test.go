package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// files gives the names of all files on the disk.
func (s *estate) files() []string {
	s.t.Helper()
	var all []string
	for _, folder := range []string{"log", "qm", "."} {
		names, err := s.disk.List(folder)
		s.must(err)
		for _, name := range names {
			all = append(all, strings.TrimPrefix(folder+"/"+name, "./"))
		}
	}
	return all
}

// Issue 3: only log segments and the files of queues hold message bodies, in
// whatever state the queue manager is.
func TestBodiesStayInLogAndQueueFiles(t *testing.T) {
	const secret = "the body of a message"
	s := newEstate(t, 64<<10)
	s.must(s.e.Define(t.Context(), Ref{"queue-manager", "QM"}, map[string]string{"DEADQ": "D"}))
	s.define("A", "B")
	s.put("A", secret)
	open, u := s.unit(), s.unit()
	s.unitPut(open, "A", secret)
	s.putMemory(open, "B", secret)
	s.unitPut(u, "A", secret)
	s.must(u.Prepare(t.Context(), []byte("xid")))
	look := func(state string, want ...string) {
		t.Helper()
		var found []string
		for _, name := range s.files() {
			b, err := s.disk.Contents(name)
			s.must(err)
			if strings.Contains(string(b), secret) && !strings.HasPrefix(name, "log/") {
				found = append(found, name)
			}
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s: found in %q, want %q", state, found, want)
		}
	}
	s.must(s.e.Image(t.Context(), Ref{Queue, "A"}, Ref{"queue-manager", "QM"}))
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	look("running", "qm/queue-A.obj")
	s.must(s.e.Suspend(t.Context()))
	look("suspended", "qm/queue-A.obj", "qm/queue-A.obj.mem", "qm/queue-B.obj.mem")
	s.must(s.resume())
	look("resumed", "qm/queue-A.obj")
	s.crash() // before anything has made the removal durable
	look("crashed", "qm/queue-A.obj", "qm/queue-A.obj.mem", "qm/queue-B.obj.mem")
	_, err = s.start()
	s.must(err)
	look("started", "qm/queue-A.obj")
	s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
	look("damaged")
	_, err = s.e.Rebuild(t.Context(), Ref{Queue, "A"})
	s.must(err)
	s.must(s.e.End(t.Context()))
	look("ended", "qm/queue-A.obj")
}

// Issue 3: after a clean end, each file deleted in turn. The start works, and
// what it finds damaged can be rebuilt; or it names the file.
func TestEachFileDeleted(t *testing.T) {
	reference := func() *estate {
		s := aged(t)
		s.must(s.e.Define(t.Context(), Ref{"queue-manager", "QM"}, map[string]string{"DEADQ": "D"}))
		s.must(s.e.Define(t.Context(), Ref{"channel", "TO.B"}, nil))
		s.must(s.e.End(t.Context()))
		return s
	}
	refused := map[string]bool{}
	for _, name := range reference().files() {
		s := reference()
		s.must(s.disk.Remove(name))
		done, err := s.start()
		if err != nil {
			var file *FileError
			var log *LogError
			named := errors.As(err, &file) && file.Name == name || errors.As(err, &log) && log.Segment == name
			if !named || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("without %s: %v", name, err)
			}
			refused[name] = true
			continue
		}
		for _, ref := range done.Damaged {
			if did, err := s.e.Rebuild(t.Context(), ref); !did || err != nil {
				t.Errorf("without %s: %s: rebuilt %v, %v", name, ref, did, err)
			}
		}
		lost := len(done.Damaged) + len(done.Rebuilt)
		if want := strings.HasSuffix(name, ".obj"); want && lost != 1 || !want && lost != 0 {
			t.Errorf("without %s: %+v", name, done)
		}
		if n := len(s.bodies("A")) + len(s.bodies("B")); n != 12 || len(s.e.Objects()) != 4 {
			t.Errorf("without %s: %d messages, %d objects", name, n, len(s.e.Objects()))
		}
	}
	if len(refused) != 2 || !refused["qm/control"] {
		t.Errorf("refused without %v: the control file and the last segment are needed", refused)
	}
}

// The files of a queue that is busy do not grow for ever, and a queue that is
// deleted leaves none.
func TestFilesStaySmall(t *testing.T) {
	s := newEstate(t, 1<<20)
	s.define("A", "GONE")
	s.put("GONE", "1")
	for range 40 {
		for range 4 {
			s.put("A", strings.Repeat("a", 4000))
		}
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		for range 4 {
			_, err := s.e.Get(t.Context(), "A")
			s.must(err)
		}
	}
	s.must(s.e.Delete(t.Context(), Ref{Queue, "GONE"}, true))
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	file, err := s.disk.Contents("qm/queue-A.obj")
	s.must(err)
	if len(file) > 2*smallFile {
		t.Errorf("the file of an empty queue has %d bytes", len(file))
	}
	names, err := s.disk.List("qm")
	s.must(err)
	if !slices.Equal(names, []string{"control", "queue-A.obj"}) {
		t.Errorf("files %q", names)
	}
	s.restart()
	s.want("A")
}

// Names that differ in case alone, or hold characters of paths, have files of
// their own on every file system.
func TestFileNames(t *testing.T) {
	seen := map[string]Ref{}
	for _, ref := range []Ref{{Queue, "A"}, {Queue, "a"}, {Queue, "A/B"}, {Queue, "A%2fB"}, {Queue, "A.B"}, {"channel", "A"}, {Queue, "_"}} {
		if err := ref.check(); err != nil {
			t.Error(err)
		}
		name := strings.ToLower(ownFiles{}.Object(ref))
		if other, ok := seen[name]; ok || strings.ContainsAny(name, "/\\") {
			t.Errorf("%s and %s: %s", ref, other, name)
		}
		seen[name] = ref
	}
}
