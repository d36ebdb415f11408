package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// twoExtents keeps two extents of one length, as an archive of a log has them,
// and gives the paths of their files.
func twoExtents(t *testing.T, encoding string, pattern string) (d *Directory, first, second string, verify func(name string) error) {
	t.Helper()
	way := encodings[encoding]
	d = newStore(t, func(s *Settings) { s.Compress = way.compress })
	errs := map[string]func() error{}
	for i := range 2 {
		number := fmt.Sprintf("%07d", 7+i)
		facts := Facts{First: number, Last: number, Incarnation: "ORDERS_1"}
		c := way.put(t, d, extent("S"+number+".LOG"), facts, someBytes(uint64(i), 100_000))
		errs[c.Segment.Name] = func() error { return d.Verify(t.Context(), c) }
	}
	return d, filesOf(t, d, "*S0000007*"+pattern)[0], filesOf(t, d, "*S0000008*"+pattern)[0], func(name string) error { return errs[name]() }
}

func swap(t *testing.T, a, b string) {
	t.Helper()
	if err := errors.Join(os.Rename(a, a+".x"), os.Rename(b, a), os.Rename(a+".x", b)); err != nil {
		t.Fatal(err)
	}
}

// The verification of a copy names the segment that is not what it was, whatever
// happened to its files, and of the other nothing.
func TestVerifyNamesEach(t *testing.T) {
	damages := map[string]struct {
		pattern string
		want    error
		both    bool
		do      func(t *testing.T, a, b string)
	}{
		"a flipped byte":      {".segment*", ErrDamaged, false, func(t *testing.T, a, _ string) { edit(t, a, flip) }},
		"a cut file":          {".segment*", ErrDamaged, false, func(t *testing.T, a, _ string) { edit(t, a, func(b []byte) []byte { return b[:len(b)/2] }) }},
		"swapped contents":    {".segment*", ErrDamaged, true, swap},
		"swapped manifests":   {".json", ErrManifest, true, swap},
		"a content in place":  {".segment*", ErrDamaged, false, func(t *testing.T, a, b string) { edit(t, a, func([]byte) []byte { return bytesOf(t, b) }) }},
		"a manifest in place": {".json", ErrManifest, false, func(t *testing.T, a, b string) { edit(t, a, func([]byte) []byte { return bytesOf(t, b) }) }},
	}
	for name, damage := range damages {
		for encoding := range encodings {
			t.Run(name+" "+encoding, func(t *testing.T) {
				d, a, b, verify := twoExtents(t, encoding, damage.pattern)
				damage.do(t, a, b)
				for segment, bad := range map[string]bool{"S0000007.LOG": true, "S0000008.LOG": damage.both} {
					err := verify(segment)
					if !bad {
						if err != nil {
							t.Errorf("%s: %v", segment, err)
						}
						continue
					}
					if is(t, err, damage.want); err == nil || !strings.Contains(err.Error(), segment) {
						t.Errorf("%v does not name %s", err, segment)
					}
				}
				copies, problems := listed(d, "ORDERS")
				verified := 0
				for _, c := range copies {
					if c.Verified {
						verified++
					}
				}
				if want := map[bool]int{true: 0, false: 1}[damage.both]; verified != want || len(copies)+len(problems) != 2 {
					t.Errorf("%d verified of %+v, %v", verified, copies, problems)
				}
			})
		}
	}
}

func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
