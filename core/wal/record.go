package wal

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	// Align is what every LSN is a multiple of, in bytes. A record's header
	// is as long, so it never lies across two sectors.
	Align = 16
	// MaxPayload is the longest payload of a record, in bytes.
	MaxPayload = 1 << 30

	headBytes  = 16
	sectorBits = 9
	sector     = 1 << sectorBits // what a disk writes whole or, torn, up to some byte
	mark       = 0xA5            // the last byte of every record and of every sector in one
)

// A record in the file; doc.go has the table and the reasons.
const (
	atSum     = 0  // CRC-32C of all that follows
	atLength  = 4  // of the payload
	atBack    = 8  // how far before it the log was durable when it was written
	atHeadSum = 12 // three bytes, of length and back
	atMark    = 15
)

var little = binary.LittleEndian

// ends counts the last bytes of sectors in the half-open range of offsets.
func ends(from, to int64) int64 { return to>>sectorBits - from>>sectorBits }

// recordBytes gives the bytes that a record with n bytes of payload takes at
// an offset of a file: header, payload, the bytes that marks displaced, and
// at least one mark, up to a multiple of Align.
func recordBytes(off int64, n int) int64 {
	end := off + headBytes + int64(n)
	if saved := ends(off+headBytes, end); saved != 0 {
		end += savedBytes(end, saved)
	}
	return (end+Align)&^(Align-1) - off
}

// savedBytes gives the length of the displaced bytes that begin at an offset.
// They leave out the ends of sectors: 511 of them fit in one.
func savedBytes(at, saved int64) int64 {
	last := at%sector + saved - 1
	return last/(sector-1)*sector + last%(sector-1) + 1 - at%sector
}

// fillTo gives the length of payload with which a record at an offset takes so
// many bytes, rounded up; at most 0 if no payload is that short.
func fillTo(off int64, bytes int) int {
	want := (int64(bytes) + Align - 1) &^ (Align - 1)
	// Each sector's end within it displaces a byte; the displaced bytes lie
	// across ends too, which displace nothing.
	n := int(want - headBytes - 1 - 2*(ends(off, off+want)+1))
	if n < 0 {
		n = 0
	}
	for n > 0 && recordBytes(off, n) > want {
		n--
	}
	for recordBytes(off, n+1) <= want {
		n++
	}
	return n
}

// lay puts length and payload, with zeros behind it up to n bytes, in a record's
// bytes; seal does the rest.
func lay(rec, payload []byte, n int) {
	little.PutUint32(rec[atLength:], uint32(n))
	clear(rec[headBytes+copy(rec[headBytes:], payload) : headBytes+n])
}

// laidLength reads back the payload length of a record made by lay.
func laidLength(rec []byte) int { return int(little.Uint32(rec[atLength:])) }

// seal finishes a record at an offset of its file: it marks the sectors,
// notes how far the log was durable, and sums.
func seal(rec []byte, off int64, back, seed uint32) {
	end := headBytes + laidLength(rec)
	for i := end; i < len(rec); i++ {
		rec[i] = mark
	}
	displaced(off, end, func(at, saved int) {
		rec[saved] = rec[at]
		rec[at] = mark
	})
	little.PutUint32(rec[atBack:], back)
	little.PutUint32(rec[atHeadSum:], headSum(rec, seed)|mark<<24)
	little.PutUint32(rec[atSum:], crc32.Update(seed, castagnoli, rec[atLength:]))
}

// unseal puts the bytes that marks displaced back in their places.
func unseal(rec []byte, off int64, n int) {
	end := headBytes + n
	if ends(off, off+int64(end)) == 0 {
		return
	}
	displaced(off, end, func(at, saved int) { rec[at] = rec[saved] })
}

// displaced calls for each payload byte at the end of a sector, with its index
// in the record and the index of the place that it is saved in.
func displaced(off int64, end int, swap func(at, saved int)) {
	saved := end
	first := int(sector-1-(off+headBytes)%sector) + headBytes
	for at := first; at < end; at += sector {
		if (off+int64(saved))%sector == sector-1 {
			saved++
		}
		swap(at, saved)
		saved++
	}
}

// headSum is the low 24 bits of the checksum over length and back.
func headSum(head []byte, seed uint32) uint32 {
	return crc32.Update(seed, castagnoli, head[atLength:atHeadSum]) & 0xFFFFFF
}

// headValid tells a record's header by its own checksum: whatever became of
// the rest, its length and back are as they were written.
func headValid(head []byte, seed uint32) bool {
	return little.Uint32(head[atHeadSum:]) == headSum(head, seed)|mark<<24
}

// sumValid checks a whole record.
func sumValid(rec []byte, seed uint32) bool {
	return little.Uint32(rec[atSum:]) == crc32.Update(seed, castagnoli, rec[atLength:])
}

// noBack stands for a distance that four bytes don't hold: nothing is known.
const noBack = 1<<32 - 1

// backTo gives the distance from a record to what was durable before it.
func backTo(at, durable LSN) uint32 { return uint32(min(at-durable, noBack)) }

// durableBefore gives how far the log was durable when the record at a
// position was written; zero: it does not say.
func durableBefore(head []byte, at LSN) LSN {
	back := LSN(little.Uint32(head[atBack:]))
	if back == noBack || back > at {
		return 0
	}
	return at - back
}
