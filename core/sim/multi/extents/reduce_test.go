package extents

import (
	"errors"
	"testing"
)

func TestReduceRing(t *testing.T) {
	full := func(t *testing.T) *rig {
		r := build(t, ring(2, 5))
		r.fill(t, 5) // S0..S5, of which four are secondary
		return r
	}
	for _, c := range []struct {
		name  string
		how   Reduction
		back  int // records that the restart needs besides the last
		want  int
		short bool
	}{
		{"one", ReduceOne, 0, 1, false},
		{"two", 2, 0, 2, false},
		{"all", ReduceMax, 0, 3, false}, // S5 is current
		{"more than there are", 7, 0, 3, true},
		{"needed ones stay", ReduceMax, 2, 1, false},
		{"all are needed", ReduceOne, 100, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := full(t)
			if c.back < 100 {
				_, err := r.pass(c.back, 0)
				must(t, err)
			}
			before := len(r.active(t))
			got, err := r.log.Reduce(c.how)
			if got != c.want || errors.Is(err, ErrNotReduced) != c.short || !c.short && err != nil {
				t.Errorf("%d removed, %v; want %d", got, err, c.want)
			}
			if len(r.active(t)) != before-c.want {
				t.Errorf("%v are left of %d", r.active(t), before)
			}
			must(t, r.reopen())
		})
	}
}

func TestReduceLine(t *testing.T) {
	for _, c := range []struct {
		name  string
		m     Management
		how   Reduction
		want  int
		fails error
	}{
		{"manual", Manual, ReduceOne, 0, ErrLogType},
		{"one", Automatic, ReduceOne, 1, nil},
		{"all", Automatic, ReduceMax, 3, nil},
		{"what the load leaves", Archive, ReduceAuto, 2, nil},
		{"more than there are", Archive, 4, 3, ErrNotReduced},
		{"none", Automatic, 0, 0, ErrNotReduced},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := build(t, line(c.m, 4, 2)) // three for reuse
			got, err := r.log.Reduce(c.how)
			if got != c.want || !errors.Is(err, c.fails) {
				t.Errorf("%d removed, %v; want %d, %v", got, err, c.want, c.fails)
			}
			must(t, r.reopen())
			r.fill(t, 3)
		})
	}
}
