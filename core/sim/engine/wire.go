package engine

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// Numbers are unsigned varints, strings and bytes have their length before
// them, times are eight bytes of Unix nanoseconds, little-endian.

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendTime(b []byte, t time.Time) []byte {
	return binary.LittleEndian.AppendUint64(b, uint64(t.UnixNano()))
}

func appendMark(b []byte, m Mark) []byte {
	return appendTime(binary.AppendUvarint(b, uint64(m.LSN)), m.Time)
}

func appendRef(b []byte, r Ref) []byte {
	return appendText(appendText(b, string(r.Kind)), r.Name)
}

// appendAttributes writes them in the order of their names, so that equal
// attributes have equal bytes.
func appendAttributes(b []byte, attrs map[string]string) []byte {
	b = binary.AppendUvarint(b, uint64(len(attrs)))
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		b = appendText(appendText(b, name), attrs[name])
	}
	return b
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// appendSum ends a file that is written whole: a CRC-32C of all before it.
func appendSum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decoder takes values from bytes. After the first that is not there it gives
// zero values, and err says so.
type decoder struct {
	rest []byte
	err  error
	// borrow: bodies and values are parts of the input, not copies. Skim: the
	// content of images is not looked at.
	borrow, skim bool
	// names spares a copy of each text that was read before; nil: it does not.
	names map[string]string
}

// summed reads a file that begins with a magic and ends with its checksum.
func summed(b []byte, magic string) *decoder {
	d := &decoder{}
	letters := len(magic) - 1
	if len(b) > letters && string(b[:letters]) == magic[:letters] && b[letters] != magic[letters] {
		d.fail("another version of the simulator wrote it")
		return d
	}
	at := len(b) - 4
	if at < len(magic) || string(b[:len(magic)]) != magic ||
		binary.LittleEndian.Uint32(b[at:]) != crc32.Checksum(b[:at], castagnoli) {
		d.fail("it is another file, or damaged")
		return d
	}
	d.rest = b[len(magic):at]
	return d
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrFormat, what)
	}
	d.rest = nil
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail("a number is cut off or too large")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// count reads the length of a list whose elements take at least one byte, so a
// wrong one can't ask for more memory than there are bytes.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.fail("a list is longer than the bytes that are left")
		return 0
	}
	return int(n)
}

// bytes gives a part of the input, not a copy.
func (d *decoder) bytes() []byte {
	n := d.count()
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

// kept gives bytes that are the reader's own, unless it wants to borrow.
func (d *decoder) kept() []byte {
	b := d.bytes()
	if d.borrow {
		return b
	}
	return append([]byte(nil), b...)
}

func (d *decoder) text() string {
	b := d.bytes()
	if d.names == nil {
		return string(b)
	}
	text, ok := d.names[string(b)]
	if !ok {
		text = string(b)
		d.names[text] = text
	}
	return text
}

func (d *decoder) time() time.Time {
	if len(d.rest) < 8 {
		d.fail("a time is cut off")
		return time.Time{}
	}
	ns := binary.LittleEndian.Uint64(d.rest)
	d.rest = d.rest[8:]
	return time.Unix(0, int64(ns)).UTC()
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.fail("a byte is missing")
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// flag reads what flag wrote, and nothing else.
func (d *decoder) flag() bool {
	b := d.byte()
	if b > 1 {
		d.fail("neither yes nor no")
	}
	return b == 1
}

func (d *decoder) id() (id wal.ID) {
	if len(d.rest) < len(id) {
		d.fail("an ID is cut off")
		return id
	}
	d.rest = d.rest[copy(id[:], d.rest):]
	return id
}

func (d *decoder) mark() Mark {
	lsn := wal.LSN(d.number())
	return Mark{LSN: lsn, Time: d.time()}
}

func (d *decoder) ref() Ref {
	kind := Kind(d.text())
	return Ref{Kind: kind, Name: d.text()}
}

func (d *decoder) attributes() map[string]string {
	attrs := map[string]string{}
	for range d.count() {
		name := d.text()
		attrs[name] = d.text()
		if d.err != nil {
			break
		}
	}
	return attrs
}

// end asserts that everything was read.
func (d *decoder) end() error {
	if d.err == nil && len(d.rest) > 0 {
		d.fail("bytes are left over")
	}
	return d.err
}
