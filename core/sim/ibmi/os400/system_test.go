package os400

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var (
	library = "QMTEST"
	jrn     = ID{library, "AMQAJRN"}
	savf    = ID{"QGPL", "SAVED"}
	batch   = Job{Name: "123456/MQHK/CLEANER", User: "MQHK", Inquiries: ReplyRequired}
)

func rcv(name string) ID { return ID{library, name} }

// bench is a system under test with its disk and its clock.
type bench struct {
	t    *testing.T
	disk *crashdisk.Disk
	now  time.Time
	opts Options
	sys  *System
	w    *writer
}

func newBench(t *testing.T, spec JournalSpec, set Settings) *bench {
	t.Helper()
	b := &bench{t: t, disk: crashdisk.New(), now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
	b.opts = Options{Disk: b.disk, Now: func() time.Time {
		b.now = b.now.Add(7 * time.Millisecond)
		return b.now
	}, Exits: map[string]ExitProgram{}}
	set.Name = "SYS1"
	sys, err := Create(b.opts, set)
	b.must(err)
	b.sys = sys
	b.must(sys.CreateLibrary(library))
	if spec.ID == (ID{}) {
		spec.ID = jrn
	}
	if spec.First == (ID{}) {
		spec.First = rcv("AMQA000000")
	}
	if spec.Threshold == 0 {
		spec.Threshold = 64
	}
	b.must(sys.CreateJournal(spec))
	return b
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// refused wants an escape message.
func (b *bench) refused(err error, id string) {
	b.t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.ID != id {
		b.t.Fatalf("got %v, want %s", err, id)
	}
}

// reopen begins with what is on the disk.
func (b *bench) reopen() {
	b.t.Helper()
	b.stop()
	sys, err := Open(b.opts)
	b.must(err)
	b.sys = sys
}

func (b *bench) stop() {
	b.t.Helper()
	if b.w != nil {
		b.must(b.w.close())
		b.w = nil
	}
}

// start begins to write the journal.
func (b *bench) start() *writer {
	b.t.Helper()
	w := &writer{sys: b.sys}
	b.must(w.open())
	b.w = w
	return w
}

// change is CHGJRN JRNRCV(*GEN).
func (b *bench) change() {
	b.t.Helper()
	b.must(b.sys.ChangeJournal(b.t.Context(), jrn, Change{Receiver: "*GEN"}))
}

// fill makes n detached receivers with entries.
func (b *bench) fill(n int) {
	b.t.Helper()
	if b.w == nil {
		b.start()
	}
	for range n {
		b.must(b.w.put("one"))
		b.must(b.w.put("two"))
		b.now = b.now.Add(time.Minute)
		b.change()
	}
	b.must(b.w.put("newest"))
}

// names gives the directory: names and the first letter of what each is.
func (b *bench) names() string {
	var all []string
	for _, r := range b.sys.Receivers(jrn) {
		all = append(all, strings.TrimPrefix(r.Name, "AMQA")+string(r.Status[:1]))
	}
	return strings.Join(all, " ")
}

func (b *bench) want(directory string) {
	b.t.Helper()
	if got := b.names(); got != directory {
		b.t.Fatalf("directory %s, want %s", got, directory)
	}
	if err := b.sys.state().check(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) receiver(name string) Receiver {
	b.t.Helper()
	r, err := b.sys.Receiver(rcv(name))
	b.must(err)
	return r
}

func (b *bench) delete(name string, o DeleteOptions) error {
	return b.sys.DeleteReceiver(b.t.Context(), batch, rcv(name), o)
}

// sent counts the messages of an id on a queue.
func (b *bench) sent(queue ID, id string) int {
	b.t.Helper()
	all, err := b.sys.Messages(queue)
	b.must(err)
	n := 0
	for _, m := range all {
		if m.ID == id {
			n++
		}
	}
	return n
}

// writer is a queue manager without queues: a log over a journal.
type writer struct {
	sys     *System
	log     *Log
	w       *wal.Writer
	unbegun bool
	before  atomic.Int64 // records of w when the attached receiver was begun, negative for those of earlier writers
}

func (w *writer) Entries() uint64 {
	if w.w == nil {
		return uint64(-w.before.Load())
	}
	return uint64(max(0, int64(w.w.Counts().Records)-w.before.Load()))
}

func (w *writer) Change(ctx context.Context) error { return w.rotate(ctx) }

func (w *writer) open() (err error) {
	if w.log, err = w.sys.OpenJournal(jrn, w); err != nil {
		return err
	}
	chain := w.log.Segments()
	if len(chain) == 1 && chain[0].Start == 0 {
		layout, err := w.log.Next(context.Background())
		if err != nil {
			return err
		}
		seg, err := wal.Inspect(w.log.Open, layout.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if seg.Start == 0 {
			return w.create(layout)
		}
	}
	return w.resume(chain)
}

func (w *writer) create(layout wal.Layout) (err error) {
	if w.w, err = wal.Create(w.sys.Disk(), layout, wal.ID{4}, 0, wal.Options{}); err != nil {
		return err
	}
	seg, _ := w.w.Current()
	return w.log.Begun(seg, 0)
}

func (w *writer) resume(chain []wal.Segment) error {
	at := chain[len(chain)-1].Start
	if at == 0 {
		at = chain[len(chain)-2].Start
	}
	r, err := wal.NewReader(w.log.Open, chain, wal.ReadOptions{Durable: at})
	if err == nil {
		err = r.Seek(at)
	}
	if err != nil {
		return err
	}
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	tail, _ := r.Tail()
	w.unbegun = tail.Unbegun != ""
	if w.w, err = wal.Resume(w.sys.Disk(), tail, wal.Options{}); err != nil {
		return err
	}
	seg, _ := w.w.Current()
	if last := chain[len(chain)-1]; last.Start == 0 && last.Name == seg.Name {
		if err := w.log.Begun(seg, 0); err != nil {
			return err
		}
	}
	id, _ := receiverOf(seg.Name)
	entries, err := w.sys.CountEntries(id)
	w.before.Store(-int64(entries))
	return err
}

func (w *writer) rotate(ctx context.Context) error {
	layout, err := w.log.Next(ctx)
	if err != nil {
		return err
	}
	if err := w.w.Rotate(ctx, layout); err != nil {
		return err
	}
	w.unbegun = false
	w.before.Store(int64(w.w.Counts().Records))
	seg, _ := w.w.Current()
	return w.log.Begun(seg, w.w.Counts().Records)
}

// put writes an entry, durably, behind the threshold in the next receiver.
func (w *writer) put(text string) error {
	_, used := w.w.Current()
	if w.unbegun || used >= w.log.Threshold() {
		if err := w.rotate(context.Background()); err != nil && !errors.Is(err, ErrSuspended) {
			return err
		}
	}
	_, err := w.w.Commit(context.Background(), []byte(text))
	return err
}

func (w *writer) close() error {
	n := w.Entries()
	return errors.Join(w.w.Close(), w.log.Close(n))
}

// read gives the number of entries that can be read from the oldest on.
func (w *writer) read() (int, error) {
	r, err := wal.NewReader(w.log.Open, w.log.Segments(), wal.ReadOptions{Until: w.w.Durable()})
	if err != nil {
		return 0, err
	}
	for n := 0; ; n++ {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

func TestCreateAndOpen(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{Capacity: 0})
	if _, err := Create(b.opts, Settings{Name: "SYS1"}); err == nil {
		t.Error("a system was made twice")
	}
	b.refused(b.sys.CreateLibrary(library), "CPF2111")
	b.refused(b.sys.CreateJournal(JournalSpec{ID: jrn, First: rcv("X"), Threshold: 1}), "CPF7010")
	b.refused(b.sys.CreateReceiver(ID{"NOLIB", "A"}, 1), "CPF9810")
	b.fill(3)
	id := ID{library, "AMQJRNINF"}
	b.must(b.sys.PutSpace(id, []byte("AMQA000000")))
	b.must(b.sys.WriteFile("/QIBM/UserData/mqm/mqs.ini", []byte("x")))
	before := b.sys.Receivers(jrn)
	b.reopen()
	if diff := cmp.Diff(before, b.sys.Receivers(jrn)); diff != "" {
		t.Error(diff)
	}
	got, err := b.sys.Space(id)
	if err != nil || string(got) != "AMQA000000" {
		t.Errorf("user space %q, %v", got, err)
	}
	if got, err := b.sys.ReadFile("/QIBM/UserData/mqm/mqs.ini"); err != nil || string(got) != "x" {
		t.Errorf("stream file %q, %v", got, err)
	}
	_, err = b.sys.Space(ID{library, "NONE"})
	b.refused(err, "CPF9801")
}

func TestNamesAreChecked(t *testing.T) {
	for _, name := range []string{"", "sys1", "1SYS", "TOOLONGNAME", "A.B", "A/B", "../X"} {
		if CheckSystemName(name) == nil {
			t.Errorf("system name %q was taken", name)
		}
	}
	b := newBench(t, JournalSpec{}, Settings{})
	for _, name := range []string{"", "..", "a", "A/B", "ELEVENCHARS"} {
		if b.sys.CreateLibrary(name) == nil {
			t.Errorf("library name %q was taken", name)
		}
	}
	b.must(b.sys.CreateLibrary("QMSATURN.Q"))
}

func TestReadOnly(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(2)
	b.stop()
	opts := b.opts
	opts.Disk = disk.ReadOnly(b.disk)
	sys, err := Open(opts)
	b.must(err)
	if len(sys.Receivers(jrn)) != 3 {
		t.Error("the directory can't be seen")
	}
	if err := sys.CreateLibrary("NEW"); !errors.Is(err, disk.ErrReadOnly) {
		t.Errorf("got %v", err)
	}
	if _, err := sys.Send(operator, Message{}); !errors.Is(err, disk.ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}
