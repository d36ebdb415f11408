package store

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// priority gives the nice value and the class of input and output of the
// calling thread.
func priority(t *testing.T) (nice int, class uintptr) {
	t.Helper()
	now, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Error(err)
	}
	io, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, ioprioProcess, 0, 0)
	if errno != 0 {
		t.Skip("this system has no such priorities")
	}
	return 20 - now, io >> 13
}

// What reads a log of this machine has a low priority, and nothing else has:
// neither the caller nor what runs later on the same processors.
func TestLowPriority(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, class := priority(t)
	for range 20 {
		err := gentle(true, func() error {
			if nice, class := priority(t); nice < lowNice || class != 3 {
				t.Errorf("nice %d, class %d", nice, class)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		start(false, func() {
			defer close(done)
			if nice, _ := priority(t); nice != before {
				t.Errorf("nice %d is left behind", nice)
			}
		})
		<-done
	}
	if nice, now := priority(t); nice != before || now != class {
		t.Errorf("the caller has nice %d, class %d", nice, now)
	}
}

// A copy of a log on this machine is read gently, unless the store says that it
// is not to be; one that is fetched from another machine is not.
func TestWhoIsGentle(t *testing.T) {
	for name, test := range map[string]struct {
		log  string
		full bool
		low  bool
	}{"a log on this machine": {".", false, true}, "at full speed": {".", true, false}, "on another machine": {"", false, false}} {
		for _, compress := range []bool{false, true} {
			d := newStore(t, func(s *Settings) { s.FullSpeed, s.Compress = test.full, compress })
			before, _ := priority(t)
			from := readerFunc(func([]byte) (int, error) {
				if nice, _ := priority(t); (nice >= lowNice && nice != before) != test.low {
					t.Errorf("%s: read with nice %d", name, nice)
				}
				return 0, errDone
			})
			_, err := d.Put(t.Context(), extent("S0000007.LOG"), Facts{Log: test.log}, from)
			is(t, err, errDone)
		}
	}
}
