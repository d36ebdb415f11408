package os400

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

// A save file that was fetched, deleted and sent restores what it held.
func TestSaveFileThereAndBack(t *testing.T) {
	b := savedBench(t, 1, SaveOptions{})
	from, size, err := b.sys.FetchSaveFile(savf)
	b.must(err)
	b.must(b.sys.DeleteSaveFile(savf)) // what is being read stays
	content, err := io.ReadAll(from)
	b.must(err)
	b.must(from.Close())
	if int64(len(content)) != size || size == 0 {
		t.Fatalf("%d bytes read of %d", len(content), size)
	}
	b.must(b.delete("AMQA000000", DeleteOptions{}))
	b.refused(b.sys.SendSaveFile(savf, bytes.NewReader(content)), "CPF9801")
	b.must(b.sys.CreateSaveFile(savf))
	b.must(b.sys.SendSaveFile(savf, strings.NewReader("of no use")))
	b.refused(b.restore("AMQA000000"), "CPF3782")
	_, _, err = b.sys.FetchSaveFile(savf)
	b.refused(err, "CPF3782")
	b.must(b.sys.SendSaveFile(savf, bytes.NewReader(content)))
	b.must(b.restore("AMQA000000"))
	b.want("000000S 000001A")
}

// A sending that fails leaves the file as it was.
func TestSendingThatFails(t *testing.T) {
	b := savedBench(t, 1, SaveOptions{})
	before, err := b.sys.SaveFile(savf)
	b.must(err)
	broken := errors.New("the line is broken")
	if err := b.sys.SendSaveFile(savf, io.MultiReader(strings.NewReader("half"), failing{broken})); !errors.Is(err, broken) {
		t.Error(err)
	}
	b.must(b.sys.SetCapacity(1))
	if err := b.sys.SendSaveFile(savf, strings.NewReader("too much")); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	after, err := b.sys.SaveFile(savf)
	b.must(err)
	if after.Size != before.Size || len(b.sys.SaveFiles("QGPL")) != 1 {
		t.Errorf("%+v, before %+v", after, before)
	}
	if _, _, err := b.sys.FetchSaveFile(ID{"QGPL", "../X"}); err == nil {
		t.Error("a name that leads out was fetched")
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
