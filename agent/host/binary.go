package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// binary is an executable that was opened and hashed. On Linux the very bytes
// that were hashed are run, in a copy that nobody can change (see fixed);
// elsewhere it is run by its path after a look that the path still leads to it.
type binary struct {
	path   string
	file   *os.File
	sha256 string // of the running file it may not be there yet
	shared bool   // with later starts: stays open
}

// self is the running file. It is opened and hashed once: it can't change
// under the process, and a replaced one on disk is another program. The hash
// is for the record alone and decides nothing, so it is made while the plugin
// starts (see selfHash).
var self = sync.OnceValues(func() (binary, error) {
	path, err := os.Executable()
	if err != nil {
		return binary{}, fmt.Errorf("finding the running file: %w", err)
	}
	file, err := os.Open(runningFile(path))
	if err != nil {
		return binary{}, fmt.Errorf("opening the running file: %w", err)
	}
	return binary{path: path, file: file, shared: true}, nil
})

// selfHash gives the hash of the running file.
var selfHash = sync.OnceValues(func() (string, error) {
	running, err := self()
	if err != nil {
		return "", err
	}
	sum, err := hashOf(running.file)
	if err != nil {
		return "", fmt.Errorf("reading the running file: %w", err)
	}
	return sum, nil
})

// find opens what the source names, and hashes it before it runs; base is where
// a copy may lie. Of the running file the hash is made only if the source says
// what it must be, and there is no copy: while it runs the system lets nobody
// write to it, and a file that takes its name is another one.
func find(source Source, base string) (found binary, err error) {
	if source.Path == "" {
		found, err = self()
		if err == nil && source.SHA256 != "" {
			found.sha256, err = selfHash()
		}
		return found, err
	}
	path, err := filepath.Abs(source.Path)
	if err != nil {
		return binary{}, fmt.Errorf("finding %s: %w", source.Path, err)
	}
	return openBinary(path, base)
}

func openBinary(path, base string) (binary, error) {
	file, err := openFile(path)
	if err != nil {
		return binary{}, err
	}
	run, err := fixed(file, base)
	if err != nil {
		_ = file.Close()
		return binary{}, fmt.Errorf("reading the plugin's file %s: %w", path, err)
	}
	if run != file {
		_ = file.Close()
	}
	// The hash is that of what runs, made when it could not change any more.
	sum, err := hashOf(run)
	if err != nil {
		_ = run.Close()
		return binary{}, fmt.Errorf("reading the plugin's file %s: %w", path, err)
	}
	return binary{path: path, file: run, sha256: sum}, nil
}

func openFile(path string) (*os.File, error) {
	// A pipe that nobody writes to would hold an open for ever.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the plugin's file: %w", err)
	}
	return file, nil
}

// largestBinary is how many bytes a plugin's file may have: a sparse one could
// keep the hash going for days, and the copy is in memory.
const largestBinary = 1 << 30

// hashOf reads a regular file to its end.
func hashOf(file *os.File) (string, error) {
	hash := sha256.New()
	if err := readInto(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// readInto gives all that a regular file holds to w.
func readInto(w io.Writer, file *os.File) error {
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	}
	n, err := io.Copy(w, io.NewSectionReader(file, 0, largestBinary+1))
	switch {
	case err != nil:
		return err
	case n > largestBinary:
		return fmt.Errorf("it has more than %d bytes", int64(largestBinary))
	}
	return nil
}

// close lets the file go, unless later starts use it.
func (b binary) close() {
	if !b.shared && b.file != nil {
		_ = b.file.Close()
	}
}

// unchanged fails when the path no longer leads to the file that was hashed.
func (b binary) unchanged() error {
	opened, err := b.file.Stat()
	if err != nil {
		return fmt.Errorf("looking at the plugin's file %s: %w", b.path, err)
	}
	now, err := os.Stat(b.path)
	if err != nil {
		return fmt.Errorf("looking at the plugin's file again: %w", err)
	}
	if !os.SameFile(opened, now) {
		return fmt.Errorf("the plugin's file %s was replaced after it was checked", b.path)
	}
	return nil
}
