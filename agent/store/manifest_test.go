package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/recovery"
)

// whole is a manifest with everything in it.
func whole(tb testing.TB) Manifest {
	tb.Helper()
	f := facts()
	f.Form, f.Origin = SaveFile, "MQSAVF/AMQA000007"
	m, err := newManifest(receiver("AMQA000007"), f, made)
	if err != nil {
		tb.Fatal(err)
	}
	m.Encoding, m.Bytes, m.StoredBytes, m.SHA256 = Zstd, 102821888, 31457280, digestOf([]byte("content"))
	m.Damage = &Damage{Found: made.Add(24 * time.Hour), Why: "its SHA-256 is another"}
	return m
}

// ofExtent is the manifest of a log extent, compressed in frames.
func ofExtent(tb testing.TB) Manifest {
	tb.Helper()
	m, err := newManifest(extent("S0000112.LOG"), Facts{
		First: "112", Last: "112", Incarnation: "ORDERS_2026-05-01_08.00.00 2026-05-01 08.00.02 /var/mqm/log/ORDERS/active/",
		Mode: "0660", Owner: "mqm", Group: "mqm", Form: Plain, Origin: "/var/mqm/log/ORDERS/active/S0000112.LOG",
		Marks: []Mark{{"restart", "S0000140.LOG", "", "RECLOG"}, {"media", "S0000120.LOG", "", "MEDIALOG"}},
	}, made)
	if err != nil {
		tb.Fatal(err)
	}
	m.Encoding, m.Bytes, m.StoredBytes, m.SHA256 = Zstd, 16785408, 3145728, digestOf([]byte("content"))
	m.FrameBytes, m.StoredCRC32C = frameBytes, "0badc0de"
	return m
}

func TestManifestIsWrittenAsDocumented(t *testing.T) {
	for file, m := range map[string]Manifest{"manifest.golden": whole(t), "extent.golden": ofExtent(t)} {
		writtenAs(t, filepath.Join("testdata", file), m)
	}
}

func writtenAs(t *testing.T, path string, m Manifest) {
	t.Helper()
	got, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
	back, err := readManifest(got)
	if diff := cmp.Diff(m, back); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// A field that a later version adds is passed over; the digest covers it.
func TestManifestWithAFieldMore(t *testing.T) {
	raw := `{"queue_manager":"QM1","segment":"S0000007.LOG","form":"segment","bytes":1,"sha256":"` + digestOf(nil) +
		`","stored_bytes":1,"made":"2026-05-28T02:00:00Z","colour":"green"}`
	text := `{"schema":"` + Schema + `","manifest":` + raw + `,"sha256":"` + digestOf([]byte(raw)) + `"}`
	m, err := readManifest([]byte(text))
	if want := (recovery.SegmentID{QueueManager: "QM1", Name: "S0000007.LOG"}); err != nil || m.ID() != want {
		t.Errorf("%+v, %v", m, err)
	}
	_, err = readManifest([]byte(strings.Replace(text, "green", "greed", 1)))
	is(t, err, ErrManifest)
}

func TestManifestThatSaysNothing(t *testing.T) {
	for name, change := range map[string]func(*Manifest){
		"no digest":        func(m *Manifest) { m.SHA256 = "" },
		"short digest":     func(m *Manifest) { m.SHA256 = "6f1e" },
		"upper-case":       func(m *Manifest) { m.SHA256 = strings.ToUpper(m.SHA256) },
		"no bytes":         func(m *Manifest) { m.Bytes = 0 },
		"negative":         func(m *Manifest) { m.StoredBytes = -1 },
		"encoding":         func(m *Manifest) { m.Encoding = "rot13" },
		"form":             func(m *Manifest) { m.Form = "" },
		"no queue manager": func(m *Manifest) { m.QueueManager = "" },
		"a broken time":    func(m *Manifest) { m.Closed = "2026-13-01-00.00.00" },
		"one time":         func(m *Manifest) { m.Closed = "" },
		"a name with ends": func(m *Manifest) { m.Segment = " A" },
		"large frames":     func(m *Manifest) { m.FrameBytes, m.StoredCRC32C = frameBytes+1, "0badc0de" },
		"frames as it is":  func(m *Manifest) { m.FrameBytes, m.StoredCRC32C, m.Encoding = frameBytes, "0badc0de", AsIs },
		"no CRC-32C":       func(m *Manifest) { m.FrameBytes = frameBytes },
	} {
		m := whole(t)
		change(&m)
		text, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readManifest(text); err == nil {
			t.Errorf("%s: accepted", name)
		} else {
			is(t, err, ErrManifest)
		}
	}
}

// What is read is what was written: a manifest that is accepted can be written
// and read again, and lies where its names say.
func FuzzReadManifest(f *testing.F) {
	good, err := whole(f).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(bytes.ReplaceAll(good, []byte("  "), nil))
	f.Add([]byte(`{"schema":"mqhk.manifest/v1","manifest":null,"sha256":""}`))
	f.Add([]byte(`{}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readManifest(text)
		if err != nil {
			is(t, err, ErrManifest)
			return
		}
		again, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := readManifest(again)
		if diff := cmp.Diff(m, back); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if !filepath.IsLocal(m.contentPath()) {
			t.Errorf("%q", m.contentPath())
		}
	})
}

// The readers of what fuzzing can't sign: any facts make a manifest that is
// read as it was, or are refused.
func FuzzNewManifest(f *testing.F) {
	f.Add("ORDERS", "QMORDERS", "AMQA000007", "2026-05-27-12.20.00.000000", "2026-05-27-13.59.00.000000", "1", "2")
	f.Add("QM1", "", "S0000007.LOG", "", "", "", "")
	f.Add("<&>", "\u2028", "\x00", "0", "1", "\xff", "-")
	f.Fuzz(func(t *testing.T, manager, library, name, opened, closed, first, last string) {
		segment := recovery.Segment{ID: recovery.SegmentID{QueueManager: manager, Library: library, Name: name}}
		m, err := newManifest(segment, Facts{Opened: opened, Closed: closed, First: first, Last: last, Form: Plain}, made)
		if err != nil {
			is(t, err, ErrSegment)
			return
		}
		m.Bytes, m.SHA256 = 1, digestOf(nil)
		text, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := readManifest(text)
		if diff := cmp.Diff(m, back); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if identityOf(back.copyIn("vault", true)) != m.identity() {
			t.Errorf("the copy of %+v is not found again", m)
		}
	})
}
