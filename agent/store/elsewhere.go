package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// keptElsewhere leaves the contents to the site's own archive.
type keptElsewhere struct{ settings CommandSettings }

func (k keptElsewhere) accept(Facts) error { return nil }

// present can't tell: only the archive knows.
func (k keptElsewhere) present(Manifest) error { return nil }

func (k keptElsewhere) settled(Manifest) error { return nil }

// keep hands over a content, all of it, and has it verified.
func (k keptElsewhere) keep(ctx context.Context, m *Manifest, how manner, from io.Reader) error {
	source := &source{from: from, sum: counted{hash: sha256.New()}}
	err := k.run(ctx, "archive", k.settings.Archive, *m, source)
	ended, failed := source.outcome(m)
	switch {
	case failed != nil:
		return fmt.Errorf("reading it: %w", failed)
	case err != nil:
		return err
	case !ended:
		return fmt.Errorf("%w: command archive said that it has all before it had read all", ErrDamaged)
	}
	if err := m.checkLength(how.length); err != nil {
		return err
	}
	return k.compare(ctx, *m, how.gently)
}

// compare has the archive look at its copy; the exit status decides.
func (k keptElsewhere) compare(ctx context.Context, m Manifest, _ bool) error {
	err := k.run(ctx, "verify", k.settings.Verify, m, nil)
	var status *exec.ExitError
	if errors.As(err, &status) && status.Exited() {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// open lets the archive write the content, which is compared while it is read.
func (k keptElsewhere) open(ctx context.Context, m Manifest) (io.ReadCloser, error) {
	process, err := k.start(ctx, "restore", k.settings.Restore, m)
	if err != nil {
		return nil, err
	}
	return &checked{from: process, want: m, sum: counted{hash: sha256.New()}, close: process.Close}, nil
}

// source is what a command reads. It remembers whether that was all. A command
// that was ended may leave a read behind that goes on.
type source struct {
	from io.Reader

	mu    sync.Mutex
	sum   counted
	ended bool
	err   error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.from.Read(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.sum.Write(b[:n]) // never fails
	if errors.Is(err, io.EOF) {
		s.ended = true
	} else if err != nil {
		s.err = err
	}
	return n, err
}

// outcome writes what was read into the manifest, and tells whether it was
// read to its end or why not.
func (s *source) outcome(m *Manifest) (ended bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.Bytes, m.SHA256 = s.sum.bytes, s.sum.digest()
	return s.ended, s.err
}
