package os400

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"
)

// savedBench has detached receivers in a save file.
func savedBench(t *testing.T, n int, o SaveOptions) *bench {
	t.Helper()
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(n)
	b.must(b.sys.CreateSaveFile(savf))
	got, err := b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, o)
	b.must(err)
	if got != n+1 {
		t.Fatalf("%d saved, want %d", got, n+1)
	}
	return b
}

func (b *bench) restore(names ...string) error {
	_, err := b.sys.RestoreReceivers(names, library, savf, library)
	return err
}

func (b *bench) saveJournal(file ID) error {
	_, err := b.sys.SaveObjects(library, []string{jrn.Name}, ObjectTypes{Journals: true}, file, SaveOptions{})
	return err
}

func (b *bench) restoreJournal(file ID) error {
	_, err := b.sys.RestoreObjects([]string{jrn.Name}, ObjectTypes{Journals: true}, library, file, library)
	return err
}

func TestSave(t *testing.T) {
	b := savedBench(t, 2, SaveOptions{})
	b.want("000000S 000001S 000002A")
	if r := b.receiver("AMQA000000"); r.Save.IsZero() || r.Save.Nanosecond() != 0 {
		t.Errorf("%+v", r)
	}
	_, err := b.sys.SaveReceivers(library, []string{"AMQA000000"}, savf, SaveOptions{})
	b.refused(err, "CPA4067")
	_, err = b.sys.SaveReceivers(library, []string{"X*"}, savf, SaveOptions{Clear: true})
	b.refused(err, "CPF3770")
	_, err = b.sys.SaveReceivers(library, []string{"AMQA*"}, ID{"QGPL", "NONE"}, SaveOptions{})
	b.refused(err, "CPF9801")
	b.must(b.delete("AMQA000000", DeleteOptions{})) // it is saved: no question
	f, err := b.sys.SaveFile(savf)
	b.must(err)
	if f.Library != library || len(f.Objects) != 3 || f.Objects[0].Receiver.Status != Online || f.Objects[2].Receiver.Status != Attached {
		t.Errorf("%+v", f)
	}
	b.refused(b.sys.CreateSaveFile(savf), "CPF7010")
	if all := b.sys.SaveFiles("QGPL"); len(all) != 1 || all[0].ID != savf {
		t.Errorf("%+v", all)
	}
	b.must(b.sys.DeleteSaveFile(savf))
	b.refused(b.sys.DeleteSaveFile(savf), "CPF2105")
}

func TestFreedStorage(t *testing.T) {
	b := savedBench(t, 2, SaveOptions{Free: true})
	b.want("000000F 000001F 000002A")
	r := b.receiver("AMQA000000")
	if _, err := b.w.log.Open(b.sys.FileOf(r.ID)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := b.sys.CountEntries(r.ID); err == nil {
		t.Error("it was read")
	}
	if _, ok := b.sys.Holding(jrn, r.Start); ok || r.Size != 0 {
		t.Errorf("it holds something: %+v", r)
	}
	b.reopen()
	_, err := b.sys.SaveReceivers(library, []string{"AMQA000000"}, savf, SaveOptions{Clear: true})
	b.refused(err, "CPF3770")
	b.must(b.restore("AMQA000000"))
	b.must(b.restore("AMQA000001"))
	b.want("000000S 000001S 000002A")
	b.start()
	if n, err := b.w.read(); n != 5 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}

// The newest of the missing ones first: each joins. The oldest first: none
// does until it is associated (reference, IBM i 5).
func TestRestoreOrder(t *testing.T) {
	lose := func(t *testing.T) *bench {
		b := savedBench(t, 4, SaveOptions{})
		for _, name := range []string{"AMQA000000", "AMQA000001", "AMQA000002"} {
			b.must(b.delete(name, DeleteOptions{}))
		}
		return b
	}
	whole := func(b *bench) {
		b.t.Helper()
		b.want("000000S 000001S 000002S 000003S 000004A")
		for i, r := range b.sys.Receivers(jrn) {
			if !r.Associated || r.Number != (Number{0, i + 1}) {
				b.t.Errorf("%+v", r)
			}
		}
		if n, err := b.w.read(); n != 9 || err != nil {
			b.t.Errorf("%d entries, %v", n, err)
		}
		b.reopen()
		b.want("000000S 000001S 000002S 000003S 000004A")
	}
	t.Run("newest first", func(t *testing.T) {
		b := lose(t)
		for _, name := range []string{"AMQA000002", "AMQA000001", "AMQA000000"} {
			b.must(b.restore(name))
		}
		whole(b)
	})
	t.Run("in one command", func(t *testing.T) {
		b := lose(t)
		b.refused(b.restore("AMQA*"), "CPF3773") // two are there
		whole(b)
	})
	t.Run("oldest first", func(t *testing.T) {
		b := lose(t)
		for _, name := range []string{"AMQA000000", "AMQA000001", "AMQA000002"} {
			b.must(b.restore(name))
		}
		if b.receiver("AMQA000001").Associated || !b.receiver("AMQA000002").Associated {
			t.Error("who joined")
		}
		if _, ok := b.sys.Holding(jrn, b.receiver("AMQA000001").Start); ok {
			t.Error("one that was not associated holds something")
		}
		if would := b.sys.Associable(jrn); len(would) != 2 || b.receiver("AMQA000001").Associated {
			t.Errorf("would be associated: %v", would)
		}
		n, err := b.sys.Associate(jrn)
		if n != 2 || err != nil || b.sys.Associable(jrn) != nil {
			t.Errorf("%d associated, %v", n, err)
		}
		whole(b)
	})
	t.Run("with a gap", func(t *testing.T) {
		b := lose(t)
		b.must(b.restore("AMQA000000"))
		n, err := b.sys.Associate(jrn)
		if n != 0 || err != nil {
			t.Errorf("%d associated, %v", n, err)
		}
		b.want("000000S 000003S 000004A")
		if b.receiver("AMQA000000").Number.Chain == b.receiver("AMQA000003").Number.Chain {
			t.Error("they are one chain")
		}
		b.must(b.delete("AMQA000000", DeleteOptions{}))
	})
	t.Run("damaged one put back", func(t *testing.T) {
		b := savedBench(t, 4, SaveOptions{})
		b.must(b.sys.MarkDamaged(rcv("AMQA000002")))
		b.must(b.delete("AMQA000002", DeleteOptions{}))
		b.must(b.restore("AMQA000002"))
		whole(b)
	})
}

func TestRestoreRefused(t *testing.T) {
	b := savedBench(t, 2, SaveOptions{})
	b.must(b.sys.CreateLibrary("OTHER"))
	_, err := b.sys.RestoreReceivers([]string{"AMQA000000"}, library, savf, "OTHER")
	b.refused(err, "CPF707F")
	_, err = b.sys.RestoreReceivers([]string{"AMQA000000"}, "OTHER", savf, "OTHER")
	b.refused(err, "CPF3770")
	b.refused(b.restore("AMQA000000"), "CPF3773")
	empty := ID{"QGPL", "EMPTY"}
	b.must(b.sys.CreateSaveFile(empty))
	_, err = b.sys.RestoreReceivers([]string{"AMQA000000"}, library, empty, library)
	b.refused(err, "CPF3707")
}

// A save of the attached receiver is no save of it (trap 16).
func TestPartial(t *testing.T) {
	b := savedBench(t, 1, SaveOptions{Free: true})
	b.must(b.w.put("not in the save"))
	b.change()
	if r := b.receiver("AMQA000001"); r.Status != Online || r.Save.IsZero() {
		t.Errorf("%+v", r)
	}
	b.must(b.sys.Remove(rcv("AMQA000001")))
	b.must(b.restore("AMQA000001"))
	if r := b.receiver("AMQA000001"); r.Status != Partial || r.Associated || r.Entries() != 1 {
		t.Errorf("%+v", r)
	}
	if n, _ := b.sys.Associate(jrn); n != 0 {
		t.Error("it was associated")
	}
	if _, ok := b.sys.Holding(jrn, b.receiver("AMQA000001").Start); ok {
		t.Error("it holds something")
	}
	waitUnsaved := b.delete("AMQA000001", DeleteOptions{})
	var w *Waiting
	if !errors.As(waitUnsaved, &w) {
		t.Errorf("got %v", waitUnsaved)
	}
}

func TestRestoreJournal(t *testing.T) {
	b := savedBench(t, 2, SaveOptions{})
	file := ID{"QGPL", "JOURNAL"}
	b.must(b.sys.CreateSaveFile(file))
	b.must(b.saveJournal(file))
	b.stop()
	b.must(b.sys.DeleteJournal(jrn))
	if got := b.sys.ReceiversIn(library); len(got) != 3 || got[2].Status != Online || len(b.sys.Receivers(jrn)) != 0 {
		t.Fatalf("%+v", got)
	}
	b.now = b.now.Add(time.Hour)
	_, err := b.sys.SaveReceivers(library, []string{"*ALL"}, savf, SaveOptions{Clear: true})
	b.must(err)
	b.must(b.sys.Remove(rcv("AMQA000002")))
	b.must(b.restoreJournal(file))
	b.refused(b.restoreJournal(file), "CPF3773")
	b.want("000000S 000001S 100002A")
	if r := b.receiver("AMQA100002"); r.Number != (Number{1, 1}) || r.Previous != (ID{}) {
		t.Errorf("%+v", r)
	}
	b.reopen()
	b.must(b.restore("AMQA000002"))
	b.want("000000S 000001S 000002S 100002A")
	b.start()
	b.must(b.w.put("on"))
	if n, err := b.w.read(); n != 6 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	b.change()
	b.want("000000S 000001S 000002S 100002O 100003A")
}

// UPDHST(*NO): the system does not note that something was saved, but what is
// freed it must.
func TestSaveWithoutHistory(t *testing.T) {
	b := savedBench(t, 2, SaveOptions{NoHistory: true})
	b.want("000000O 000001O 000002A")
	for _, r := range b.sys.Receivers(jrn) {
		if !r.Save.IsZero() {
			t.Errorf("%s was saved at %s", r.Name, r.Save)
		}
	}
	_, err := b.sys.SaveReceivers(library, []string{"AMQA000000"}, savf, SaveOptions{NoHistory: true, Free: true, Clear: true})
	b.must(err)
	b.want("000000F 000001O 000002A")
	if b.receiver("AMQA000000").Save.IsZero() {
		t.Error("freed, and nobody knows since when")
	}
}

// OBJTYPE(*ALL): journal and receivers in one file, restored in the order in
// which they join.
func TestSaveAndRestoreAll(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(2)
	all := ObjectTypes{Receivers: true, Journals: true}
	b.must(b.sys.CreateSaveFile(savf))
	b.stop()
	n, err := b.sys.SaveObjects(library, []string{"*ALL"}, all, savf, SaveOptions{})
	if n != 4 || err != nil {
		t.Fatalf("%d saved, %v", n, err)
	}
	n, err = b.sys.RestoreObjects([]string{"*ALL"}, all, library, savf, library)
	b.refused(err, "CPF3773")
	if n != 0 || !strings.Contains(err.Error(), "0 objects restored. 4 not restored to QMTEST, they are there: AMQAJRN, ") {
		t.Errorf("%d restored, %v", n, err)
	}
	b.must(b.sys.DeleteJournal(jrn))
	for _, name := range []string{"AMQA000000", "AMQA000001"} {
		b.must(b.delete(name, unasked))
	}
	n, err = b.sys.RestoreObjects([]string{"*ALL"}, all, library, savf, library)
	b.refused(err, "CPF3773") // AMQA000002 is there
	if n != 3 {
		t.Errorf("%d restored", n)
	}
	b.want("000000S 000001S 000002O 100002A")
	b.start()
	if got, err := b.w.read(); got != 5 || err != nil {
		t.Errorf("%d entries, %v", got, err)
	}
}

// A file that no save has written is told from one that holds data.
func TestNoSaveFile(t *testing.T) {
	b := savedBench(t, 1, SaveOptions{})
	f, err := b.sys.Disk().OpenWrite(fileOf(savf, "SAVF"))
	b.must(err)
	_, err = f.WriteAt([]byte("nonsense"), 0)
	b.must(errors.Join(err, f.Close()))
	_, err = b.sys.SaveFile(savf)
	b.refused(err, "CPF3782")
	b.refused(b.restore("AMQA*"), "CPF3782")
	_, err = b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{})
	b.refused(err, "CPF3782")
	_, err = b.sys.SaveReceivers(library, []string{"AMQA*"}, savf, SaveOptions{Clear: true})
	b.must(err)
}
