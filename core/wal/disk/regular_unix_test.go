//go:build unix && !aix

package disk

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// What is no regular file is refused at once, a pipe that nobody reads or writes
// too; a link is read and never written through.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	root := t.TempDir()
	d := At(root)
	must(t, os.WriteFile(filepath.Join(root, "file"), []byte("content"), 0o600))
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600))
	must(t, os.Mkdir(filepath.Join(root, "folder"), 0o700))
	must(t, os.Symlink("file", filepath.Join(root, "link")))
	must(t, os.Symlink("none", filepath.Join(root, "dangling")))
	t.Chdir(root) // the name of a socket has to be short
	socket, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", "socket")
	must(t, err)
	defer socket.Close()
	for name, c := range map[string]struct{ read, write error }{
		"file": {}, "pipe": {ErrNotRegular, ErrNotRegular}, "folder": {ErrNotRegular, ErrNotRegular},
		"socket": {ErrNotRegular, ErrNotRegular},
		"link":   {nil, ErrNotRegular}, "dangling": {fs.ErrNotExist, ErrNotRegular},
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, try := range []struct {
				open func(string) (File, error)
				want error
			}{{d.Open, c.read}, {d.OpenWrite, c.write}} {
				f, err := try.open(name)
				if !errors.Is(err, try.want) {
					t.Errorf("%s: %v, want %v", name, err, try.want)
				}
				if err == nil {
					_ = f.Close()
				}
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute): // against a hang alone
			t.Fatalf("opening %s waits", name)
		}
	}
	if _, err := d.Create("dangling"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("making a file through a link: %v", err)
	}
}
