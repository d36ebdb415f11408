package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// Every content comes back, whatever its length is beside that of a frame and
// however its source gives it.
func TestFrames(t *testing.T) {
	const size = 1 << 10
	for _, length := range []int{1, size - 1, size, size + 1, 3 * size, 7*size + 13} {
		for name, source := range map[string]func(io.Reader) io.Reader{
			"at once": func(r io.Reader) io.Reader { return r }, "by bytes": iotest.OneByteReader, "with its end": iotest.DataErrReader,
		} {
			t.Run(fmt.Sprint(length, name), func(t *testing.T) {
				files := crashdisk.New()
				d, content := onDisk(files, true), someBytes(1, length)
				c, err := d.Put(t.Context(), extent("S0000007.LOG"), Facts{Bytes: int64(length)}, source(bytes.NewReader(content)))
				if err != nil || c.Bytes != int64(length) || c.SHA256 != digestOf(content) {
					t.Fatalf("%+v, %v", c, err)
				}
				if err := d.Verify(t.Context(), c); err != nil {
					t.Error(err)
				}
				if got, err := restored(d, c); err != nil || !bytes.Equal(got, content) {
					t.Errorf("restored %d bytes, %v", len(got), err)
				}
				wantTable(t, d, c, (length+size-1)/size)
			})
		}
	}
}

// wantTable makes sure that a file ends with the table of its frames, and that
// each of them is one alone.
func wantTable(t *testing.T, d *Directory, c recovery.Copy, frames int) {
	t.Helper()
	m, err := d.find(identityOf(c))
	if err != nil {
		t.Fatal(err)
	}
	file := contentOf(t, d, m)
	table, err := readSeekTable(file[len(file)-int(seekSize(int64(frames))):])
	if err != nil || len(table) != frames {
		t.Fatalf("%d frames, %v", len(table), err)
	}
	at := uint32(0)
	for i, f := range table {
		plain, err := (&codec{}).decode(file[at:at+f.packed], make([]byte, 0, frameBytes))
		if err != nil || len(plain) != int(f.plain) {
			t.Errorf("frame %d holds %d bytes, %v", i, len(plain), err)
		}
		at += f.packed
	}
}

func contentOf(tb testing.TB, d *Directory, m Manifest) []byte {
	tb.Helper()
	f, err := d.files.Open(m.contentPath())
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(io.NewSectionReader(f, 0, m.StoredBytes))
	if err := errors.Join(err, f.Close()); err != nil {
		tb.Fatal(err)
	}
	return b
}

// Who has zstd needs no mqhk: any decoder reads the file from its beginning.
func TestFramesAreZstd(t *testing.T) {
	d := newStore(t, compressing)
	content := append(someBytes(2, 9<<20), make([]byte, 1<<20)...)
	put(t, d, extent("S0000007.LOG"), Facts{}, content)
	path := filesOf(t, d, "*.zst")[0]
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if got, err := io.ReadAll(z); errors.Join(err, f.Close()) != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	program, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("zstd is not installed")
	}
	if said, err := exec.CommandContext(t.Context(), program, "-t", path).CombinedOutput(); err != nil {
		t.Errorf("zstd -t: %v: %s", err, said)
	}
	if got, err := exec.CommandContext(t.Context(), program, "-dc", path).Output(); err != nil || !bytes.Equal(got, content) {
		t.Errorf("zstd -dc: %d bytes, %v", len(got), err)
	}
}

// A copy of the earlier encoder is a copy: it is listed, verified and read, and
// the same segment is not kept twice.
func TestOneStreamStaysReadable(t *testing.T) {
	d := newStore(t, compressing)
	content := someBytes(3, 5<<20)
	c := putOld(t, d, receiver("AMQA000007"), facts(), content)
	if got := one(t, d); got != c {
		t.Errorf("listed %+v", got)
	}
	if err := d.Verify(t.Context(), c); err != nil {
		t.Error(err)
	}
	if got, err := restored(d, c); err != nil || !bytes.Equal(got, content) {
		t.Errorf("restored %d bytes, %v", len(got), err)
	}
	if again := put(t, d, receiver("AMQA000007"), facts(), content); again != c {
		t.Errorf("put again: %+v", again)
	}
}

// Any bit that flips in a file of frames is found, in a frame, in what zstd
// does not look at, and in the table.
func TestAnyFlippedBitOfFrames(t *testing.T) {
	content := append(someBytes(4, 5000), make([]byte, 3000)...)
	files := crashdisk.New()
	d := onDisk(files, true)
	c := put(t, d, extent("S0000007.LOG"), Facts{}, content)
	m, err := d.find(identityOf(c))
	if err != nil {
		t.Fatal(err)
	}
	whole := contentOf(t, d, m)
	table := len(whole) - int(seekSize(8))
	rapid.Check(t, func(rt *rapid.T) {
		bit := rapid.IntRange(0, 8*len(whole)-1).Draw(rt, "bit")
		changed := bytes.Clone(whole)
		changed[bit/8] ^= 1 << (bit % 8)
		files.Put(m.contentPath(), changed)
		for _, err := range []error{d.Verify(t.Context(), c), second(restored(d, c))} {
			mustBe(rt, err, ErrDamaged)
			if bit/8 >= table && !strings.Contains(err.Error(), "seek table") {
				rt.Fatalf("bit %d of the table: %v", bit, err)
			}
		}
	})
	files.Put(m.contentPath(), whole)
	if err := d.Verify(t.Context(), c); err != nil {
		t.Error(err)
	}
}

func second(_ []byte, err error) error { return err }

// The error names the frame, where it is in the file and in the content.
func TestDamageNamesTheFrame(t *testing.T) {
	files := crashdisk.New()
	d := onDisk(files, true)
	c := put(t, d, extent("S0000007.LOG"), Facts{}, someBytes(5, 4<<10))
	m, err := d.find(identityOf(c))
	if err != nil {
		t.Fatal(err)
	}
	whole := contentOf(t, d, m)
	table, err := readSeekTable(whole[len(whole)-int(seekSize(4)):])
	if err != nil {
		t.Fatal(err)
	}
	at := table[0].packed + table[1].packed
	files.Put(m.contentPath(), append(append(bytes.Clone(whole[:at+9]), whole[at+9]^1), whole[at+10:]...))
	want := fmt.Sprintf("frame 3 of 4, %d bytes at offset %d of its file, 2048 of the content", table[2].packed, at)
	for _, err := range []error{d.Verify(t.Context(), c), second(restored(d, c))} {
		if is(t, err, ErrDamaged); !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// A disk that can't be read is no damaged copy, in whichever frame.
func TestFramesThatCannotBeRead(t *testing.T) {
	files, broken := crashdisk.New(), errors.New("broken")
	d := onDisk(files, true)
	c := put(t, d, extent("S0000007.LOG"), Facts{}, someBytes(6, 6<<10))
	for reads := range 7 { // the table, and six frames
		left := reads
		files.Fault(func(op crashdisk.Op) error {
			if op.Kind != crashdisk.Read || strings.HasSuffix(op.Name, manifestSuffix) {
				return nil
			}
			if left--; left < 0 {
				return broken
			}
			return nil
		})
		err := d.Verify(t.Context(), c)
		if !errors.Is(err, broken) || errors.Is(err, ErrDamaged) {
			t.Errorf("after %d reads: %v", reads, err)
		}
		files.Fault(nil)
	}
	if !one(t, d).Verified {
		t.Error("what could not be read passes for damaged")
	}
}

func FuzzReadSeekTable(f *testing.F) {
	f.Add(seekTable{}.encode())
	f.Add(seekTable{{1, 2}, {3, 4}}.encode())
	f.Add([]byte("^*M\x18"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := readSeekTable(text)
		if err == nil && (!bytes.Equal(table.encode(), text) || seekSize(int64(len(table))) != int64(len(text))) {
			t.Errorf("%d bytes are %v", len(text), table)
		}
	})
}

// Whatever a file holds, its content is what its manifest says or it is
// damaged.
func FuzzFrames(f *testing.F) {
	content := someBytes(7, 2500)
	files := crashdisk.New()
	d := onDisk(files, true)
	c := putNew(f, d, extent("S0000007.LOG"), Facts{}, content)
	m, err := d.find(identityOf(c))
	if err != nil {
		f.Fatal(err)
	}
	whole := contentOf(f, d, m)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(append(bytes.Clone(whole[10:]), whole[:10]...))
	f.Fuzz(func(t *testing.T, file []byte) {
		files := crashdisk.New()
		files.Put("file", file)
		m := m
		m.StoredBytes = int64(len(file)) // the size is looked at before
		opened, err := openContent(files, "file", m)
		if err == nil {
			var got []byte
			got, err = io.ReadAll(opened)
			if err == nil && !bytes.Equal(got, content) {
				t.Errorf("%d bytes that are not the content", len(got))
			}
			err = errors.Join(err, opened.Close())
		}
		verified := keptFiles{files: files}.readFrames(t.Context(), m, "file", false)
		if (err == nil) != (verified == nil) || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("read with %v, verified with %v", err, verified)
		}
	})
}
