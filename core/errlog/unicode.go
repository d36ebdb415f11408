package errlog

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// plain gives a log as bytes in which ASCII is ASCII: without a byte order
// mark, and turned into UTF-8 where the mark says UTF-16, as some Windows tools
// write what they copy. Offsets count the bytes of that. How long the mark was
// is told.
func plain(r io.Reader) (log io.Reader, skipped int64) {
	buffered := bufio.NewReaderSize(r, 16)
	start, _ := buffered.Peek(3) // an error comes again with the next read
	switch {
	case len(start) == 3 && string(start) == "\xef\xbb\xbf":
		n, _ := buffered.Discard(3)
		return buffered, int64(n)
	case len(start) >= 2 && start[0] == 0xff && start[1] == 0xfe:
		return &wide{src: buffered, order: binary.LittleEndian}, 0
	case len(start) >= 2 && start[0] == 0xfe && start[1] == 0xff:
		return &wide{src: buffered, order: binary.BigEndian}, 0
	}
	return buffered, 0
}

// wide turns UTF-16 into UTF-8.
type wide struct {
	src   io.Reader
	order binary.ByteOrder
	in    []byte // read and not yet turned
	out   []byte // turned and not yet handed out
	err   error
	begun bool
}

// Read implements [io.Reader].
func (w *wide) Read(p []byte) (int, error) {
	for range 100 {
		if len(w.out) > 0 {
			n := copy(p, w.out)
			w.out = w.out[n:]
			return n, nil
		}
		if w.err != nil {
			return 0, w.err
		}
		w.turn()
	}
	return 0, nil
}

// turn reads and turns some more.
func (w *wide) turn() {
	read := make([]byte, 16<<10)
	n, err := w.src.Read(read)
	w.in, w.err = append(w.in, read[:n]...), err
	end := len(w.in) &^ 1
	if end > 0 && w.err == nil && utf16.IsSurrogate(rune(w.order.Uint16(w.in[end-2:]))) {
		end -= 2 // half of a pair may wait for the other
	}
	var units []uint16
	for i := 0; i < end; i += 2 {
		units = append(units, w.order.Uint16(w.in[i:]))
	}
	w.in = w.in[end:]
	if len(units) > 0 && !w.begun {
		w.begun = true
		units = units[1:] // the mark
	}
	for _, c := range utf16.Decode(units) {
		w.out = utf8.AppendRune(w.out, c)
	}
}
