package idcams_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/idcams"
)

func TestDeletes(t *testing.T) {
	got, err := idcams.Deletes([]idcams.Doomed{{"QMA1.ARC1.A0000006", 1}, {"QMA1.ARC1.A0000007", 1}})
	want := "DELETE 'QMA1.ARC1.A0000006' NONVSAM NOPURGE\nDELETE 'QMA1.ARC1.A0000007' NONVSAM NOPURGE"
	if err != nil || strings.Join(got, "\n") != want {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := idcams.Deletes(nil); got != nil || err != nil {
		t.Errorf("of nothing: %q, %v", got, err)
	}
}

func TestDeletesRefuses(t *testing.T) {
	var name *idcams.NameError
	var copies *idcams.CopyError
	cases := []struct {
		name   string
		doomed []idcams.Doomed
		want   any
	}{
		{"both copies", []idcams.Doomed{{"A.A1", 1}, {"A.B1", 2}}, &copies},
		{"no copy", []idcams.Doomed{{"A.A1", 0}}, &copies},
		{"a third copy", []idcams.Doomed{{"A.A1", 3}}, &copies},
		{"twice", []idcams.Doomed{{"A.A1", 1}, {"A.A1", 1}}, &name},
		{"nothing", []idcams.Doomed{{"", 1}}, &name},
		{"generic", []idcams.Doomed{{"A.*", 1}}, &name},
		{"generic in a qualifier", []idcams.Doomed{{"A.A%", 1}}, &name},
		{"an apostrophe", []idcams.Doomed{{"A.A' PURGE", 1}}, &name},
		{"two names", []idcams.Doomed{{"A.A B.B", 1}}, &name},
		{"a second line", []idcams.Doomed{{"A.A\nDELETE B", 1}}, &name},
		{"a member", []idcams.Doomed{{"A.A(B)", 1}}, &name},
		{"small letters", []idcams.Doomed{{"a.a1", 1}}, &name},
		{"45 characters", []idcams.Doomed{{strings.Repeat("AAAAAAAA.", 4) + "AAAAAAA.A", 1}}, &name},
		{"an empty qualifier", []idcams.Doomed{{"A..B", 1}}, &name},
		{"a digit first", []idcams.Doomed{{"A.1B", 1}}, &name},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := idcams.Deletes(c.doomed)
			if got != nil || err == nil || !errors.As(err, c.want) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// Every statement is one line that access method services reads whole, deletes
// one data set that is not VSAM, and ends no retention.
func TestDeletesAreHarmless(t *testing.T) {
	qualifier := rapid.StringMatching(`[A-Z@#$][A-Z0-9@#$-]{0,7}`)
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(qualifier, 1, 5).Draw(t, "name"), ".")
		got, err := idcams.Deletes([]idcams.Doomed{{name, 2}})
		if len(name) > 44 {
			if err == nil {
				t.Fatal("too long a name was taken")
			}
			return
		}
		if err != nil || len(got) != 1 || len(got[0]) > 71 || got[0] != "DELETE '"+name+"' NONVSAM NOPURGE" {
			t.Fatalf("got %q, %v", got, err)
		}
	})
}

func FuzzQuote(f *testing.F) {
	for _, name := range []string{"", "A.B", "A'B", "QMA1.ARC1.A0000006", "A.*"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		quoted, err := idcams.Quote(name)
		if err == nil && (quoted != "'"+name+"'" || strings.ContainsAny(name, "'*%() \n\r\t;/&")) {
			t.Fatalf("%q was quoted as %s", name, quoted)
		}
	})
}
