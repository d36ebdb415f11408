package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// castagnoli is the polynomial of the checksum of a file of frames. SHA-256 is
// that of the content, and zstd decodes one content from more than one file:
// with this a bit that flipped in the file is found, wherever it is.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is the CRC-32C of a file, in the order of its bytes.
type checksum uint32

func (c *checksum) add(b []byte) { *c = checksum(crc32.Update(uint32(*c), castagnoli, b)) }

func (c checksum) String() string { return fmt.Sprintf("%08x", uint32(c)) }

// frameWriter is a content on its way into a file of frames.
type frameWriter struct {
	to    *fileWriter
	sum   counted // of the content
	file  checksum
	table seekTable
}

// writeFrames compresses a content into frames of m.FrameBytes, each with a
// checksum of its own, and fills in what the manifest says of it.
func writeFrames(ctx context.Context, to *fileWriter, m *Manifest, gently bool, from io.Reader) error {
	w := &frameWriter{to: to, sum: counted{hash: sha256.New()}}
	err := w.copy(ctx, m.FrameBytes, gently, from)
	m.Bytes, m.SHA256, m.StoredBytes, m.StoredCRC32C = w.sum.bytes, w.sum.digest(), to.off, w.file.String()
	return err
}

// copy writes what is read to its end as frames, and their table.
func (w *frameWriter) copy(ctx context.Context, size int64, gently bool, from io.Reader) error {
	err := engine.pass(ctx, passage{
		gently: gently,
		read:   func(f *frame) error { return w.read(ctx, f, size, from) },
		work: func(c *codec, f *frame) (err error) {
			f.packed, err = c.encode(f.plain, f.packed)
			return err
		},
		take: w.take,
	})
	if err != nil {
		return err
	}
	return w.write(w.table.encode())
}

// read fills a frame, and takes the digest while what was read is still near
// the processor.
func (w *frameWriter) read(ctx context.Context, f *frame, size int64, from io.Reader) error {
	for int64(len(f.plain)) < size {
		if err := ctx.Err(); err != nil {
			return err
		}
		have := len(f.plain)
		n, err := from.Read(f.buffer[have:min(int64(have+blockSize), size)])
		f.plain = f.buffer[:have+n]
		_, _ = w.sum.Write(f.plain[have:]) // never fails
		if errors.Is(err, io.EOF) && len(f.plain) > 0 {
			return nil // the next read says it again
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *frameWriter) take(f *frame) error {
	w.table = append(w.table, seekable{uint32(len(f.packed)), uint32(len(f.plain))}) //nolint:gosec // a frame is small
	return w.write(f.packed)
}

func (w *frameWriter) write(b []byte) error {
	w.file.add(b)
	_, err := w.to.Write(b)
	return err
}

// frameFile is a file of frames that is open, with its table.
type frameFile struct {
	disk.File
	want  Manifest
	table seekTable
	next  int      // the frame that is read next
	off   int64    // where it begins
	file  checksum // of what was read
}

// openFrames opens a file of frames. A table that is not what the manifest lets
// expect is ErrDamaged.
func openFrames(f disk.File, m Manifest) (*frameFile, error) {
	frames := (m.Bytes-1)/m.FrameBytes + 1
	at := m.StoredBytes - seekSize(min(frames, m.StoredBytes))
	damaged := func(err error) error {
		return fmt.Errorf("%w: the seek table of %d frames, at offset %d of its file: %w", ErrDamaged, frames, at, err)
	}
	if at < 0 {
		return nil, damaged(errSeekTable)
	}
	text := make([]byte, seekSize(frames))
	if _, err := f.ReadAt(text, at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	table, err := readSeekTable(text)
	if err == nil {
		err = table.check(m, at)
	}
	if err != nil {
		return nil, damaged(err)
	}
	return &frameFile{File: f, want: m, table: table}, nil
}

// check compares a table with a manifest, and with where it begins.
func (t seekTable) check(m Manifest, at int64) error {
	left := m.Bytes
	for i, f := range t {
		at -= int64(f.packed)
		if want := min(left, m.FrameBytes); int64(f.plain) != want || f.packed == 0 || int64(f.packed) > mostPacked {
			return fmt.Errorf("frame %d of %d bytes in %d instead of %d: %w", i+1, f.plain, f.packed, want, errSeekTable)
		}
		left -= int64(f.plain)
	}
	if at != 0 || left != 0 {
		return fmt.Errorf("its frames end %d bytes before it: %w", at, errSeekTable)
	}
	return nil
}

// mostPacked is the most bytes that a frame has in the file: what can't be
// compressed, and a few for each block of it.
const mostPacked = frameBytes + frameBytes/1024 + 64

// read reads the next frame as it stands in the file. What a disk can't read is
// no damaged copy.
func (r *frameFile) read(packed []byte) ([]byte, error) {
	if r.next == len(r.table) {
		return packed, r.end()
	}
	size := int(r.table[r.next].packed)
	if cap(packed) < size {
		packed = make([]byte, 0, mostPacked)
	}
	n, err := r.ReadAt(packed[:size], r.off)
	if n < size {
		if errors.Is(err, io.EOF) {
			err = r.damaged(r.next, fmt.Errorf("the file ends in it"))
		}
		return packed, err
	}
	packed = packed[:size]
	r.file.add(packed)
	r.next, r.off = r.next+1, r.off+int64(size)
	return packed, nil
}

// end gives io.EOF, or says that the file is not the one that was written.
func (r *frameFile) end() error {
	r.file.add(r.table.encode())
	if got := r.file.String(); got != r.want.StoredCRC32C {
		return fmt.Errorf("%w: the CRC-32C of its file is %s instead of %s", ErrDamaged, got, r.want.StoredCRC32C)
	}
	return io.EOF
}

// decode gives the content of a frame.
func (r *frameFile) decode(c *codec, i int, packed, plain []byte) ([]byte, error) {
	plain, err := c.decode(packed, plain[:0:r.table[i].plain])
	if err == nil && len(plain) != int(r.table[i].plain) {
		err = fmt.Errorf("it holds %d bytes instead of %d", len(plain), r.table[i].plain)
	}
	if err != nil {
		return plain, r.damaged(i, err)
	}
	return plain, nil
}

func (r *frameFile) damaged(i int, err error) error {
	var at int64
	for _, f := range r.table[:i] {
		at += int64(f.packed)
	}
	return fmt.Errorf("%w: frame %d of %d, %d bytes at offset %d of its file, %d of the content: %w",
		ErrDamaged, i+1, len(r.table), r.table[i].packed, at, int64(i)*r.want.FrameBytes, err)
}

// compareFrames reads a file of frames whole, several of them at a time, and
// compares it with its manifest.
func compareFrames(ctx context.Context, r *frameFile, gently bool) error {
	sum := sha256.New()
	err := engine.pass(ctx, passage{
		gently: gently,
		read: func(f *frame) (err error) {
			f.number = r.next
			f.packed, err = r.read(f.packed)
			return err
		},
		work: func(c *codec, f *frame) (err error) {
			f.plain, err = r.decode(c, f.number, f.packed, f.buffer)
			return err
		},
		take: func(f *frame) error {
			_, err := sum.Write(f.plain)
			return err
		},
	})
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != r.want.SHA256 {
		return fmt.Errorf("%w: its SHA-256 is %s instead of %s", ErrDamaged, got, r.want.SHA256)
	}
	return nil
}

// frameReader reads a content frame by frame, without the pool: who reads
// slowly would keep its frames from the others.
type frameReader struct {
	*frameFile
	codec  codec
	packed []byte
	buffer []byte
	plain  []byte // what is left of the frame that was decoded last
}

func (r *frameReader) Read(b []byte) (int, error) {
	for len(r.plain) == 0 {
		i := r.next
		packed, err := r.read(r.packed)
		r.packed = packed[:0]
		if err != nil {
			return 0, err
		}
		if r.buffer == nil {
			r.buffer = make([]byte, 0, min(r.want.FrameBytes, r.want.Bytes))
		}
		if r.plain, err = r.decode(&r.codec, i, packed, r.buffer); err != nil {
			r.plain = nil
			return 0, err
		}
	}
	n := copy(b, r.plain)
	r.plain = r.plain[n:]
	return n, nil
}
