package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onDisk has copies made on disk, as where nothing in memory can be run
// (vm.memfd_noexec = 2).
func onDisk(t *testing.T) {
	usual := newMemory
	newMemory = func() (*os.File, error) { return nil, os.NewSyscallError("memfd_create", unix.EACCES) }
	t.Cleanup(func() { newMemory = usual })
}

// Somebody writes another content into the same file again and again while it
// is started: each start runs what was locked, or nothing.
func TestFileRewrittenInPlace(t *testing.T) {
	t.Run("in memory", rewriteInPlace)
	t.Run("on disk", func(t *testing.T) {
		onDisk(t)
		rewriteInPlace(t)
	})
}

func rewriteInPlace(t *testing.T) {
	dir := t.TempDir()
	path, proof := filepath.Join(dir, "plugin"), filepath.Join(dir, "proof")
	wrong := fmt.Appendf(nil, "#!/bin/sh\n: > %s; exit 5\n", proof)
	locked := []byte("#!/bin/sh\nexit 4 #")
	locked = append(locked, bytes.Repeat([]byte("."), len(wrong)-len(locked))...) // one write changes all
	if err := os.WriteFile(path, locked, 0o700); err != nil {
		t.Fatal(err)
	}
	hash, err := Hash(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(content []byte) { // and closes: what is open to write can't be run
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer file.Close()
		if _, err := file.WriteAt(content, 0); err != nil {
			t.Error(err)
		}
	}
	done := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		for {
			write(wrong)
			write(locked)
			time.Sleep(200 * time.Microsecond) // or it is hardly ever found locked
			select {
			case <-done:
				return
			default:
			}
		}
	})
	ran, refused := 0, 0
	for range 50 {
		_, err := Start(context.Background(), Source{Name: "stranger", Path: path, SHA256: hash}, Settings{SocketBase: dir})
		var differs *HashError
		var failed *StartError
		switch {
		case errors.As(err, &differs):
			refused++
		case errors.As(err, &failed) && failed.Exit == "exit status 4":
			ran++
		default:
			t.Errorf("got %v", err)
		}
	}
	close(done)
	writing.Wait()
	t.Logf("%d ran, %d were refused", ran, refused)
	if _, err := os.Stat(proof); err == nil {
		t.Error("what is not in the lock ran")
	}
}

// What is written between the hash and the start does not count, and the copy
// can't be written to.
func TestCopyIsFixed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plugin")
	first := []byte("#!/bin/sh\nexit 4\n")
	if err := os.WriteFile(path, first, 0o700); err != nil {
		t.Fatal(err)
	}
	opened, err := openBinary(path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.close()
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 5\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var now bytes.Buffer
	if err := readInto(&now, opened.file); err != nil || !bytes.Equal(now.Bytes(), first) {
		t.Errorf("it holds %q, %v", now.Bytes(), err)
	}
	if _, err := opened.file.WriteAt([]byte("x"), 0); !errors.Is(err, unix.EPERM) {
		t.Errorf("writing to it: %v", err)
	}
	if err := opened.file.Truncate(0); !errors.Is(err, unix.EPERM) {
		t.Errorf("cutting it: %v", err)
	}
}

// The copy could be run though the file could not.
func TestNotExecutable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plugin")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openBinary(path, t.TempDir())
	if !errors.Is(err, unix.EACCES) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

// Where no copy can be made nothing is run.
func TestNoCopy(t *testing.T) {
	onDisk(t)
	path := filepath.Join(t.TempDir(), "plugin")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 4\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := openBinary(path, filepath.Join(t.TempDir(), "absent"))
	if !errors.Is(err, unix.EACCES) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
