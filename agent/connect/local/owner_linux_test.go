package local

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// stranger is a user that is neither root nor who runs the tests.
const stranger = 64007

// ofAnother is a file that belongs to another user.
type ofAnother struct {
	fs.FileInfo
	stat syscall.Stat_t
}

func (o ofAnother) Sys() any { return &o.stat }

// powerless has something done without the power to give files away: by a thread
// whose files are those of a stranger where root runs the tests, and else as it
// is.
func powerless(t *testing.T, do func()) {
	t.Helper()
	if os.Getuid() != 0 {
		do()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked, so that the thread ends here
		if err := syscall.Setfsuid(stranger); err != nil {
			t.Error(err)
			return
		}
		do()
	}()
	<-done
}

// An extent that can't be given to whom its neighbours belong is none: the queue
// manager could not open it. Nothing is left of it, and it is said who can.
func TestRestoreForAnother(t *testing.T) {
	s := newStation(t, case18())
	must(t, os.Remove(s.path(105)))
	must(t, os.Chmod(s.log, 0o777)) //nolint:gosec // so that the stranger may try
	before := s.names()
	open := s.folder()
	content := bytes.Repeat([]byte("x"), 65536)

	// The seam is what is known of the neighbour.
	info, err := os.Lstat(s.path(104))
	must(t, err)
	neighbour := ofAnother{info, *info.Sys().(*syscall.Stat_t)}
	neighbour.stat.Uid = stranger + 1
	powerless(t, func() {
		err = open.(*held).fill(t.Context(), part("S0000105.LOG"), neighbour, bytes.NewReader(content))
	})
	if !errors.Is(err, fs.ErrPermission) || !contains(err, "giving it to 64008:", "who owns its neighbours", "run mqhk as that user") {
		t.Errorf("%v", err)
	}
	must(t, open.discard(t.Context(), "S0000105.LOG"))
	if os.Getuid() != 0 {
		return // nobody else's file can be made
	}

	// The whole of it, beside files of root.
	powerless(t, func() {
		err = open.restore(t.Context(), "S0000105.LOG", "S0000104.LOG", 65536, bytes.NewReader(content))
	})
	if !errors.Is(err, fs.ErrPermission) || !contains(err, "giving it to root:") {
		t.Errorf("%v", err)
	}
	if after := s.names(); !slices.Equal(before, after) {
		t.Errorf("left: %q", after)
	}
	// Root gives it away.
	must(t, os.Chown(s.path(104), stranger, stranger))
	must(t, open.restore(t.Context(), "S0000105.LOG", "S0000104.LOG", 65536, bytes.NewReader(content)))
	info, err = os.Lstat(s.path(105))
	must(t, err)
	if stat := info.Sys().(*syscall.Stat_t); stat.Uid != stranger || stat.Gid != stranger || info.Mode() != 0o640 && info.Mode() != 0o660 {
		t.Errorf("%d:%d %s", stat.Uid, stat.Gid, info.Mode())
	}
}

// In a container it is chown that can't.
func TestRestoreForAnotherInContainer(t *testing.T) {
	bin := t.TempDir()
	must(t, os.WriteFile(bin+"/chown", []byte("#!/bin/sh\necho 'chown: changing ownership: Operation not permitted' >&2\nexit 1\n"), 0o700))
	// Of two files the second seems to be another's.
	must(t, os.WriteFile(bin+"/stat", []byte("#!/bin/sh\ncase $2/$4 in %u:%g/.mqhk*) echo 64007:64007 ;; *) exec /usr/bin/stat \"$@\" ;; esac\n"), 0o700))
	if _, err := os.Stat("/usr/bin/stat"); err != nil {
		t.Skip(err)
	}
	s := newStation(t, case18(), func(s *Settings) { s.Prefix = []string{"env", "PATH=" + bin + ":" + os.Getenv("PATH")} })
	must(t, os.Remove(s.path(105)))
	before := s.names()
	open := s.folder()
	err := open.restore(t.Context(), "S0000105.LOG", "S0000104.LOG", 65536, bytes.NewReader(make([]byte, 65536)))
	if !contains(err, "Operation not permitted") {
		t.Errorf("%v", err)
	}
	if after := s.names(); !slices.Equal(before, after) {
		t.Errorf("left: %q", after)
	}
}
