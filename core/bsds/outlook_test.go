package bsds_test

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
)

// Case 42: 1000 entries at 60 an hour last 16.7 hours.
func TestLasting(t *testing.T) {
	cases := []struct {
		room    int
		perHour float64
		want    time.Duration
		ok      bool
	}{
		{1000, 60, 16*time.Hour + 40*time.Minute, true},
		{500, 1, 500 * time.Hour, true},
		{10, 24, 25 * time.Minute, true},
		{0, 24, 0, true},
		{1000, 0, 0, false},
		{1000, -1, 0, false},
		{-1, 1, 0, false},
		{1000, 1e-300, 1<<63 - 1, true},
	}
	for _, c := range cases {
		if got, ok := bsds.Lasting(c.room, c.perHour); got != c.want || ok != c.ok {
			t.Errorf("%d at %g an hour last %s, %v, want %s, %v", c.room, c.perHour, got, ok, c.want, c.ok)
		}
	}
}

// The inventory of case 42 in full: room for 1000, one a minute.
func TestUntil(t *testing.T) {
	var p bsds.Print
	for i := range 1000 {
		start, _ := bsds.NewRBA(uint64(i+1)*0x1000, bsds.Six)
		end, _ := start.Add(0xFFF)
		p.Archive[0] = append(p.Archive[0], bsds.Log{DataSet: "A", Start: start, End: end,
			EndTime: time.Date(2026, 1, 28, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute)})
	}
	rate, ok := p.PerHour(1, 2*time.Hour)
	if !ok || rate != 60 {
		t.Fatalf("%g an hour, %v, want 60", rate, ok)
	}
	if inventory := p.Inventory(1); inventory.Entries != 1000 || inventory.Oldest.Start.String() != "000000001000" || inventory.Newest.End.String() != "0000003E8FFF" {
		t.Errorf("inventory %+v", inventory)
	}
	cases := []struct {
		name, rba string
		room      int
		want      time.Duration
		ok        bool
	}{
		{"forgotten already", "000000000FFF", 1000, 0, true},
		{"the oldest goes with the next", "000000001000", 1000, time.Minute, true},
		{"the newest goes last", "0000003E8000", 1000, 1000 * time.Minute, true},
		{"there is room", "000000001000", 1500, time.Minute, true}, // MAXARCH is at most 1000
		{"not archived yet", "0000003E9000", 1000, 1000 * time.Minute, true},
		{"MAXARCH was lowered", "000000001000", 10, time.Minute, true},
		{"MAXARCH is not known", "000000001000", 0, 0, false},
		{"not known", "", 1000, 0, false},
	}
	for _, c := range cases {
		if got, ok := p.Until(1, c.room, rate, rbas(t, c.rba)[0]); got != c.want || ok != c.ok {
			t.Errorf("%s: %s, %v, want %s, %v", c.name, got, ok, c.want, c.ok)
		}
	}
	if got, ok := p.Until(2, 1000, rate, rbas(t, "000000001000")[0]); !ok || got != 0 {
		t.Errorf("in copy 2 it lasts %s, %v, want 0: it is not there", got, ok)
	}
	p.Archive[0] = p.Archive[0][:1]
	if _, ok := p.PerHour(1, time.Hour); ok {
		t.Error("one archive has a rate")
	}
	p.Archive[0] = append(p.Archive[0], p.Archive[0][0])
	if rate, ok := p.PerHour(1, time.Hour); ok {
		t.Errorf("two archives of one moment have a rate, %g", rate)
	}
}
