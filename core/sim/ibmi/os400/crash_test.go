package os400

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// life is a history of which every step may be the last.
type life struct {
	*bench
	entries int // acknowledged
	gone    int // of them, those that a deletion took or may have taken
	saved   bool
}

func (l *life) put() error {
	err := l.w.put("entry")
	if err == nil {
		l.entries++
	}
	return err
}

func (l *life) generate() error {
	err := l.put()
	if err == nil {
		err = l.put()
	}
	if err == nil {
		l.now = l.now.Add(time.Minute)
		err = l.sys.ChangeJournal(context.Background(), jrn, Change{Receiver: "*GEN"})
	}
	return err
}

func (l *life) save() error {
	_, err := l.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{Clear: true, Free: false})
	return err
}

func (l *life) free() error {
	_, err := l.sys.SaveReceivers(library, []string{"AMQA000001"}, ID{"QGPL", "FREED"}, SaveOptions{Free: true})
	return err
}

func (l *life) unfree() error {
	_, err := l.sys.RestoreReceivers([]string{"AMQA000001"}, library, ID{"QGPL", "FREED"}, library)
	return err
}

func (l *life) deleteOldest() error {
	l.gone += 2
	return l.delete("AMQA000000", DeleteOptions{IgnoreInquiry: true})
}

func (l *life) putBack() error {
	err := l.restore("AMQA000000")
	if err == nil {
		l.gone -= 2
	}
	return err
}

func (l *life) waitForReply() error {
	var w *Waiting
	err := l.sys.DeleteReceiver(context.Background(), Job{Name: "J"}, rcv("AMQA000000"), DeleteOptions{})
	if !errors.As(err, &w) {
		return err
	}
	l.gone += 2
	return l.sys.Reply(context.Background(), w.Key, "I")
}

// live takes the steps up to the first that fails.
func (l *life) live() error {
	steps := []func() error{
		l.generate, l.generate, l.waitForReply, l.generate, l.put,
	}
	if l.saved {
		steps = []func() error{
			l.generate, l.generate, l.save, l.deleteOldest, l.putBack, l.free, l.put, l.unfree, l.generate, l.put,
		}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

var errPower = errors.New("no power")

// newLife prepares a history that ends at its n-th operation of the disk.
func newLife(t *testing.T, saved bool, n int) *life {
	t.Helper()
	l := &life{bench: newBench(t, JournalSpec{}, Settings{}), saved: saved}
	l.must(l.sys.CreateSaveFile(savf))
	l.must(l.sys.CreateSaveFile(ID{"QGPL", "FREED"}))
	l.start()
	l.disk.Fault(func(crashdisk.Op) error {
		if n--; n < 0 {
			return errPower
		}
		return nil
	})
	return l
}

// A crash between any two operations of the disk leaves a system that opens,
// with one attached receiver, and with every acknowledged entry that nobody
// deleted.
func TestCrashAnywhere(t *testing.T) {
	ways := map[string]func(*life, int){
		"killed":    func(l *life, _ int) { l.disk.Kill() },
		"crashed":   func(l *life, _ int) { l.disk.Crash() },
		"scattered": func(l *life, n int) { l.disk.CrashScattered(rand.New(rand.NewPCG(1, uint64(n)))) },
	}
	stride := 1
	if testing.Short() {
		stride = 5
	}
	for name, crash := range ways {
		for _, saved := range []bool{false, true} {
			t.Run(fmt.Sprint(name, saved), func(t *testing.T) {
				for n := 0; ; n += stride {
					l := newLife(t, saved, n)
					err := l.live()
					l.disk.Fault(nil)
					crash(l, n)
					l.survive(n)
					if err == nil {
						return
					}
				}
			})
		}
	}
}

// survive opens the system after a crash and goes on.
func (l *life) survive(n int) {
	l.t.Helper()
	_ = l.w.w.Abandon()
	l.w = nil
	sys, err := Open(l.opts)
	if err != nil {
		l.t.Fatalf("crash at %d: %v", n, err)
	}
	l.sys = sys
	lost := 0
	for _, r := range sys.Receivers(jrn) {
		if r.Status == Freed {
			if _, err := sys.RestoreReceivers([]string{r.Name}, library, ID{"QGPL", "FREED"}, library); err != nil {
				l.t.Fatalf("crash at %d: %v", n, err)
			}
		}
	}
	l.w = &writer{sys: sys}
	if err := l.w.open(); err != nil {
		l.t.Fatalf("crash at %d: %v in %s", n, err, l.names())
	}
	read, err := l.w.read()
	if err != nil || read < l.entries-l.gone-lost {
		l.t.Fatalf("crash at %d: %d entries of %d without %d, %v, in %s", n, read, l.entries, l.gone, err, l.names())
	}
	for range 2 {
		if err := l.generate(); err != nil {
			l.t.Fatalf("crash at %d: going on: %v, in %s", n, err, l.names())
		}
	}
	if err := sys.state().check(); err != nil {
		l.t.Fatalf("crash at %d: %v", n, err)
	}
}

// A crash in Create leaves nothing, or a system.
func TestCrashInCreate(t *testing.T) {
	for n := 0; ; n++ {
		d := crashdisk.New()
		opts := Options{Disk: d, Now: time.Now}
		left := n
		d.Fault(func(crashdisk.Op) error {
			if left--; left < 0 {
				return errPower
			}
			return nil
		})
		_, err := Create(opts, Settings{Name: "SYS1"})
		d.Fault(nil)
		d.CrashScattered(rand.New(rand.NewPCG(2, uint64(n))))
		if _, opened := Open(opts); opened != nil {
			if _, err := Create(opts, Settings{Name: "SYS1"}); err != nil {
				t.Fatalf("crash at %d: %v", n, err)
			}
		}
		if err == nil {
			return
		}
	}
}

// A disk that refuses one operation and works again harms nothing.
func TestOneFailure(t *testing.T) {
	for n := 0; ; n++ {
		l := newLife(t, false, 0)
		left, failed := n, false
		l.disk.Fault(func(op crashdisk.Op) error {
			if left--; left == -1 && (op.Kind == crashdisk.Create || op.Kind == crashdisk.Rename || op.Kind == crashdisk.Remove) {
				failed = true
				return errPower
			}
			return nil
		})
		err := l.live()
		l.disk.Fault(nil)
		if err == nil && !failed && left > 0 {
			return
		}
		if l.w.w.Err() == nil {
			if err := l.generate(); err != nil {
				t.Fatalf("failure at %d (%v): %v", n, err, l.names())
			}
		}
		l.disk.Crash()
		l.survive(n)
	}
}
