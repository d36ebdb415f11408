package extents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// small are limits that allow extents of one page, for short tests.
var small = logsize.Limits{
	MinPrimary: 2, MaxPrimary: 510, MinSecondary: 1, MaxSecondary: 509, MinSum: 3, MaxSum: 511, SumOfLinear: true,
	MinPages: 1, MaxPages: 65535, Primary: 3, Secondary: 2, Pages: 1,
}

func ring(primary, secondary int) Settings {
	return Settings{Kind: Circular, Primary: primary, Secondary: secondary, FilePages: 1, Limits: small}
}

func line(m Management, primary, secondary int) Settings {
	return Settings{Kind: Linear, Management: m, Primary: primary, Secondary: secondary, FilePages: 1, Limits: small}
}

const dir = "var/mqm/log/QM1"

// rig is a log with records in it, as a queue manager has it: the marks are
// those of its own control file, which is written before the log is told.
type rig struct {
	disk    disk.FS
	set     Settings
	log     *Log
	w       *wal.Writer
	restart wal.LSN
	media   wal.LSN
	known   []known
}

// known is a record that was acknowledged.
type known struct {
	at      wal.LSN
	payload []byte
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// newRig makes a log with its first record.
func newRig(d disk.FS, s Settings) (*rig, error) {
	r := &rig{disk: d, set: s}
	var err error
	if r.log, err = Create(d, dir, s); err != nil {
		return r, err
	}
	first, err := r.log.Next(context.Background())
	if err != nil {
		return r, err
	}
	if r.w, err = wal.Create(d, first, r.log.ID(), 0, wal.Options{}); err != nil {
		return r, err
	}
	if err := r.begun(); err != nil {
		return r, err
	}
	if err := r.put(1500); err != nil {
		return r, err
	}
	_, err = r.pass(0, 0)
	return r, err
}

func build(tb testing.TB, s Settings) *rig {
	tb.Helper()
	r, err := newRig(crashdisk.New(), s)
	must(tb, err)
	return r
}

func (r *rig) begun() error {
	s, _ := r.w.Current()
	return r.log.Begun(s)
}

// rotate goes on in the next extent.
func (r *rig) rotate() error {
	next, err := r.log.Next(context.Background())
	if err != nil {
		return err
	}
	if err := r.w.Rotate(context.Background(), next); err != nil {
		return err
	}
	return r.begun()
}

// put writes a record of so many bytes, and forces it.
func (r *rig) put(n int) error {
	payload := bytes.Repeat([]byte(fmt.Sprintf("%04d", len(r.known))), (n+3)/4)[:n]
	at, err := r.w.Append(payload)
	if errors.Is(err, wal.ErrFull) {
		if err := r.rotate(); err != nil {
			return err
		}
		at, err = r.w.Append(payload)
	}
	if err != nil {
		return err
	}
	if err := r.w.Force(context.Background(), at); err != nil {
		return err
	}
	r.known = append(r.known, known{at, payload})
	return nil
}

// pass takes a checkpoint with a restart mark so many records back, and a
// media mark.
func (r *rig) pass(back, media int) (Pass, error) {
	r.restart = max(r.restart, r.back(back))
	r.media = max(r.media, r.back(media))
	return r.log.Passed(r.restart, r.media)
}

func (r *rig) back(n int) wal.LSN { return r.known[max(0, len(r.known)-1-n)].at }

// fill writes whole extents: a record that takes most of one each.
func (r *rig) fill(tb testing.TB, extents int) {
	tb.Helper()
	for range extents {
		must(tb, r.put(3000))
	}
}

// reopen starts the queue manager again: it reads from the restart mark to the
// end of the log and goes on behind it. Every record that was acknowledged must
// be there.
func (r *rig) reopen() error {
	var err error
	if r.log, err = Open(r.disk, dir, r.set); err != nil {
		return err
	}
	tail, err := r.read(r.restart)
	if err != nil {
		return err
	}
	if r.w, err = wal.Resume(r.disk, tail, wal.Options{}); err != nil {
		return err
	}
	current, _ := r.w.Current()
	if list := r.log.Segments(); list[len(list)-1].Name == current.Name && list[len(list)-1].Start == 0 {
		return r.begun()
	}
	return nil
}

// read reads the log from a position on.
func (r *rig) read(from wal.LSN) (wal.Tail, error) {
	reader, err := wal.NewReader(r.log.Open, r.log.Segments(), wal.ReadOptions{ID: r.log.ID(), Durable: r.restart})
	if err != nil {
		return wal.Tail{}, err
	}
	if err := reader.Seek(from); err != nil {
		return wal.Tail{}, err
	}
	want := r.known[slices.IndexFunc(r.known, func(k known) bool { return k.at >= from }):]
	for {
		rec, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return wal.Tail{}, err
		}
		if len(want) == 0 || rec.LSN < want[0].at {
			continue // it was written and not acknowledged
		}
		if rec.LSN != want[0].at || !bytes.Equal(rec.Payload, want[0].payload) {
			return wal.Tail{}, fmt.Errorf("at %s stands another record than %s", rec.LSN, want[0].at)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		return wal.Tail{}, fmt.Errorf("%d acknowledged records are lost, from %s on", len(want), want[0].at)
	}
	tail, _ := reader.Tail()
	return tail, nil
}

// active lists the files of the extents.
func (r *rig) active(tb testing.TB) []string {
	tb.Helper()
	names, err := r.disk.List(dir + "/active")
	must(tb, err)
	return names
}

// listed gives the names of the log's list.
func (r *rig) listed() []string {
	var names []string
	for _, s := range r.log.Segments() {
		names = append(names, path.Base(s.Name))
	}
	return names
}

func (r *rig) has(tb testing.TB, want ...string) {
	tb.Helper()
	for i, name := range want {
		want[i] = name + ".LOG"
	}
	if got := r.active(tb); !slices.Equal(got, want) {
		tb.Errorf("active/ has %v, want %v", got, want)
	}
}

func (r *rig) lists(tb testing.TB, want ...string) {
	tb.Helper()
	for i, name := range want {
		want[i] = name + ".LOG"
	}
	if got := r.listed(); !slices.Equal(got, want) {
		tb.Errorf("the log lists %v, want %v", got, want)
	}
}

func (r *rig) remove(tb testing.TB, name string) {
	tb.Helper()
	must(tb, r.disk.Remove(dir+"/active/"+name+".LOG"))
}
