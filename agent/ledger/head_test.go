package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// comesBack is how the head's disk comes back after a loss of power.
func comesBack(files *crashdisk.Disk, seed int) {
	files.Fault(nil)
	switch r := rand.New(rand.NewPCG(uint64(seed), 3)); seed % 3 {
	case 0:
		files.Crash()
	case 1:
		files.CrashAfter(r.Int64N(files.Unsynced() + 1))
	default:
		files.CrashScattered(r)
	}
}

// A loss of power at any operation while a head is noted leaves the old one or
// the new one, whole; either fits, and the next change notes it anew. So does
// one while the first is noted, but that there may be none then.
func TestHeadAfterCrash(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	hold := func() error {
		_, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "case 4711"})
		return err
	}
	noted := func(stop, seed int) Head {
		t.Helper()
		was, ok, err := l.head.read()
		if err != nil || !ok {
			t.Fatalf("operation %d, seed %d: %v, %v", stop, seed, ok, err)
		}
		return was
	}
	for seed := range 6 {
		done := false
		for stop := 0; !done; stop++ {
			files := crashdisk.New()
			l.head = head{files, headFile}
			must(t, l.Accept(ctx, "operator", "a new disk"))
			before := noted(stop, seed)
			files.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
			err := hold()
			if done = err == nil; err != nil && !errors.Is(err, crashdisk.ErrPower) {
				t.Fatal(err)
			}
			comesBack(files, seed)
			if after := noted(stop, seed); done && after.Rows != before.Rows+1 {
				t.Fatalf("operation %d, seed %d: acknowledged, and the head is %+v after %+v", stop, seed, after, before)
			}
			if _, err := l.Verify(ctx); err != nil {
				t.Fatalf("operation %d, seed %d: %v", stop, seed, err)
			}
			must(t, hold())
		}
	}
}

func TestFirstHeadAfterCrash(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	for seed := range 6 {
		done := false
		for stop := 0; !done; stop++ {
			files := crashdisk.New()
			l.head = head{files, headFile}
			files.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
			err := l.head.first(ctx, l)
			done = err == nil
			comesBack(files, seed)
			must(t, l.head.first(ctx, l)) // whoever opens it next
			if _, ok, err := l.head.read(); !ok || err != nil {
				t.Fatalf("operation %d, seed %d: %v, %v", stop, seed, ok, err)
			}
		}
	}
}

// A head that a disk has lost or torn, against its promises, or that came back
// from a copy, is told. It does not stop what needs to be done, and stands in
// nobody's way once a person has accepted it. One that is only behind fits.
func TestHeadThatIsNotAsItWasLeft(t *testing.T) {
	ctx := context.Background()
	for name, test := range map[string]struct {
		spoil func(text string) string // empty: no file
		says  string                   // empty: nothing
	}{
		"gone":         {func(string) string { return "" }, "is gone"},
		"torn":         {func(text string) string { return text[:len(text)/2] }, "head of the trail"},
		"zeros":        {func(text string) string { return strings.Repeat("\x00", len(text)) }, "head of the trail"},
		"of no length": {func(string) string { return " " }, "head of the trail"},
		"ahead":        {func(text string) string { return strings.Replace(text, "\n", "\n9", 1) }, "are gone"},
		"of another":   {func(text string) string { return text[:len(text)-3] + "ff\n" }, "not the one that was noted"},
	} {
		t.Run(name, func(t *testing.T) {
			l, dir := lived(t)
			path := filepath.Join(dir, headFile)
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.Remove(path))
			if spoiled := test.spoil(string(text)); spoiled != "" {
				must(t, os.WriteFile(path, []byte(spoiled), 0o600))
			}
			must(t, l.Close())
			l = openAt(t, dir, Options{})
			if b := broken(t, l); !strings.Contains(b.Error(), test.says) {
				t.Errorf("%v, want %q", b, test.says)
			}
			lease := claim(t, l, firing("later"))
			must(t, l.Intend(ctx, lease, batch(50, 2)))
			hold, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "later"})
			if !errors.As(err, new(*Broken)) || hold.ID == 0 {
				t.Errorf("hold %d: %v", hold.ID, err)
			}
			must(t, l.Accept(ctx, "operator", "the disk was replaced"))
			if _, err := l.Verify(ctx); err != nil {
				t.Error(err)
			}
			_, err = l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "after it"})
			must(t, err)
		})
	}
	t.Run("an older one", func(t *testing.T) {
		l, dir := lived(t)
		var sum []byte
		must(t, l.db.QueryRow("SELECT sum FROM trail WHERE seq = 7").Scan(&sum))
		must(t, os.WriteFile(filepath.Join(dir, headFile), fmt.Appendf(nil, "%s\n7 %x\n", headMark, sum), 0o600))
		if _, err := l.Verify(ctx); err != nil {
			t.Error(err)
		}
		_, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "later"})
		must(t, err)
	})
}

var _ disk.FS = (*crashdisk.Disk)(nil)
