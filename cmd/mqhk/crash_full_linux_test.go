package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A file system runs full during an apply: it stops and says what is full,
// nothing goes without a copy, and no outcome says more than what was done. With
// room it goes on.
func TestApplyOnFullDisk(t *testing.T) {
	endToEnd(t)
	for _, test := range []struct {
		folder string
		policy string
		leave  int64 // bytes that are free when the apply begins
		says   string
	}{
		{"state", "saves", 8 << 10, "ledger can't grow"},
		{"state", "saves", 96 << 10, "ledger can't grow"},
		{"files", "saves", 128 << 10, "no space left on device"},
		{"estate", "least", 16 << 10, "no space left on device"},
		{"estate", "least", 48 << 10, "no space left on device"},
	} {
		t.Run(fmt.Sprintf("%s %dKiB", test.folder, test.leave>>10), func(t *testing.T) {
			t.Parallel()
			k := &killing{site: &site{t: t, home: t.TempDir(), policy: test.policy}, fell: map[string]int{}, seen: map[string]bool{}}
			k.mount(test.folder)
			k.furnish(1)
			k.work()
			k.fill(test.folder, test.leave)
			p := k.start(k.apply()...)
			if status := p.status(); status != exitFailed && status != exitCritical || !strings.Contains(p.out.String(), test.says) {
				t.Errorf("exit %d: %s", status, &p.out)
			}
			k.copied()
			k.must(os.Remove(k.path(test.folder, "filler")))
			k.runOut()
			if state := k.state(); state != "RUNNING" {
				k.startManager()
			}
			k.finish()
			k.noStrays()
		})
	}
}

// mount gives a folder a small file system of its own.
func (k *killing) mount(folder string) {
	k.t.Helper()
	path := k.path(folder)
	k.must(os.Mkdir(path, 0o700))
	err := syscall.Mount("tmpfs", path, "tmpfs", 0, "size=32m,mode=0700")
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		k.t.Skip("file systems can't be mounted here: ", err)
	}
	k.must(err)
	k.t.Cleanup(func() {
		if err := syscall.Unmount(path, syscall.MNT_DETACH); err != nil {
			k.t.Error(err)
		}
	})
}

// fill leaves so many bytes of a folder's file system free.
func (k *killing) fill(folder string, leave int64) {
	k.t.Helper()
	var room syscall.Statfs_t
	k.must(syscall.Statfs(k.path(folder), &room))
	filler, err := os.Create(k.path(folder, "filler"))
	k.must(err)
	k.must(syscall.Fallocate(int(filler.Fd()), 0, 0, int64(room.Bavail)*room.Bsize-leave))
	k.must(filler.Close())
}

// copied makes sure that each receiver that went is in the store.
func (k *killing) copied() {
	k.t.Helper()
	there, copies := k.receivers(), k.copies()
	for name := range k.seen {
		if !slices.Contains(there, name) && !copies[name] {
			k.t.Errorf("%s is gone, and there is no verified copy", name)
		}
	}
}
