package os400

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// A deletion that nobody has forced is undone by a crash, whole, or not at
// all; one that was forced never is. What goes, goes oldest first.
func TestCrashAmongDeletions(t *testing.T) {
	ways := map[string]func(*crashdisk.Disk, int){
		"killed":    func(d *crashdisk.Disk, _ int) { d.Kill() },
		"crashed":   func(d *crashdisk.Disk, _ int) { d.Crash() },
		"torn":      func(d *crashdisk.Disk, n int) { d.CrashAfter(int64(n*37) % (d.Unsynced() + 1)) },
		"scattered": func(d *crashdisk.Disk, n int) { d.CrashScattered(rand.New(rand.NewPCG(3, uint64(n)))) },
	}
	for name, crash := range ways {
		t.Run(name, func(t *testing.T) {
			for n, ended := 0, false; !ended; n++ {
				b := newBench(t, JournalSpec{}, Settings{})
				b.fill(8)
				b.stop()
				left := n
				b.disk.Fault(func(op crashdisk.Op) error {
					if left--; left < 0 {
						return crashdisk.ErrPower
					}
					return nil
				})
				forced, err := deleteInBatches(b, 8, 3)
				ended = err == nil
				b.disk.Fault(nil)
				crash(b.disk, n)
				b.afterCrash(fmt.Sprintf("crash at %d", n), forced)
			}
		})
	}
}

// deleteInBatches deletes the oldest receivers and gives how many of them were
// durable before the first error.
func deleteInBatches(b *bench, n, batchSize int) (forced int, err error) {
	for i := range n {
		if err := b.sys.DeleteReceiverLater(b.t.Context(), batch, rcv(fmt.Sprintf("AMQA%06d", i)), unasked); err != nil {
			return forced, err
		}
		if (i+1)%batchSize == 0 || i == n-1 {
			if err := b.sys.Force(); err != nil {
				return forced, err
			}
			forced = i + 1
		}
	}
	return forced, nil
}

// afterCrash opens the system and wants so many of its oldest receivers to be
// gone, or more, and the files of those that are there to be there.
func (b *bench) afterCrash(when string, forced int) {
	b.t.Helper()
	sys, err := Open(b.opts)
	if err != nil {
		b.t.Fatalf("%s: %v", when, err)
	}
	b.sys = sys
	all := sys.Receivers(jrn)
	if gone := 9 - len(all); gone < forced || all[0].Name != fmt.Sprintf("AMQA%06d", gone) {
		b.t.Fatalf("%s: %d were gone for good, %s is left", when, forced, b.names())
	}
	for _, r := range all {
		if b.sys.asp.size(b.sys.FileOf(r.ID)) == 0 {
			b.t.Fatalf("%s: the file of %s is gone and it is listed", when, r.ID)
		}
	}
	b.start()
	if _, err := b.w.read(); err != nil {
		b.t.Fatalf("%s: %v", when, err)
	}
	b.change() // the first change after it also frees what was left
	listed, err := b.disk.List(folder(library))
	b.must(err)
	files := slices.DeleteFunc(listed, func(n string) bool { return !strings.HasSuffix(n, ".JRNRCV") })
	if len(files) != len(b.sys.Receivers(jrn)) {
		b.t.Fatalf("%s: %s, and files %v", when, b.names(), files)
	}
}

// The files grow by what was changed, and not without end.
func TestChangesAreWrittenAnewNowAndThen(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(2)
	size := func(name string) int64 { return b.sys.asp.size(name) }
	most := int64(0)
	for i := range 2000 {
		before := size(changesName)
		b.must(b.sys.Lock(rcv("AMQA000000"), fmt.Sprint("JOB", i%7)))
		b.must(b.sys.Unlock(rcv("AMQA000000"), fmt.Sprint("JOB", i%7)))
		if now := size(changesName); now > before && now-before > 400 {
			t.Fatalf("a lock and its end took %d bytes", now-before)
		}
		most = max(most, size(changesName))
	}
	if most > changesMost || most < changesMost/2 {
		t.Errorf("there were %d bytes of changes", most)
	}
	want := b.sys.state()
	b.reopen()
	if diff := cmp.Diff(slices.Collect(want.receivers.all()), slices.Collect(b.sys.state().receivers.all()), cmp.AllowUnexported(receiver{})); diff != "" && !strings.Contains(diff, "Counted") {
		t.Error(diff)
	}
}

// A line of another time, or behind one that is torn, is no change.
func TestWhatIsNoChange(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	older := b.content(changesName)
	b.must(b.sys.CreateReceiver(rcv("X1"), 64))
	b.must(b.sys.CreateReceiver(rcv("X2"), 64))
	whole := b.content(changesName)
	lines := bytes.SplitAfter(whole[len(older):], []byte("\n"))
	if len(lines) != 3 {
		t.Fatalf("%d changes in %s", len(lines)-1, whole)
	}
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"whole", whole, "X1 X2"},
		{"the last is torn", whole[:len(whole)-1], "X1"},
		{"all are torn", append(slices.Clone(older), bytes.Repeat([]byte{0}, 300)...), ""},
		{"one is missing", append(slices.Clone(older), lines[1]...), ""},
		{"one is damaged", bytes.Replace(whole, []byte("X1"), []byte("X3"), 1), ""},
		{"garbage behind", append(slices.Clone(whole), "00000000 {}\n"...), "X1 X2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.disk.Put(changesName, c.content)
			sys, err := Open(b.opts)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range sys.ReceiversIn(library) {
				if r.Name[0] == 'X' {
					got = append(got, r.Name)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("receivers %s, want %s", got, c.want)
			}
		})
	}
	if err := b.disk.Remove(changesName); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(b.opts); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), changesName) {
		t.Errorf("without its changes it opens: %v", err)
	}
}

func (b *bench) content(name string) []byte {
	b.t.Helper()
	content, err := disk.ReadAll(b.disk, name)
	b.must(err)
	return content
}

// A write that fails leaves nothing that a later crash could bring to light.
func TestFailedWriteIsTakenBack(t *testing.T) {
	for _, kind := range []crashdisk.Kind{crashdisk.Write, crashdisk.Sync, crashdisk.Open} {
		t.Run(string(kind), func(t *testing.T) {
			b := newBench(t, JournalSpec{}, Settings{})
			b.must(b.sys.CreateReceiver(rcv("X1"), 64))
			b.disk.Fault(func(op crashdisk.Op) error {
				if op.Kind == kind && op.Name == changesName {
					return errPower
				}
				return nil
			})
			if err := b.sys.CreateReceiver(rcv("X2"), 64); !errors.Is(err, errPower) {
				t.Fatalf("got %v", err)
			}
			b.disk.Fault(nil)
			b.must(b.sys.CreateReceiver(rcv("X3"), 64))
			b.disk.Crash()
			sys, err := Open(b.opts)
			b.must(err)
			if _, err := sys.Receiver(rcv("X2")); err == nil {
				t.Error("what failed is there")
			}
			if _, err := sys.Receiver(rcv("X3")); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whatever becomes of a state, its difference makes the old one the new one.
func TestDifferenceIsWhatChanged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		old := large(rapid.IntRange(1, 600).Draw(rt, "receivers"))
		content, err := old.encode()
		if err != nil {
			rt.Fatal(err)
		}
		now := old.clone()
		for range rapid.IntRange(1, 20).Draw(rt, "edits") {
			edit(rt, now)
		}
		c := difference(old, now)
		copied, err := decode(content)
		if err != nil {
			rt.Fatal(err)
		}
		if err := c.apply(copied); err != nil {
			rt.Fatal(err)
		}
		got, err := copied.encode()
		want, err2 := now.encode()
		if err := errors.Join(err, err2); err != nil {
			rt.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			rt.Fatalf("difference %+v gives\n%s\nand not\n%s", c, got, want)
		}
		if again, _ := old.encode(); !bytes.Equal(again, content) {
			rt.Fatal("the old state is another one")
		}
	})
}

// edit changes a state as a command may.
func edit(rt *rapid.T, st *state) {
	j := st.journals[jrn]
	someOf := func() ID { return rapid.SampledFrom(slices.Collect(st.receivers.all())).Draw(rt, "receiver").ID }
	switch rapid.IntRange(0, 7).Draw(rt, "edit") {
	case 0:
		if len(j.Directory) > 1 {
			st.forget(j.Directory[0])
		}
	case 1:
		if id := someOf(); st.receivers.of(id).Status != Attached {
			st.forget(id)
		}
	case 2:
		st.receivers.put(receiver{ID: rcv(fmt.Sprintf("B%03d", rapid.IntRange(0, 999).Draw(rt, "name"))), Status: Empty, Threshold: 1})
	case 3:
		st.lock(someOf(), fmt.Sprint("JOB", rapid.IntRange(0, 2).Draw(rt, "job")))
	case 4:
		st.unlock(someOf(), func(string) bool { return true })
	case 5:
		j.Suspended = !j.Suspended
		st.journals[jrn] = j
	case 6:
		st.Replies = appended(st.Replies, ReplyEntry{len(st.Replies), "CPA7025", "I"})
	case 7:
		id := ID{library, "OTHER"}
		if _, there := st.journals[id]; there {
			delete(st.journals, id)
		} else {
			st.journals[id] = journal{JournalSpec: JournalSpec{ID: id}, Remote: true}
		}
	}
}

// A field that is added to the state is written with every change of it: it
// is exported, or it is one of these.
func TestEveryFieldIsInAChange(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[state]()) {
		if !field.IsExported() && !slices.Contains([]string{"journals", "receivers", "locks"}, field.Name) {
			t.Errorf("nothing writes down field %s of a state", field.Name)
		}
	}
}

// A catalogue is a map that is in order.
func TestCatalogueIsASortedMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var c catalogue
		want := map[ID]receiver{}
		for range rapid.IntRange(0, 1500).Draw(rt, "steps") {
			id := ID{rapid.SampledFrom([]string{"A", "B"}).Draw(rt, "library"), fmt.Sprint(rapid.IntRange(0, 800).Draw(rt, "name"))}
			before := c.copy()
			n := before.count()
			if rapid.IntRange(0, 2).Draw(rt, "drop") == 0 {
				c.drop(id)
				delete(want, id)
			} else {
				r := receiver{ID: id, Threshold: rapid.Int64().Draw(rt, "threshold")}
				c.put(r)
				want[id] = r
			}
			if before.count() != n {
				rt.Fatal("a copy has changed")
			}
		}
		if got := slices.Collect(c.all()); !slices.Equal(got, sorted(want)) {
			rt.Fatalf("%d receivers, want %d, or another order", len(got), len(want))
		}
		bulk, twice := catalogueOf(slices.Collect(maps.Values(want)))
		if twice != (ID{}) || !slices.Equal(slices.Collect(bulk.all()), sorted(want)) || bulk.count() != len(want) {
			rt.Fatal("made at once it is another one")
		}
		for id, r := range want {
			if got, ok := c.find(id); !ok || got != r || !bulk.has(id) {
				rt.Fatalf("%v is not found", id)
			}
		}
	})
}

func FuzzChanges(f *testing.F) {
	st := large(3)
	head, err := st.encode()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		`{"Gone":[{"Library":"QMTEST","Name":"AMQA000000"}],"Journals":[{"Library":"QMTEST","Name":"AMQAJRN","Directory":{"Gone":1}}]}`,
		`{"Reclaim":{"Came":["QSYS.LIB/QMTEST.LIB/X.JRNRCV"]}}`, `{"Rest":{"Settings":{"Name":"SYS2"}}}`, `{"NoMore":[{}]}`, `{`,
		`{"Journals":[{"Directory":{"At":-1}}]}`, `{"Locks":[{"Library":"QMTEST","Name":"AMQA000001","Jobs":["J"]}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.IndexByte(text, '\n') >= 0 {
			t.Skip("no line")
		}
		line, _ := seal(7, text)
		st, err := decode(head)
		if err != nil {
			t.Fatal(err)
		}
		size, _, err := replay(st, append(line, "torn"...), 7)
		if err != nil || st.check() != nil {
			return
		}
		if size != int64(len(line)) {
			t.Fatalf("%d bytes of %d are good", size, len(line))
		}
		if _, err := st.encode(); err != nil && !strings.Contains(err.Error(), "Time") {
			t.Fatal(err)
		}
	})
}

// One of ten thousand receivers goes, as far as memory.
func BenchmarkDeleteLater(b *testing.B) {
	const n = 10_000
	d := crashdisk.New()
	sys, err := Create(Options{Disk: d, Now: time.Now}, Settings{Name: "SYS1"})
	if err != nil {
		b.Fatal(err)
	}
	for left := 0; b.Loop(); left-- {
		if left <= 1 {
			b.StopTimer()
			st := large(n)
			sys.current.Store(st)
			sys.kept.told, sys.kept.late, left = st, nil, n
			b.StartTimer()
		}
		if left%256 == 0 {
			sys.kept.late = nil // as if it was forced
		}
		if err := sys.DeleteReceiverLater(b.Context(), batch, first(sys.state().journals[jrn].Directory), unasked); err != nil {
			b.Fatal(err)
		}
	}
}
