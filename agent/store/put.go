package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

// keeper is what the kinds of store with manifests differ in: where the
// content is.
type keeper interface {
	// accept says why what is known of a segment rules out keeping it here.
	accept(facts Facts) error
	// present tells, without reading it, whether the content is there.
	present(m Manifest) error
	// compare reads the content whole. It is ErrDamaged when it is not what
	// the manifest says.
	compare(ctx context.Context, m Manifest, gently bool) error
	// keep takes what is read to its end, makes it durable, reads it back and
	// completes the manifest.
	keep(ctx context.Context, m *Manifest, how manner, from io.Reader) error
	// settled clears away what is left of other copies of the segment, once
	// the manifest is durable.
	settled(m Manifest) error
	// open gives the content as it was put, compared while it is read.
	open(ctx context.Context, m Manifest) (io.ReadCloser, error)
}

// manner is how a content is kept.
type manner struct {
	length int64 // bytes that have to come; 0: not known
	gently bool  // at low priority
}

// Put keeps a segment. When it returns without an error the copy survives the
// loss of power.
//
// A segment that is there whole is not kept twice: its copy is read, what was
// to be put is read and compared with it, and the copy that is there is given
// back; another content is ErrDiffers. Of save files the content is not
// compared, since no two saves of one receiver are alike. A copy that is
// damaged is replaced.
//
// What ends early is noticed by Facts.Bytes alone.
//
// Several segments may be put at the same time: [Concurrent] of them, over all
// stores in folders of the process, are kept at once, and others wait. A store
// of commands runs one command at a time. The content is read in one goroutine
// of several, and not any more when Put has returned.
func (c *catalogue) Put(ctx context.Context, segment recovery.Segment, facts Facts, content io.Reader) (recovery.Copy, error) {
	if facts.Form == "" {
		facts.Form = c.form
	}
	m, err := newManifest(segment, facts, c.now())
	if err == nil {
		err = c.kept.accept(facts)
	}
	if err == nil {
		how := manner{facts.Bytes, facts.Log != "" && !c.full}
		err = gentle(how.gently, func() (err error) {
			m, err = c.put(ctx, m, how, &paced{ctx: ctx, from: content, pace: c.paceOf(facts)})
			return err
		})
	}
	if err != nil {
		return recovery.Copy{}, fmt.Errorf("store %s: saving %s: %w", c.name, segment.ID, err)
	}
	return m.copyIn(c.name, true), nil
}

// paceOf gives the pace of one segment: that of the store, or where it has none
// that of a log on this machine.
func (c *catalogue) paceOf(facts Facts) *pace {
	if facts.Log != "" && c.logPace != nil {
		return c.logPace
	}
	return c.pace
}

func (c *catalogue) put(ctx context.Context, m Manifest, how manner, from io.Reader) (_ Manifest, err error) {
	release, err := c.alone(ctx, m.identity())
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, release()) }()
	whole, err := c.wholeCopy(ctx, m.identity(), how.gently)
	switch {
	case err != nil:
		return m, err
	case whole != nil:
		return *whole, errors.Join(sameAs(*whole, from), c.kept.settled(*whole))
	}
	if err := c.keep(ctx, &m, how, from); err != nil {
		return m, err
	}
	if err := c.write(m); err != nil {
		return m, err
	}
	return m, c.kept.settled(m)
}

// keep keeps a content when its turn has come.
func (c *catalogue) keep(ctx context.Context, m *Manifest, how manner, from io.Reader) error {
	end, err := turn(ctx, c.turns)
	if err != nil {
		return err
	}
	defer end()
	return c.kept.keep(ctx, m, how, from)
}

// wholeCopy gives the manifest of the copy that is there when it is whole. A
// damaged copy, or a damaged manifest, is none: it will be replaced. A
// manifest of another version is not.
func (c *catalogue) wholeCopy(ctx context.Context, i identity, gently bool) (*Manifest, error) {
	m, err := c.find(i)
	if err == nil {
		err = c.kept.compare(ctx, m, gently)
	}
	switch {
	case errors.Is(err, errSchema):
		return nil, err
	case errors.Is(err, ErrNotThere), errors.Is(err, ErrManifest), errors.Is(err, ErrDamaged):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if m.Damage != nil { // it could not be read for a while
		m.Damage = nil
		err = c.write(m)
	}
	return &m, err
}

// sameAs compares what was to be put with what is there.
func sameAs(m Manifest, from io.Reader) error {
	if m.Form == SaveFile {
		return nil
	}
	sum := counted{hash: sha256.New()}
	if _, err := io.CopyBuffer(onlyWriter{&sum}, onlyReader{from}, make([]byte, blockSize)); err != nil {
		return fmt.Errorf("reading it to compare it with its copy: %w", err)
	}
	if sum.bytes != m.Bytes || sum.digest() != m.SHA256 {
		return fmt.Errorf("%w: %d bytes with SHA-256 %s; saved %s: %d bytes with %s",
			ErrDiffers, sum.bytes, sum.digest(), m.Made.Format(time.RFC3339), m.Bytes, m.SHA256)
	}
	return nil
}

// checkLength refuses a content that is empty or not as long as it has to be.
func (m Manifest) checkLength(length int64) error {
	switch {
	case m.Bytes == 0:
		return fmt.Errorf("%w: there is not one byte in it", ErrSegment)
	case length > 0 && m.Bytes != length:
		return fmt.Errorf("%w: %d bytes were read of %d", ErrSegment, m.Bytes, length)
	}
	return nil
}

// Verify reads a copy whole and compares it with its manifest. Damage, and
// that there is none any more, is written into the manifest.
func (c *catalogue) Verify(ctx context.Context, cp recovery.Copy) error {
	m, err := c.manifestOf(cp)
	if err == nil {
		found := gentle(!c.full, func() error { return c.kept.compare(ctx, m, !c.full) })
		err = c.judge(ctx, m, found)
	}
	if err != nil {
		return fmt.Errorf("store %s: verifying %s: %w", c.name, cp.Segment, err)
	}
	return nil
}

// Open reads a copy as it was put.
func (c *catalogue) Open(ctx context.Context, cp recovery.Copy) (io.ReadCloser, error) {
	m, err := c.manifestOf(cp)
	var content io.ReadCloser
	if err == nil {
		content, err = c.kept.open(ctx, m)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: opening %s: %w", c.name, cp.Segment, err)
	}
	return content, nil
}
