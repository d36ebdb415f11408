package sim_test

import (
	"testing"

	"github.com/mqhk/mqhk/core/sim"
)

func TestShows(t *testing.T) {
	cases := []struct {
		argv  []string
		stdin string
		want  bool
	}{
		{[]string{"dspmq", "-m", "QM1", "-o", "status"}, "", true},
		{[]string{"/opt/mqm/bin/dspmqver"}, "", true},
		{[]string{"dmpmqlog", "-m", "QM1", "-b"}, "", true},
		{[]string{"runmqsc", "QM1"}, "DISPLAY QMSTATUS ALL\nend\n", true},
		{[]string{"runmqsc", "QM1"}, "", true},
		{[]string{"runmqsc", "QM1"}, "DIS QL(*) +\n  CURDEPTH\n* a note\nDIS CONN(*) ALL\n", true},
		{[]string{"runmqsc", "QM1"}, "DIS QL(*)\nDEFINE QLOCAL(A)\n", false},
		{[]string{"runmqsc", "QM1"}, "SET LOG ARCHIVED(S0000001.LOG)\n", false},
		{[]string{"runmqsc", "QM1"}, "DIS QL('unclosed\n", false},
		{[]string{"rcdmqimg", "-m", "QM1", "-t", "all", "*"}, "", false},
		{[]string{"rcrmqobj", "-m", "QM1", "-t", "queue", "A"}, "", false},
		{[]string{"strmqm", "QM1"}, "", false},
		{[]string{"dspmqwhat"}, "", false},
		{nil, "", false},
	}
	for _, c := range cases {
		if got := sim.Shows(c.argv, []byte(c.stdin)); got != c.want {
			t.Errorf("%q with %q: %v", c.argv, c.stdin, got)
		}
	}
}
