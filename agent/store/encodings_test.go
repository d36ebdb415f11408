package store

import (
	"bytes"
	"errors"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/mqhk/mqhk/core/recovery"
)

// putOld keeps a content as it was compressed before there were frames: one
// zstd stream, and a manifest that knows of no frames.
func putOld(tb testing.TB, d *Directory, segment recovery.Segment, facts Facts, content []byte) recovery.Copy {
	tb.Helper()
	facts.Form = Plain
	m, err := newManifest(segment, facts, made)
	if err != nil {
		tb.Fatal(err)
	}
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed, zstd.WithWindowSize(4<<20))
	if err != nil {
		tb.Fatal(err)
	}
	_, err = z.Write(content)
	if err := errors.Join(err, z.Close()); err != nil {
		tb.Fatal(err)
	}
	m.Encoding, m.Bytes, m.SHA256, m.StoredBytes = Zstd, int64(len(content)), digestOf(content), int64(packed.Len())
	if err := errors.Join(d.files.MkdirAll(folderOf(m.QueueManager)), writeWhole(d.files, m.contentPath(), packed.Bytes()), d.write(m)); err != nil {
		tb.Fatal(err)
	}
	return m.copyIn(d.name, true)
}

func putNew(tb testing.TB, d *Directory, segment recovery.Segment, facts Facts, content []byte) recovery.Copy {
	tb.Helper()
	c, err := d.Put(tb.Context(), segment, facts, bytes.NewReader(content))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// encodings are the ways in which a content is kept, or was.
var encodings = map[string]struct {
	compress bool
	put      func(testing.TB, *Directory, recovery.Segment, Facts, []byte) recovery.Copy
}{
	"as it is":   {false, putNew},
	"frames":     {true, putNew},
	"one stream": {true, putOld},
}
