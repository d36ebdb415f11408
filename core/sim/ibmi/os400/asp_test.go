package os400

import (
	"errors"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/disk"
)

func TestFullASP(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(1)
	before := b.sys.Storage()
	if before.Total != 0 || before.Used < 2*73728 {
		t.Errorf("%+v", before)
	}
	b.must(b.sys.SetCapacity(before.Used + 30_000))
	b.must(b.w.put("there is room in the receiver"))
	if err := b.w.put(string(make([]byte, 100_000))); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
	err := b.sys.ChangeJournal(t.Context(), jrn, Change{Receiver: "*GEN"})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
	b.want("000000O 000001A")
	b.must(b.w.put("it goes on"))
	if err := b.sys.WriteFile("/tmp/file", make([]byte, 40_000)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if _, err := b.sys.ReadFile("/tmp/file"); err == nil {
		t.Error("something was written")
	}
	b.must(b.sys.CreateSaveFile(savf))
	if _, err := b.sys.SaveReceivers(library, []string{"*ALL"}, savf, SaveOptions{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if _, err := b.sys.Send(operator, Message{ID: "CPF0907"}); err != nil {
		t.Error(err) // out of the reserve
	}
	b.must(b.delete("AMQA000000", unasked))
	b.change() // now there is room
	b.want("000001O 000002A")
	after := b.sys.Storage()
	if after.Free < 0 || after.Free+after.Used < after.Total {
		t.Errorf("%+v", after)
	}
	b.reopen()
	b.want("000001O 000002A")
	if b.sys.Settings().Capacity != after.Total || b.sys.Storage().Total != after.Total {
		t.Error("the limit is gone")
	}
	b.must(b.sys.SetCapacity(0))
	b.start()
	b.must(b.w.put(string(make([]byte, 100_000))))
}

// What is counted while files change is what is there.
func TestStorageIsCounted(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{Capacity: 10 << 20})
	b.fill(3)
	b.must(b.sys.WriteFile("/a/b", make([]byte, 1000)))
	b.must(b.sys.WriteFile("/a/b", make([]byte, 500)))
	b.must(b.delete("AMQA000000", unasked))
	d := b.sys.Disk()
	f, err := d.Create("a/c")
	b.must(err)
	_, err = f.WriteAt(make([]byte, 300), 100)
	b.must(err)
	b.must(f.Truncate(200))
	b.must(f.Truncate(250))
	b.must(f.Close())
	b.must(disk.Replace(d, "a/d", make([]byte, 77)))
	b.must(d.Rename("a/d", "a/c"))
	b.must(d.Remove("a/c"))
	if err := d.Remove("a/none"); err == nil {
		t.Error("what is not there was removed")
	}
	tracked := b.sys.asp.used
	if counted := b.sys.Storage().Used; counted != tracked {
		t.Errorf("%d bytes were counted, there are %d", tracked, counted)
	}
}
