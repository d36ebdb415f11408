package wal

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// payloads draws what is hard on the format as often as what is common: runs
// of zeros, of marks, and what looks like a record.
func payloads(longest int) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		n := rapid.IntRange(0, longest).Draw(t, "length")
		if rapid.Bool().Draw(t, "short") {
			n %= 40
		}
		b := make([]byte, n)
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0: // zeros
		case 1:
			for i := range b {
				b[i] = mark
			}
		case 2:
			if n > 0 {
				b[rapid.IntRange(0, n-1).Draw(t, "one")] = 1
			}
		default:
			seed := rapid.Uint32().Draw(t, "seed")
			for i := range b {
				seed = seed*1664525 + 1013904223
				b[i] = byte(seed >> 24)
			}
		}
		return b
	})
}

func sealed(off int64, payload []byte, back, seed uint32) []byte {
	rec := make([]byte, recordBytes(off, len(payload)))
	lay(rec, payload, len(payload))
	seal(rec, off, back, seed)
	return rec
}

func TestRecordKeepsItsPayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		off := firstAt + Align*rapid.Int64Range(0, 200).Draw(t, "place")
		payload := payloads(600000).Draw(t, "payload")
		back := rapid.Uint32().Draw(t, "back")
		seed := rapid.Uint32().Draw(t, "seed")
		rec := sealed(off, payload, back, seed)

		if len(rec)%Align != 0 || rec[len(rec)-1] != mark {
			t.Fatalf("%d bytes, the last %#x", len(rec), rec[len(rec)-1])
		}
		for i := range rec {
			if (off+int64(i))%sector == sector-1 && rec[i] != mark {
				t.Fatalf("byte %d ends a sector and is %#x", i, rec[i])
			}
		}
		if !headValid(rec, seed) || !sumValid(rec, seed) {
			t.Fatal("its checksums are wrong")
		}
		if headValid(rec, seed^1) || sumValid(rec, seed^1) {
			t.Fatal("it is valid at another place")
		}
		unseal(rec, off, len(payload))
		if !bytes.Equal(rec[headBytes:headBytes+len(payload)], payload) {
			t.Fatal("the payload changed")
		}
	})
}

// A flipped bit anywhere in a record must show.
func TestRecordShowsEveryFlippedBit(t *testing.T) {
	rec := sealed(firstAt+496, bytes.Repeat([]byte{0}, 700), 32, 7)
	for bit := range 8 * len(rec) {
		rec[bit/8] ^= 1 << (bit % 8)
		if sumValid(rec, 7) {
			t.Errorf("bit %d of byte %d can flip unseen", bit%8, bit/8)
		}
		rec[bit/8] ^= 1 << (bit % 8)
	}
}

// Whatever was in the buffer before must not matter.
func TestSealOverwritesTheBuffer(t *testing.T) {
	payload := bytes.Repeat([]byte("ORDERS"), 250)
	want := sealed(firstAt+32, payload, 16, 3)
	rec := bytes.Repeat([]byte{0x77}, len(want))
	lay(rec, payload, len(payload))
	seal(rec, firstAt+32, 16, 3)
	if !bytes.Equal(rec, want) {
		t.Error("old bytes shine through")
	}
}

func TestRecordBytes(t *testing.T) {
	cases := []struct {
		off  int64
		n    int
		want int64
	}{
		{firstAt, 0, 32},          // header and one mark
		{firstAt, 15, 32},         // 16+15+1
		{firstAt, 16, 48},         // the mark needs a place of its own
		{firstAt, 300, 320},       // within a sector
		{firstAt, 495, 512},       // ends with the sector, whose mark is its own
		{firstAt, 496, 528},       // one byte displaced
		{firstAt + 496, 1, 32},    // the header ends the sector
		{firstAt + 320, 300, 320}, // across two sectors
	}
	for _, c := range cases {
		if got := recordBytes(c.off, c.n); got != c.want {
			t.Errorf("%d bytes at %d: %d, want %d", c.n, c.off, got, c.want)
		}
	}
}

func TestBack(t *testing.T) {
	head := make([]byte, headBytes)
	cases := []struct{ at, durable, want LSN }{
		{0x1000, 0x1000, 0x1000},
		{0x1000, 0x10, 0x10},
		{1 << 40, 16, 0}, // too far for four bytes
		{1 << 40, 1<<40 - noBack + 15, 1<<40 - noBack + 15},
	}
	for _, c := range cases {
		little.PutUint32(head[atBack:], backTo(c.at, c.durable))
		if got := durableBefore(head, c.at); got != c.want {
			t.Errorf("at %s, durable to %s: %s", c.at, c.durable, got)
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	s := ID{1}.seeds()
	rapid.Check(t, func(t *rapid.T) {
		at := LSN(rapid.Uint64Range(0, 1<<60).Draw(t, "at")) * Align
		far := LSN(rapid.Uint64Range(1, 1<<31-1).Draw(t, "distance")) * Align
		if s.at(at) == s.at(at+far) {
			t.Fatalf("%s and %s have the same", at, at+far)
		}
	})
}
