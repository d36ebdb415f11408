package observe

import (
	"errors"
	"strings"
	"testing"
)

const poolRows = "ASP_NUMBER,ASP_TYPE,TOTAL_CAPACITY,TOTAL_CAPACITY_AVAILABLE\n1,SYSTEM,70564,21034\n2,USER,1000,0\n3,USER,0,0\n4,USER,10,11\n5,USER,ten,1\n"

func TestReadSpace(t *testing.T) {
	space := func(key, body string) *system { return &system{answers: map[string]string{key: body}} }
	const view, pools = "SPACE QM1: *SYSTEM", "SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='1'"
	tests := []struct {
		name   string
		system *system
		asp    int
		want   PoolSpace
		says   string // of the error; empty: none
	}{
		{"the view", space(view, "size 64000000\nfree 1000\n"), 1, PoolSpace{Size: 64000000, Free: 1000}, ""},
		{"in another layout", space(view, "\r\nFREE\t0 bytes\r\nSIZE 5 bytes\r\nused 5\r\n"), 1, PoolSpace{Size: 5}, ""},
		{"without a limit", space(view, "size *NOMAX\nfree *NOMAX\n"), 1, PoolSpace{Unlimited: true}, ""},
		{"a user pool", space("SPACE QM1: 2", "size 10\nfree 9\n"), 2, PoolSpace{Size: 10, Free: 9}, ""},
		{"the service", space(pools, poolRows), 1, PoolSpace{Size: 70564 * million, Free: 21034 * million}, ""},
		{"a full pool", space("SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='2'", poolRows), 2, PoolSpace{Size: 1000 * million}, ""},

		{"pool not known", space(view, "size 5\nfree 5\n"), 0, PoolSpace{}, "is not known"},
		{"no such number", space(view, "size 5\nfree 5\n"), 256, PoolSpace{}, "is not known"},
		{"nobody answers", &system{}, 1, PoolSpace{}, "not answered: SPACE QM1: *SYSTEM; not answered: SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='1'"},
		{"no size", space(view, "free 5\n"), 1, PoolSpace{}, `size "" and free "5"`},
		{"no number", space(view, "size 5 GiB\nfree 5\n"), 1, PoolSpace{}, `"size 5 GiB" is no number`},
		{"twice", space(view, "size 5\nfree 5\nfree 6\n"), 1, PoolSpace{}, "free twice"},
		{"more free than there is", space(view, "size 5\nfree 6\n"), 1, PoolSpace{}, `free "6"`},
		{"half a limit", space(view, "size *NOMAX\nfree 6\n"), 1, PoolSpace{}, `size "*nomax"`},
		{"no row", space("SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='9'", poolRows), 9, PoolSpace{}, "no row for ASP 9"},
		{"no capacity", space("SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='3'", poolRows), 3, PoolSpace{}, "line 4: 0 of 0"},
		{"more available", space("SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='4'", poolRows), 4, PoolSpace{}, "line 5: 11 of 10"},
		{"capacity in words", space("SQL QM1: QSYS2.ASP_INFO ASP_NUMBER='5'", poolRows), 5, PoolSpace{}, "line 6: TOTAL_CAPACITY"},
		{"a column is missing", space(pools, "ASP_NUMBER,TOTAL_CAPACITY\n1,5\n"), 1, PoolSpace{}, "no column TOTAL_CAPACITY_AVAILABLE"},
		{"torn", space(pools, "ASP_NUMBER,\"TOTAL"), 1, PoolSpace{}, "reading the header"},
	}
	for _, test := range tests {
		got, err := ReadSpace(t.Context(), test.system, theTarget, test.asp)
		if got != test.want || (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
	if _, err := ReadSpace(t.Context(), &system{}, theTarget, 1); !errors.As(err, new(*NotAnswered)) {
		t.Errorf("%v does not say that nobody answered", err)
	}
}

func FuzzParseSpace(f *testing.F) {
	for _, body := range []string{"size 64000000\nfree 1000\n", "size *NOMAX\nfree *NOMAX\n", "free 1 bytes\nsize 9223372036854775807\n", "size 1\nsize 1\n", ""} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		space, err := parseSpace(body)
		if space.Size < 0 || space.Free < 0 || space.Free > space.Size || space.Unlimited && space.Size > 0 || err != nil && space != (PoolSpace{}) {
			t.Errorf("%q: %+v, %v", body, space, err)
		}
	})
}

func FuzzReadPool(f *testing.F) {
	f.Add([]byte(poolRows), 1)
	f.Add([]byte("ASP_NUMBER,TOTAL_CAPACITY,TOTAL_CAPACITY_AVAILABLE\n1,1099511627776,1099511627776\n"), 1)
	f.Fuzz(func(t *testing.T, body []byte, asp int) {
		space, err := readPool(body, asp)
		if space.Free < 0 || space.Free > space.Size || space.Unlimited || (err == nil) != (space.Size > 0) {
			t.Errorf("%q: %+v, %v", body, space, err)
		}
	})
}
