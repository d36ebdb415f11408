package connect

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// vault is a store whose save files are made in the library MQVAULT.
var vault = Store{Kind: "savf", Library: "MQVAULT"}

// station is an estate in a folder with IBM i queue managers on one system,
// and a gate through which they are changed.
type station struct {
	t    *testing.T
	dir  string
	gate Gate
}

// newStation makes an estate whose queue managers have detached receivers
// AMQA000000 to AMQA000002, none saved, messages in each, and AMQA000003
// attached. Nobody has it open.
func newStation(t *testing.T, names ...string) *station {
	t.Helper()
	s := &station{t: t, dir: filepath.Join(t.TempDir(), "estate")}
	at := time.Date(2026, 3, 10, 6, 0, 0, 0, time.UTC)
	e, err := sim.Create(t.Context(), s.dir, sim.Settings{Zone: "Europe/Berlin", Start: at, NoSync: true})
	s.must(err)
	dial, estates := map[string]Dialer{}, NewEstates()
	for _, name := range names {
		s.must(e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: name, Threshold: 512}, System: "SYS1"}))
		s.must(e.Manager(name).DefineQueue(t.Context(), "WORK", nil))
		for range 3 {
			s.put(e, name, 20)
			s.cl(e, name, "CHGJRN JRN(QM"+name+"/AMQAJRN) JRNRCV(*GEN)")
		}
		dial[name] = estates.At(s.dir)
	}
	s.cl(e, names[0], "CRTLIB LIB(MQVAULT)")
	s.must(e.Close(t.Context()))
	s.gate = New(Apply, dial)
	return s
}

func (s *station) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *station) put(e *sim.Estate, name string, n int) {
	s.t.Helper()
	for i := range n {
		_, err := e.Manager(name).Put(s.t.Context(), "WORK", engine.Message{Persistent: true, Body: fmt.Appendf(nil, "%s %d", name, i)})
		s.must(err)
	}
}

func (s *station) cl(e *sim.Estate, name, text string) {
	s.t.Helper()
	if _, err := e.CL(s.t.Context(), name, e.Job(), text); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
}

// on does something with the estate alone.
func (s *station) on(do func(*sim.Estate)) {
	s.t.Helper()
	e, err := sim.Open(s.t.Context(), s.dir)
	s.must(err)
	do(e)
	s.must(e.Close(s.t.Context()))
}

func (s *station) target(name string) observe.Target {
	return observe.Target{Name: name, Platform: observe.IBMi, Library: "QM" + name}
}

// writer opens a target to be changed until the test ends.
func (s *station) writer(name string) Writer {
	s.t.Helper()
	w, err := s.gate.Writer(s.t.Context(), s.target(name))
	s.must(err)
	s.t.Cleanup(func() {
		if err := w.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return w
}

// ask asks a target, beside whoever changes it.
func (s *station) ask(name string, language observe.Language, text string) string {
	s.t.Helper()
	r, err := s.gate.Reader(s.t.Context(), s.target(name))
	s.must(err)
	answer, err := r.Ask(s.t.Context(), observe.Question{Language: language, QueueManager: name, Text: text})
	s.must(err)
	s.must(r.Close())
	return string(answer.Body)
}

// receivers gives the receivers of a queue manager, oldest first, as the last
// digit of their names and the first letter of their status.
func (s *station) receivers(name string) string {
	s.t.Helper()
	text := s.ask(name, observe.SQL, "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_LIBRARY='QM"+name+"'")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	s.must(err)
	column, status := slices.Index(rows[0], "JOURNAL_RECEIVER_NAME"), slices.Index(rows[0], "STATUS")
	var all []string
	for _, row := range rows[1:] {
		all = append(all, row[column][len(row[column])-1:]+row[status][:1])
	}
	return strings.Join(all, " ")
}

// files gives the names of a library's save files.
func (s *station) files(library string) string {
	s.t.Helper()
	all, err := filepath.Glob(filepath.Join(s.dir, "systems/SYS1/QSYS.LIB", library+".LIB", "*.SAVF*"))
	s.must(err)
	for i := range all {
		all[i] = filepath.Base(all[i])
	}
	return strings.Join(all, " ")
}

// digest tells one state of the estate's folder from another.
func (s *station) digest() string {
	s.t.Helper()
	sum := sha256.New()
	s.must(filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d %x\n", path, len(content), sha256.Sum256(content))
		return err
	}))
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// rcv names a receiver of a queue manager.
func rcv(name string, n int) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: name, Library: "QM" + name, Name: fmt.Sprintf("AMQA%06d", n)}
}

// keep saves a receiver, reads what was saved and closes it.
func (s *station) keep(w Writer, id recovery.SegmentID) []byte {
	s.t.Helper()
	content, err := w.Save(s.t.Context(), id, vault)
	s.must(err)
	bytes, err := io.ReadAll(content)
	s.must(err)
	if int64(len(bytes)) != content.Bytes || !content.SaveFile || content.Origin != "MQVAULT/"+saveFileName(id) || content.Log != s.dir {
		s.t.Fatalf("%d bytes read of %+v", len(bytes), content)
	}
	s.must(content.Close())
	return bytes
}
