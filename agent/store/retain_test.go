package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// line places extents by their distance back from the current one, modulo ten
// millions (case 17), those of one incarnation alone.
func line(current int, incarnation string) End {
	return func(c recovery.Copy) (recovery.Position, bool) {
		number, err := strconv.Atoi(strings.Trim(c.Segment.Name, "S.LOG"))
		if err != nil || c.Incarnation != incarnation {
			return 0, false
		}
		return placeOf(current, number), true
	}
}

func placeOf(current, number int) recovery.Position {
	return recovery.Position(10_000_000 - (current-number+10_000_000)%10_000_000)
}

// extentsOf gives entries of extents, by their numbers.
func extentsOf(incarnation string, numbers ...int) []Entry {
	var entries []Entry
	for _, n := range numbers {
		c := recovery.Copy{Segment: extent(fmt.Sprintf("S%07d.LOG", n)).ID, Incarnation: incarnation, Verified: true}
		entries = append(entries, Entry{Copy: c})
	}
	return entries
}

// going gives the numbers of what goes, in its order.
func going(fates []Fate) []int {
	var numbers []int
	for _, f := range fates {
		if f.Goes {
			n, _ := strconv.Atoi(strings.Trim(f.Entry.Copy.Segment.Name, "S.LOG"))
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func TestPrunable(t *testing.T) {
	need := func(kind recovery.NeedKind, current, number int) recovery.Need {
		return recovery.Need{Kind: kind, From: placeOf(current, number), Name: fmt.Sprintf("S%07d.LOG", number)}
	}
	wrap := extentsOf("1", 0, 1, 9999995, 9999996, 9999997, 9999998, 9999999) // as names sort
	hundred := extentsOf("1", 100, 101, 102, 111, 112, 113, 119, 120, 121)
	damaged := slices.Clone(hundred)
	damaged[1].Problem = ErrDamaged
	damaged[2].Copy.Verified = false
	for name, test := range map[string]struct {
		entries []Entry
		current int
		needs   []recovery.Need
		want    []int
	}{
		"over the wrap (case 17)":                      {wrap, 3, []recovery.Need{need(recovery.Restart, 3, 1), need(recovery.Media, 3, 9999998)}, []int{9999995, 9999996, 9999997}},
		"restart older than media (case 18)":           {hundred, 130, []recovery.Need{need(recovery.Restart, 130, 112), need(recovery.Media, 130, 120)}, []int{100, 101, 102, 111}},
		"a data backup older than both (scenario l)":   {hundred, 130, []recovery.Need{need(recovery.Restart, 130, 120), need(recovery.Media, 130, 120), need(recovery.DataBackup, 130, 102)}, []int{100, 101}},
		"a backup queue manager that has not replayed": {hundred, 130, []recovery.Need{need(recovery.Media, 130, 120), need(recovery.Replay, 130, 101)}, []int{100}},
		"a hold on all":                                {hundred, 130, []recovery.Need{need(recovery.Media, 130, 120), {Kind: recovery.Hold, From: 1}}, nil},
		"a need from before all that is known":         {hundred, 130, []recovery.Need{need(recovery.Media, 130, 120), {Kind: recovery.Media}}, nil},
		"no need":                                      {hundred, 130, nil, nil},
		"a need of unknown kind":                       {hundred, 130, []recovery.Need{need(recovery.NeedUnknown, 130, 101)}, []int{100}},
		"the very first":                               {hundred, 130, []recovery.Need{need(recovery.Media, 130, 100)}, nil},
		"another incarnation":                          {extentsOf("2", 1, 2), 130, []recovery.Need{need(recovery.Media, 130, 120)}, nil},
		"damaged ones stay":                            {damaged, 130, []recovery.Need{need(recovery.Media, 130, 112)}, []int{100, 111}},
		"all that is in the store":                     {hundred, 200, []recovery.Need{need(recovery.Media, 200, 150)}, []int{100, 101, 102, 111, 112, 113, 119, 120, 121}},
	} {
		fates := Prunable(test.entries, line(test.current, "1"), test.needs...)
		if got := going(fates); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v go, want %v", name, got, test.want)
		}
		if len(fates) != len(test.entries) {
			t.Errorf("%s: %d fates of %d", name, len(fates), len(test.entries))
		}
		for _, f := range fates {
			if f.Why == "" || f.Gone {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

func TestPrunableSaysWhy(t *testing.T) {
	needs := []recovery.Need{
		{Kind: recovery.Restart, From: 20, Name: "S0000020.LOG", Source: "RECLOG"}, {Kind: recovery.DataBackup, From: 12, Name: "S0000012.LOG", Source: "note 17"},
	}
	at := func(c recovery.Copy) (recovery.Position, bool) {
		n, err := strconv.Atoi(c.From)
		return recovery.Position(n), err == nil
	}
	entries := []Entry{
		{Copy: recovery.Copy{From: "30", Verified: true}}, {Copy: recovery.Copy{Verified: true}}, {Copy: recovery.Copy{From: "11", Verified: true}},
		{Copy: recovery.Copy{From: "10"}, Problem: ErrDamaged},
	}
	want := []string{
		"it is not a whole copy, and stays until somebody looks at it: the copy is damaged",
		"it is older than all that is needed, the oldest for data-backup from S0000012.LOG (note 17)",
		"it lies in what is needed for data-backup from S0000012.LOG (note 17)",
		"its place in the log is not known",
	}
	for i, f := range Prunable(entries, at, needs...) {
		if f.Why != want[i] {
			t.Errorf("%d: %q, want %q", i, f.Why, want[i])
		}
	}
}

// Nothing that lies in a range of need goes, whatever else is there; all that
// is older than every range goes, the oldest first; and more needs never let
// more go.
func TestPrunableProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		current := rapid.IntRange(0, 9_999_999).Draw(t, "current")
		back := rapid.SliceOfN(rapid.IntRange(0, 60), 0, 30).Draw(t, "copies")
		var entries []Entry
		for i, b := range back {
			e := extentsOf("1", (current-b+10_000_000)%10_000_000)[0]
			e.Copy.Store = fmt.Sprint(i)
			if rapid.IntRange(0, 5).Draw(t, "damaged") == 0 {
				e.Problem, e.Copy.Verified = ErrDamaged, false
			}
			entries = append(entries, e)
		}
		var needs []recovery.Need
		for _, b := range rapid.SliceOfN(rapid.IntRange(0, 60), 0, 5).Draw(t, "needs") {
			needs = append(needs, recovery.Need{Kind: recovery.NeedKind(rapid.IntRange(0, int(recovery.Hold)).Draw(t, "kind")), From: placeOf(current, (current-b+10_000_000)%10_000_000)}) //nolint:gosec // small
		}
		fates := Prunable(entries, line(current, "1"), needs...)
		last := recovery.Position(0)
		for _, f := range fates {
			at, _ := line(current, "1")(f.Entry.Copy)
			covered := slices.ContainsFunc(needs, func(n recovery.Need) bool { return at >= n.From })
			if want := len(needs) > 0 && !covered && f.Entry.Problem == nil; f.Goes != want {
				t.Fatalf("%+v goes: %t, want %t", f.Entry.Copy, f.Goes, want)
			}
			if at < last {
				t.Fatal("a newer one comes before an older one")
			}
			last = at
		}
		if len(needs) > 0 && len(going(Prunable(entries, line(current, "1"), needs[1:]...))) < len(going(fates)) && len(needs) > 1 {
			t.Fatal("one need less lets fewer go")
		}
	})
}

func storedExtents(t *testing.T, numbers ...int) *Directory {
	t.Helper()
	d := newStore(t, compressing)
	for _, n := range numbers {
		number := fmt.Sprintf("%07d", n)
		put(t, d, extent("S"+number+".LOG"), Facts{First: number, Last: number, Incarnation: "1"}, []byte(number))
	}
	return d
}

func TestPrune(t *testing.T) {
	d := storedExtents(t, 9999997, 9999998, 9999999, 0, 1)
	media := recovery.Need{Kind: recovery.Media, From: placeOf(3, 9999999)}
	fates, err := d.Prune(t.Context(), "ORDERS", line(3, "1"), media)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range fates {
		if f.Gone != (i < 2) || f.Goes != f.Gone {
			t.Errorf("%d: %+v", i, f)
		}
	}
	copies, problems := listed(d, "ORDERS")
	if len(copies) != 3 || len(problems) != 0 || len(filesOf(t, d, "*999999[78]*")) != 0 {
		t.Errorf("%+v, %v", copies, problems)
	}
	if _, err := d.Prune(t.Context(), "", line(3, "1"), media); err == nil {
		t.Error("of no queue manager")
	}
}

// A manifest that can't be read may stand for anything: nothing goes.
func TestPruneWithAManifestThatCannotBeRead(t *testing.T) {
	d := storedExtents(t, 1, 2, 3)
	edit(t, filesOf(t, d, "*S0000003*.json")[0], flip)
	fates, err := d.Prune(t.Context(), "ORDERS", line(9, "1"), recovery.Need{Kind: recovery.Media, From: placeOf(9, 3)})
	if is(t, err, ErrManifest); len(going(fates)) != 2 {
		t.Errorf("%+v", fates)
	}
	if copies, _ := listed(d, "ORDERS"); len(copies) != 2 || fates[0].Gone {
		t.Errorf("%+v are left", copies)
	}
}

// A removal that fails ends it: the newer ones stay.
func TestPruneStopsWhereItFails(t *testing.T) {
	files := crashdisk.New()
	d := onDisk(files, true)
	for _, n := range []string{"1", "2", "3", "4"} {
		put(t, d, extent("S000000"+n+".LOG"), Facts{First: n, Last: n, Incarnation: "1"}, []byte(n))
	}
	broken := errors.New("broken")
	files.Fault(func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Rename && strings.Contains(op.Name, "S0000002") {
			return broken
		}
		return nil
	})
	fates, err := d.Prune(t.Context(), "ORDERS", line(9, "1"), recovery.Need{Kind: recovery.Media, From: placeOf(9, 4)})
	if is(t, err, broken); !slices.Equal(going(fates), []int{1, 2, 3}) || !fates[0].Gone || fates[1].Gone || fates[2].Gone {
		t.Errorf("%+v", fates)
	}
	files.Fault(nil)
	copies, problems := listed(d, "ORDERS")
	if len(copies) != 3 || len(problems) != 0 {
		t.Errorf("%+v, %v", copies, problems)
	}
	for _, c := range copies {
		if err := d.Verify(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
}
