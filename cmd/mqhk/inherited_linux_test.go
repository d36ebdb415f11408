package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Both ways: that of newer systems, and one descriptor after the other.
func TestInheritedIsKept(t *testing.T) {
	for name, keep := range map[string]func(){"all at once": keepInherited, "each": keepEach} {
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if _, err := unix.FcntlInt(file.Fd(), unix.F_SETFD, 0); err != nil { // as it was inherited
				t.Fatal(err)
			}
			keep()
			if flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
				t.Errorf("flags %d, %v", flags, err)
			}
		})
	}
}
