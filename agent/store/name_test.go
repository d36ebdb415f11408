package store

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

func TestEncode(t *testing.T) {
	for name, want := range map[string]string{
		"ORDERS": "ORDERS", "qm1": "+Q+M1", "Qm_1": "Q+M_1", "": "=", ".": "=2E", "..": "=2E=2E", "../../etc": "=2E=2E=2F=2E=2E=2F+E+T+C",
		"A/B": "A=2FB", `A\B`: "A=5CB", "A.LOG": "A=2ELOG", "NUL": "=4EUL", "COM1": "=43OM1", "LPT9": "=4CPT9", "COM10": "COM10", "NULL": "NULL",
		"nul": "+N+U+L", "A B": "A=20B", "$#@": "=24=23=40", "=4EUL": "=3D4EUL", "+Q": "=2BQ", "-rf": "=2D+R+F", "A:B": "A=3AB", "Ä": "=C3=84",
	} {
		if got := encode(name); got != want {
			t.Errorf("%q gives %q, want %q", name, got, want)
		}
	}
	long := encode(strings.Repeat("a", 255))
	if len(long) > longestPart || long == encode(strings.Repeat("a", 254)) {
		t.Errorf("%q", long)
	}
}

var safePart = regexp.MustCompile(`^[A-Z0-9_+=@]{1,64}$`)

func FuzzEncode(f *testing.F) {
	for _, seed := range [][2]string{{"QM1", "qm1"}, {"..", "=2E=2E"}, {"NUL", "=4EUL"}, {"A\x00", "A"}, {strings.Repeat(".", 255), strings.Repeat(".", 254)}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, name := range []string{a, b} {
			part := encode(name)
			if !safePart.MatchString(part) || isDevice(part) {
				t.Errorf("%q gives %q", name, part)
			}
			if len(name) < 20 && decode(part) != name {
				t.Errorf("%q gives %q, which is %q", name, part, decode(part))
			}
		}
		if a != b && strings.EqualFold(encode(a), encode(b)) {
			t.Errorf("%q and %q both give %q", a, b, encode(a))
		}
	})
}

// decode is what proves that encode loses nothing, but for long names.
func decode(part string) string {
	var name strings.Builder
	for i := 0; i < len(part) && part != "="; i++ {
		switch part[i] {
		case '+':
			i++
			name.WriteByte(part[i] - 'A' + 'a')
		case '=':
			name.WriteByte(byte(strings.IndexByte(upperHex, part[i+1])<<4 | strings.IndexByte(upperHex, part[i+2])))
			i += 2
		default:
			name.WriteByte(part[i])
		}
	}
	return name.String()
}

// Every path of a copy lies below its store, whatever it is called.
func FuzzPaths(f *testing.F) {
	f.Add("ORDERS", "QMORDERS", "AMQA000007")
	f.Add("..", "/", "NUL")
	f.Add(strings.Repeat("x", 255), strings.Repeat("/", 255), strings.Repeat("Z", 255))
	f.Fuzz(func(t *testing.T, manager, library, name string) {
		m := Manifest{QueueManager: manager, Library: library, Segment: name, Form: Plain, Encoding: Zstd, SHA256: digestOf(nil)}
		for _, path := range []string{m.contentPath(), m.identity().manifestPath()} {
			if !filepath.IsLocal(path) || strings.Count(path, "/") != 1 || len(filepath.Base(path)) > 240 {
				t.Errorf("%+v lies in %q", m.ID(), path)
			}
		}
	})
}

func TestHostileNames(t *testing.T) {
	d := newStore(t)
	names := []string{"..", "../../x", "/", "NUL", "nul", "con.txt", "A.", "A", "a", ".", "~", "%", strings.Repeat("N", 255), strings.Repeat("n", 255), "x\u0308", "\u1e8d"}
	for _, name := range names {
		segment := recovery.Segment{ID: recovery.SegmentID{QueueManager: name, Library: name, Name: name}}
		c := put(t, d, segment, facts(), []byte(name))
		if got, err := restored(d, c); string(got) != name || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
		if copies, problems := listed(d, name); len(copies) != 1 || copies[0].Segment != segment.ID || len(problems) != 0 {
			t.Errorf("%q: %+v, %v", name, copies, problems)
		}
	}
	if copies, problems := listed(d, ""); len(copies) != len(names) || len(problems) != 0 {
		t.Errorf("%d of %d, %v", len(copies), len(names), problems)
	}
	if outside, err := filepath.Glob(filepath.Join(filepath.Dir(d.path), "*")); err != nil || len(outside) != 1 {
		t.Errorf("beside the store: %v, %v", outside, err)
	}
}
