package store

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// A compressed content is a row of zstd frames, each of which can be read
// alone, and at the end of its file a table of them in a frame that zstd passes
// over: the seekable format of zstd (contrib/seekable_format in its source).
// Numbers are little-endian.
const (
	seekSkippable = 0x184D2A5E // marks the frame that is passed over
	seekMagic     = 0x8F92EAB1 // ends the table, and with it the file
	seekEntry     = 8          // bytes of an entry
	seekAround    = 8 + 9      // bytes of a table beside its entries
)

// seekTable lists the frames of a file in order.
type seekTable []seekable

// seekable is one frame.
type seekable struct {
	packed uint32 // its bytes in the file
	plain  uint32 // the bytes of the content that it holds
}

// size is how many bytes of a file so many frames' table takes.
func seekSize(frames int64) int64 { return seekAround + frames*seekEntry }

// encode writes the table as it ends a file. It has no checksums of its own:
// each frame has one, and the manifest has that of the file.
func (t seekTable) encode() []byte {
	text := make([]byte, 0, seekSize(int64(len(t))))
	text = binary.LittleEndian.AppendUint32(text, seekSkippable)
	text = binary.LittleEndian.AppendUint32(text, uint32(len(t)*seekEntry+9)) //nolint:gosec // 2^28 frames are a petabyte
	for _, f := range t {
		text = binary.LittleEndian.AppendUint32(text, f.packed)
		text = binary.LittleEndian.AppendUint32(text, f.plain)
	}
	text = binary.LittleEndian.AppendUint32(text, uint32(len(t))) //nolint:gosec // as above
	text = append(text, 0)
	return binary.LittleEndian.AppendUint32(text, seekMagic)
}

var errSeekTable = errors.New("it is no seek table")

// readSeekTable reads a table that [seekTable.encode] wrote, and no other.
func readSeekTable(text []byte) (seekTable, error) {
	frames := (len(text) - seekAround) / seekEntry
	if frames < 0 {
		return nil, errSeekTable
	}
	table := make(seekTable, frames)
	for i := range table {
		entry := text[8+i*seekEntry:]
		table[i] = seekable{binary.LittleEndian.Uint32(entry), binary.LittleEndian.Uint32(entry[4:])}
	}
	if !bytes.Equal(table.encode(), text) {
		return nil, errSeekTable
	}
	return table, nil
}
