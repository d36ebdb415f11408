package bsds_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/bsds"
)

// wrapped is a BSDS whose oldest archives were overlaid, with one missing in the
// middle, and a current active log.
func wrapped(t *testing.T) bsds.Print {
	return bsds.Print{
		HighestWritten: rbas(t, "000000062ABC")[0],
		Archive: [2][]bsds.Log{{
			from(t, log(t, "Q.ARC1.A3", "000000020000", "00000002FFFF", "", "", "", ""), "E4B170000000", "E4B180000000"),
			from(t, log(t, "Q.ARC1.A5", "000000040000", "00000004FFFF", "", "", "", ""), "E4B190000000", "E4B1A0000000"),
			from(t, log(t, "Q.ARC1.A6", "000000050000", "000000055FFF", "", "", "", ""), "E4B1A0000000", "E4B1B0000000"),
		}, {
			from(t, log(t, "Q.ARC2.A6", "000000050000", "000000055FFF", "", "", "", ""), "E4B1A0000000", "E4B1B0000000"),
		}},
		Active: [2][]bsds.Log{{
			from(t, log(t, "Q.LOG1.DS01", "000000050000", "000000055FFF", "", "", "", bsds.Reusable), "E4B1A0000000", "E4B1B0000000"),
			from(t, log(t, "Q.LOG1.DS02", "000000056000", "00000006FFFF", "", "", "", bsds.NotReusable), "E4B1B0000001", "FFFFFFFFFFFF"),
			log(t, "Q.LOG1.DS03", "", "", "", "", "", bsds.New),
		}},
	}
}

func TestFind(t *testing.T) {
	p := wrapped(t)
	cases := []struct {
		rba     string
		where   bsds.Where
		holding int
	}{
		{"00000001FFFF", bsds.Dropped, 0},
		{"000000020000", bsds.InArchive, 1},
		{"00000002FFFF", bsds.InArchive, 1},
		{"000000030000", bsds.Missing, 0},
		{"00000004FFFF", bsds.InArchive, 1},
		{"000000050000", bsds.InArchive, 3}, // both copies, and the active log it came from
		{"000000055FFF", bsds.InArchive, 3},
		{"000000056000", bsds.InActive, 1},
		{"000000062ABD", bsds.InActive, 1}, // the BSDS is told late how far the log is written
		{"00000006FFFF", bsds.InActive, 1},
		{"000000070000", bsds.Ahead, 0},
		{"0000000000050000", bsds.Unclear, 0},
		{"", bsds.Unclear, 0},
	}
	for _, c := range cases {
		rba := rbas(t, c.rba)[0]
		if where, places := p.Find(rba), p.Holding(rba); where != c.where || len(places) != c.holding {
			t.Errorf("%s is %s, in %d data sets; want %s, in %d", c.rba, where, len(places), c.where, c.holding)
		}
	}
	var nothing bsds.Print
	if where := nothing.Find(rbas(t, "000000020000")[0]); where != bsds.Unclear {
		t.Errorf("an empty inventory says %s", where)
	}
}

// Holding gives exactly those whose range holds the place: of a log without gaps
// some data set always does.
func TestHolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPrint(t)
		var all []bsds.Log
		for i := range bsds.Copies {
			all = append(append(all, p.Archive[i]...), p.Active[i]...)
		}
		first, last := all[0].Start, p.HighestWritten
		place, err := first.Add(rapid.Uint64Range(0, last.Value()-first.Value()).Draw(t, "place"))
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, log := range all {
			if log.Start.Known() && log.Start.Value() <= place.Value() && place.Value() <= log.End.Value() {
				want++
			}
		}
		if got := p.Holding(place); len(got) != want || want == 0 {
			t.Fatalf("%s is in %d data sets, want %d", place, len(got), want)
		}
		cover, ok := p.Cover(first, last)
		if !ok || !cover.Whole() {
			t.Fatalf("the log from %s to %s has gaps: %v", first, last, cover.Gaps)
		}
	})
}

func TestHoldingLRSN(t *testing.T) {
	p := wrapped(t)
	cases := []struct {
		lrsn string
		want []string
	}{
		{"E4B170000000", []string{"Q.ARC1.A3"}},
		{"E4B180000001", nil},
		{"E4B1A0000000", []string{"Q.ARC1.A5", "Q.ARC1.A6", "Q.ARC2.A6", "Q.LOG1.DS01"}}, // the end of one and the start of the next
		{"E4B1B0000001", []string{"Q.LOG1.DS02"}},
		{"F00000000000", []string{"Q.LOG1.DS02"}}, // it is still written
		{"00E4B1A000000000", nil},
	}
	for _, c := range cases {
		var got []string
		for _, place := range p.HoldingLRSN(lrsns(t, c.lrsn)[0]) {
			got = append(got, place.Log.DataSet)
		}
		same(t, c.lrsn, got, c.want)
	}
}

// Every archive whose ENDLRSN is not before an LRSN is kept, and those of which
// nothing is known (reference 3.6).
func TestArchivesFrom(t *testing.T) {
	p := wrapped(t)
	p.Archive[0] = append(p.Archive[0], log(t, "Q.ARC1.OLD", "000000010000", "00000001FFFF", "", "", "", ""))
	same(t, "E4B1A0000000", names(p.ArchivesFromLRSN(1, lrsns(t, "E4B1A0000000")[0])), []string{"Q.ARC1.A5", "Q.ARC1.A6", "Q.ARC1.OLD"})
	same(t, "another width", names(p.ArchivesFromLRSN(1, lrsns(t, "00E4B1A000000000")[0])), names(p.Archive[0]))
	same(t, "not known", names(p.ArchivesFrom(1, bsds.RBA{})), names(p.Archive[0]))
	same(t, "000000050000", names(p.ArchivesFrom(1, rbas(t, "000000050000")[0])), []string{"Q.ARC1.A6"})
	same(t, "00000004FFFF", names(p.ArchivesFrom(1, rbas(t, "00000004FFFF")[0])), []string{"Q.ARC1.A5", "Q.ARC1.A6"})
	same(t, "copy 2", names(p.ArchivesFrom(2, rbas(t, "000000020000")[0])), []string{"Q.ARC2.A6"})
	same(t, "copy 3", names(p.ArchivesFrom(3, rbas(t, "000000020000")[0])), nil)
}

func TestCover(t *testing.T) {
	p := wrapped(t)
	cases := []struct {
		from, to string
		archives int
		gaps     []string
	}{
		{"000000040000", "000000062ABC", 3, nil},
		{"000000020000", "00000004FFFF", 2, []string{"000000030000-00000003FFFF"}},
		{"000000010000", "000000020000", 1, []string{"000000010000-00000001FFFF"}},
		{"00000006FFFF", "000000070001", 0, []string{"000000070000-000000070001"}},
		{"000000031000", "000000032000", 0, []string{"000000031000-000000032000"}},
	}
	for _, c := range cases {
		cover, ok := p.Cover(rbas(t, c.from)[0], rbas(t, c.to)[0])
		var gaps []string
		for _, gap := range cover.Gaps {
			gaps = append(gaps, gap.From.String()+"-"+gap.To.String())
		}
		if !ok || len(cover.Archives) != c.archives || cover.Whole() != (len(c.gaps) == 0) {
			t.Errorf("%s to %s: %d archives, whole %v", c.from, c.to, len(cover.Archives), cover.Whole())
		}
		same(t, c.from+" to "+c.to, gaps, c.gaps)
	}
	for _, wrong := range [][2]string{{"000000050000", "000000040000"}, {"", "000000040000"}, {"0000000000040000", "0000000000050000"}} {
		if _, ok := p.Cover(rbas(t, wrong[0])[0], rbas(t, wrong[1])[0]); ok {
			t.Errorf("%v was covered", wrong)
		}
	}
}

// What RECOVER reads of a member begins in the data set of the LRSN's time.
func TestCoverLRSN(t *testing.T) {
	p := wrapped(t)
	cases := []struct {
		lrsn, from string
		whole, ok  bool
	}{
		{"E4B1A0000001", "000000050000", true, true},
		{"E4B190000000", "000000040000", true, true},
		{"E4B188000000", "000000030000", false, true}, // the data set of that time is missing
		{"E4B175000000", "000000020000", false, true},
		{"E4B160000000", "", false, false}, // the inventory begins later
		{"E4B1C0000000", "000000056000", true, true},
		{"00E4B1A000000000", "", false, false},
		{"", "", false, false},
	}
	for _, c := range cases {
		cover, ok := p.CoverLRSN(lrsns(t, c.lrsn)[0])
		if ok != c.ok || cover.Whole() != c.whole || cover.Range.From.String() != c.from {
			t.Errorf("%s: from %s, whole %v, %v; want %s, %v, %v", c.lrsn, cover.Range.From, cover.Whole(), ok, c.from, c.whole, c.ok)
		}
	}
	p.Archive[0][2].StartLRSN, p.Archive[0][2].EndLRSN = bsds.LRSN{}, bsds.LRSN{}
	if _, ok := p.CoverLRSN(lrsns(t, "E4B190000000")[0]); ok {
		t.Error("an archive without LRSNs behind the need was passed over")
	}
}

// Trap 17 and case 53: in an archived BSDS the newest log is only an active one.
func TestNewest(t *testing.T) {
	p := labelled(t)
	newest, activeOnly, ok := p.Newest()
	if !ok || !activeOnly || newest.Log.DataSet != "MQM2.LOGCOPY1.DS02" || newest.Log.Start.String() != "000000056000" {
		t.Errorf("got %+v, %v, %v", newest, activeOnly, ok)
	}
	end, err := bsds.TruncationRBA(newest.Log.End)
	if err != nil || end.String() != "000000063000" {
		t.Errorf("CRESTART ENDRBA=%s, %v, want 000000063000", end, err)
	}
	running := wrapped(t)
	if newest, activeOnly, ok := running.Newest(); !ok || activeOnly || newest.Log.DataSet != "Q.ARC1.A6" {
		t.Errorf("of a running queue manager: %+v, %v, %v", newest, activeOnly, ok)
	}
	if _, _, ok := new(bsds.Print).Newest(); ok {
		t.Error("an empty inventory has a newest log")
	}
}

func names(logs []bsds.Log) []string {
	var names []string
	for _, log := range logs {
		names = append(names, log.DataSet)
	}
	return names
}

func same(t *testing.T, name string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %v, want %v", name, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: got %v, want %v", name, got, want)
			return
		}
	}
}
