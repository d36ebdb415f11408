package wal

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// Only what a preparation makes or has begun, and on reuse a segment of the log
// itself, is a file to write a segment in.
func TestVacant(t *testing.T) {
	own, other := ID{1}, ID{2}
	l := Layout{Name: "s", Size: 4096}
	const whole = firstAt + 4096
	segment := func(id ID) []byte {
		h := header{ID: id, Start: First, Size: l.Size}
		return append(h.encode(), make([]byte, whole-sector)...)
	}
	torn := segment(own)
	torn[sector-1] = 0
	damaged := segment(own)
	damaged[100] ^= 1
	for name, c := range map[string]struct {
		content      []byte
		fresh, reuse bool // whether it may be taken
	}{
		"empty":                 {nil, true, true},
		"zeros":                 {make([]byte, whole), true, true},
		"fewer zeros":           {make([]byte, 5000), true, true},
		"more zeros":            {make([]byte, whole+1), false, false},
		"a note":                {[]byte("some note"), false, false},
		"a short file":          {append(make([]byte, 5000), 1), false, false},
		"noise of its length":   {slices.Repeat([]byte{7}, whole), false, false},
		"half a header":         {torn, true, true},
		"half a header, short":  {torn[:sector], false, false},
		"own":                   {segment(own), false, true},
		"own, a damaged header": {damaged, false, true},
		"another log's":         {segment(other), false, false},
	} {
		d := crashdisk.New()
		d.Put("s", c.content)
		open := func(name string) (Source, error) { return d.Open(name) }
		for _, reuse := range []bool{false, true} {
			l.Reuse = reuse
			want := c.fresh
			if reuse {
				want = c.reuse
			}
			if err := Vacant(open, l, own); (err == nil) != want || err != nil && !errors.Is(err, ErrOccupied) {
				t.Errorf("%s, reuse %t: %v", name, reuse, err)
			}
		}
	}
	open := func(name string) (Source, error) { return crashdisk.New().Open(name) }
	if err := Vacant(open, l, own); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrOccupied) {
		t.Errorf("none: %v", err)
	}
}
