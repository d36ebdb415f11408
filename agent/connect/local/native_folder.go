package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/mqhk/mqhk/agent/connect"
)

// What a folder refuses, to be told by errors.Is.
var (
	// ErrChanged says that a file is not what was judged, or changed while it
	// was read.
	ErrChanged = errors.New("the file is not as it was")
	// ErrNotProven says that the folder is not, or no longer, that of a queue
	// manager's log.
	ErrNotProven = errors.New("the folder is not proven to hold the queue manager's log")
	// errPlatform says that a platform does not tell what has to be known.
	errPlatform = errors.New("files can't be changed by mqhk on " + runtime.GOOS + ": submit the statements of the plan (--format script)")
)

// held is a folder of this machine, held open: whatever is renamed above it, no
// other is touched.
type held struct {
	root *os.Root
	path string
}

// open opens a folder. The path may be relative, and lead through links.
func (native) open(_ context.Context, path string) (folder, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, err
	}
	return &held{root, absolute}, nil
}

// Close closes the folder.
func (h *held) Close() error { return h.root.Close() }

func (h *held) names(context.Context) ([]string, error) { return namesIn(h.root) }

// proven looks for the control file in the folder and beside it, as the folder
// is reached now: beside a link it would be another.
func (h *held) proven(context.Context) error {
	here, err := h.root.Stat(".")
	if err != nil {
		return err
	}
	there, err := os.Stat(h.path)
	if err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("%w: %s leads elsewhere now", ErrNotProven, h.path)
	}
	if info, err := h.root.Lstat(controlFile); err == nil && info.Mode().IsRegular() {
		return nil
	}
	resolved, err := filepath.EvalSymlinks(h.path)
	if err != nil {
		return err
	}
	for _, parent := range []string{filepath.Dir(h.path), filepath.Dir(resolved)} {
		if info, err := os.Lstat(filepath.Join(parent, controlFile)); err == nil && info.Mode().IsRegular() {
			return nil
		}
	}
	return fmt.Errorf("%w: there is no %s beside or in %s", ErrNotProven, controlFile, h.path)
}

// remove costs one look and one unlink, whatever the folder holds.
func (h *held) remove(_ context.Context, name, fingerprint string) error {
	info, err := h.root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no regular file but %s", ErrChanged, name, modeText(info.Mode()))
	}
	names, err := namesOf(info)
	switch {
	case err != nil:
		return err
	case names != 1:
		return fmt.Errorf("%w: %s has %d names (hard links)", ErrChanged, name, names)
	case fingerprint != fingerprintOf(info):
		return fmt.Errorf("%w: %s is %s, and %s was judged", ErrChanged, name, fingerprintOf(info), fingerprint)
	}
	return h.root.Remove(name)
}

// force syncs the folder, where the system can: AIX documents EBADF for what is
// not open for writing, which a folder never is.
func (h *held) force(context.Context) (err error) {
	if runtime.GOOS == "windows" {
		return nil // NTFS logs its names itself
	}
	dir, err := h.root.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	err = dir.Sync()
	if runtime.GOOS == "aix" && (errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.EINVAL)) {
		return nil
	}
	return err
}

// save opens an extent by its name alone, and no link of that name.
func (h *held) save(ctx context.Context, name string) (connect.Content, error) {
	before, err := h.root.Lstat(name)
	if err != nil {
		return connect.Content{}, err
	}
	if !before.Mode().IsRegular() {
		return connect.Content{}, fmt.Errorf("%w: %s is no regular file", ErrChanged, name)
	}
	f, err := h.root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return connect.Content{}, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(before, opened) {
		err = fmt.Errorf("%w: %s was replaced", ErrChanged, name)
	}
	if err != nil {
		return connect.Content{}, errors.Join(err, f.Close())
	}
	read := &steady{file: f, before: opened, root: h.root, name: name}
	content := struct {
		io.Reader
		io.Closer
	}{whileLive{ctx, read}, f}
	path := filepath.Join(h.path, name)
	return connect.Content{ReadCloser: content, Bytes: opened.Size(), Origin: path, Log: path, Fingerprint: fingerprintOf(opened)}, nil
}

// steady reads a file that must not change. The read that would end it fails
// with ErrChanged where it did.
type steady struct {
	file   *os.File
	before fs.FileInfo
	root   *os.Root
	name   string
	bytes  int64
}

func (s *steady) Read(b []byte) (int, error) {
	n, err := s.file.Read(b)
	s.bytes += int64(n)
	if errors.Is(err, io.EOF) {
		if changed := s.changed(); changed != nil {
			return n, changed
		}
	}
	return n, err
}

// changed looks again, at the file and at what has its name now.
func (s *steady) changed() error {
	after, err := s.file.Stat()
	if err != nil {
		return err
	}
	named, err := s.root.Lstat(s.name)
	switch {
	case err != nil:
		return fmt.Errorf("%w: while it was read: %w", ErrChanged, err)
	case fingerprintOf(after) != fingerprintOf(s.before), !os.SameFile(named, after), s.bytes != s.before.Size():
		return fmt.Errorf("%w: %s changed while it was read: %d bytes of %s, then %s", ErrChanged, s.name, s.bytes, fingerprintOf(s.before), fingerprintOf(after))
	}
	return nil
}
