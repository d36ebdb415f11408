package os400

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/wal/disk"
	"pgregory.net/rapid"
)

// sound says which rule of the directory is broken.
func (b *bench) sound() error {
	st := b.sys.state()
	if err := st.check(); err != nil {
		return err
	}
	all := b.sys.Receivers(jrn)
	attached := 0
	for i, r := range all {
		if r.Status == Attached {
			attached++
		}
		if i == 0 {
			continue
		}
		p := all[i-1]
		if r.Attach.Before(p.Attach) {
			return fmt.Errorf("%v was attached before %v", r.ID, p.ID)
		}
		linked := p.Next == r.ID && r.Previous == p.ID && p.Associated && r.Associated
		switch one := p.Number.Chain == r.Number.Chain; {
		case one && !linked, one && r.Number.Place != p.Number.Place+1, r.Number.Chain < p.Number.Chain:
			return fmt.Errorf("%v %v is followed by %v %v", p.ID, p.Number, r.ID, r.Number)
		case linked && (!one || p.End != r.Start && r.Start != 0 && p.End != 0):
			return fmt.Errorf("%v %v..%v %v is linked to %v %v %v", p.ID, p.Start, p.End, p.Number, r.ID, r.Start, r.Number)
		}
	}
	if j, err := b.sys.Journal(jrn); err != nil || attached != 1 || all[len(all)-1].ID != j.Attached {
		return fmt.Errorf("%d are attached, %v is, %w", attached, j.Attached, err)
	}
	return b.held(all)
}

// held compares what Holding says with the directory.
func (b *bench) held(all []Receiver) error {
	for _, r := range all {
		got, ok := b.sys.Holding(jrn, r.Start)
		want := r.Associated && r.Status != Freed && r.Start != 0 && r.Start != r.End
		if want && (!ok || got.ID != r.ID) {
			return fmt.Errorf("%v is not what holds its own first entry: %v", r.ID, got.ID)
		}
	}
	return nil
}

// Whatever people do, in whatever order, no rule of the directory is broken,
// and a closed and opened system is the same.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, JournalSpec{First: rcv("AMQA099997")}, Settings{SixDigits: rapid.Bool().Draw(rt, "six")})
		must := func(err error) {
			if err != nil {
				rt.Fatal(err)
			}
		}
		must(b.sys.CreateSaveFile(savf))
		b.start()
		refusal := func(err error) {
			var e *Error
			if err != nil && !errors.As(err, &e) {
				rt.Fatal(err)
			}
		}
		anyone := func() ID {
			all := b.sys.ReceiversIn(library)
			return all[rapid.IntRange(0, len(all)-1).Draw(rt, "receiver")].ID
		}
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(*rapid.T) { must(b.w.put("entry")) },
			"change": func(rt *rapid.T) {
				reset := rapid.Bool().Draw(rt, "reset")
				must(b.sys.ChangeJournal(context.Background(), jrn, Change{Receiver: "*GEN", Reset: reset}))
			},
			"delete": func(*rapid.T) { refusal(b.sys.DeleteReceiver(context.Background(), batch, anyone(), unasked)) },
			"remove": func(*rapid.T) { refusal(b.sys.Remove(anyone())) },
			"damage": func(rt *rapid.T) {
				if r, err := b.sys.Receiver(anyone()); err == nil && r.Status != Attached {
					refusal(b.sys.MarkDamaged(r.ID))
				}
			},
			"save": func(rt *rapid.T) {
				free := rapid.Bool().Draw(rt, "free")
				_, err := b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{Free: free, Clear: true})
				refusal(err)
			},
			"restore": func(rt *rapid.T) {
				names := []string{"AMQA*"}
				if f, err := b.sys.SaveFile(savf); err == nil && len(f.Objects) > 0 {
					names[0] = rapid.SampledFrom(f.Objects).Draw(rt, "object").Name
				}
				_, err := b.sys.RestoreReceivers(names, library, savf, library)
				refusal(err)
			},
			"restart": func(rt *rapid.T) {
				must(b.w.close())
				for range rapid.IntRange(0, 2).Draw(rt, "IPLs") {
					must(b.sys.IPL(context.Background()))
				}
				var err error
				b.sys, err = Open(b.opts)
				must(err)
				b.w = &writer{sys: b.sys}
				must(b.w.open())
				must(b.w.put("first"))
			},
			"associate": func(*rapid.T) {
				_, err := b.sys.Associate(jrn)
				must(err)
			},
			"": func(rt *rapid.T) {
				must(b.sound())
				again, err := Open(b.opts)
				must(err)
				if diff := cmp.Diff(b.sys.ReceiversIn(library), again.ReceiversIn(library)); diff != "" {
					rt.Fatal(diff)
				}
			},
		})
	})
}

// A queue manager writes, others look, save, delete and send meanwhile.
func TestAtTheSameTime(t *testing.T) {
	sys, err := Create(Options{Disk: disk.At(t.TempDir()), Now: time.Now, NoSync: true}, Settings{Name: "SYS1", Capacity: 1 << 30})
	b := &bench{t: t, sys: sys}
	b.must(err)
	b.must(sys.CreateLibrary(library))
	b.must(sys.CreateJournal(JournalSpec{ID: jrn, First: rcv("AMQA000000"), Threshold: 64}))
	b.must(sys.CreateSaveFile(savf))
	b.start()
	var all sync.WaitGroup
	stop := make(chan struct{})
	also := func(do func() error) {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				var e *Error
				if err := do(); err != nil && !errors.As(err, &e) {
					t.Error(err)
					return
				}
			}
		})
	}
	also(func() error {
		if all := sys.Receivers(jrn); len(all) > 3 {
			return sys.DeleteReceiver(context.Background(), batch, all[0].ID, unasked)
		}
		return sys.Tick(context.Background())
	})
	also(func() error {
		_, err := sys.SaveReceivers(library, []string{"*ALL"}, savf, SaveOptions{Clear: true})
		return err
	})
	also(func() error {
		_, err := sys.Send(operator, Message{ID: "X"})
		_, held := sys.Holding(jrn, 16)
		_, _ = sys.Storage(), held
		return err
	})
	for range 200 {
		b.must(b.w.put(string(make([]byte, 4000))))
	}
	close(stop)
	all.Wait()
	b.must(b.sound())
	b.stop()
	if again, err := Open(Options{Disk: sys.opts.Disk, Now: time.Now}); err != nil || len(again.Receivers(jrn)) == 0 {
		t.Errorf("%v", err)
	}
}
