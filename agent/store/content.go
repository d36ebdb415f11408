package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/klauspost/compress/zstd"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// blockSize is how much is read and written at a time.
const blockSize = 256 << 10

// mostWindow bounds the memory that decoding takes, whatever is in a file.
const mostWindow = 8 << 20

// writeContent writes what is read to its end into a part, synced, and fills
// in what the manifest says of it.
func writeContent(ctx context.Context, files disk.FS, part string, m *Manifest, gently bool, from io.Reader) error {
	f, err := createPart(files, part)
	if err != nil {
		return err
	}
	to := &fileWriter{file: f}
	if m.Encoding == Zstd {
		err = writeFrames(ctx, to, m, gently, from)
	} else {
		err = writeAsIs(to, m, from)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// writeAsIs copies a content.
func writeAsIs(to *fileWriter, m *Manifest, from io.Reader) error {
	sum := &counted{hash: sha256.New()}
	_, err := io.CopyBuffer(to, onlyReader{io.TeeReader(from, sum)}, make([]byte, blockSize))
	m.Bytes, m.SHA256, m.StoredBytes = sum.bytes, sum.digest(), to.off
	return err
}

// Without these io.CopyBuffer would let either side choose its own way.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

// openContent opens a content that is read back. The reading that would end it
// gives ErrDamaged when it was not what the manifest says; a file that is not
// there, or is of another size, gives it at once.
func openContent(files disk.FS, name string, m Manifest) (io.ReadCloser, error) {
	f, err := openSized(files, name, m)
	if err != nil {
		return nil, err
	}
	if m.FrameBytes > 0 {
		frames, err := openFrames(f, m)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return &checked{from: &frameReader{frameFile: frames}, want: m, sum: counted{hash: sha256.New()}, close: f.Close}, nil
	}
	raw := &fileReader{file: f}
	decoded, closeDecoder, err := m.Encoding.reader(raw)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &checked{from: decoded, raw: raw, want: m, sum: counted{hash: sha256.New()}, close: func() error {
		closeDecoder()
		return f.Close()
	}}, nil
}

// openSized opens the file of a content when it has the size that it should.
func openSized(files disk.FS, name string, m Manifest) (disk.File, error) {
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: its content is gone: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err == nil && size != m.StoredBytes {
		err = fmt.Errorf("%w: its content has %d bytes instead of %d", ErrDamaged, size, m.StoredBytes)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// reader decodes a content that is one stream: as it is, or as copies were
// compressed before there were frames.
func (e Encoding) reader(raw io.Reader) (io.Reader, func(), error) {
	if e == AsIs {
		return raw, func() {}, nil
	}
	z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

// checked is a content that is compared with its manifest while it is read.
type checked struct {
	from  io.Reader
	raw   *fileReader // below from, when that decodes; nil: there is no such layer
	want  Manifest
	sum   counted
	close func() error
}

func (c *checked) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	_, _ = c.sum.Write(b[:n]) // never fails
	switch {
	case c.sum.bytes > c.want.Bytes:
		return 0, fmt.Errorf("%w: it has more than %d bytes", ErrDamaged, c.want.Bytes)
	case errors.Is(err, io.EOF):
		return c.end(n)
	case err != nil && c.raw != nil && c.raw.err == nil:
		return n, fmt.Errorf("%w: decoding it: %w", ErrDamaged, err) // all was read, it is what it says that is wrong
	}
	return n, err
}

func (c *checked) end(n int) (int, error) {
	if c.sum.bytes < c.want.Bytes {
		return n, fmt.Errorf("%w: it has %d bytes instead of %d", ErrDamaged, c.sum.bytes, c.want.Bytes)
	}
	if got := c.sum.digest(); got != c.want.SHA256 {
		return n, fmt.Errorf("%w: its SHA-256 is %s instead of %s", ErrDamaged, got, c.want.SHA256)
	}
	return n, io.EOF
}

func (c *checked) Close() error { return c.close() }

// counted is a digest that knows of how many bytes.
type counted struct {
	hash  hash.Hash
	bytes int64
}

func (c *counted) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return c.hash.Write(b)
}

func (c *counted) digest() string { return hex.EncodeToString(c.hash.Sum(nil)) }

// fileWriter appends to a file.
type fileWriter struct {
	file disk.File
	off  int64
}

func (w *fileWriter) Write(b []byte) (int, error) {
	n, err := w.file.WriteAt(b, w.off)
	w.off += int64(n)
	return n, err
}

// fileReader reads a file to its end and remembers what went wrong: a disk
// that can't be read is no damaged copy.
type fileReader struct {
	file disk.File
	off  int64
	err  error
}

func (r *fileReader) Read(b []byte) (int, error) {
	n, err := r.file.ReadAt(b, r.off)
	r.off += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
