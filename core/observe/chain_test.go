package observe

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
	"pgregory.net/rapid"
)

// receiversOf makes receivers from words "name@minute" with optional links
// "<previous" and ">next", the minute counted from noon; each was detached a
// minute later, "name@minute-minute" says otherwise. A library other than
// LIBA stands in front: "LIBB/1@0". A minute that is missing makes one that
// was never attached.
func receiversOf(words string) []Receiver {
	noon := time.Date(2026, 5, 27, 12, 0, 0, 0, time.UTC)
	id := func(text string) recovery.SegmentID {
		if library, name, ok := strings.Cut(text, "/"); ok {
			return recovery.SegmentID{Library: library, Name: name}
		}
		return recovery.SegmentID{Library: "LIBA", Name: text}
	}
	var receivers []Receiver
	for word := range strings.FieldsSeq(words) {
		var next, previous string
		word, next, _ = strings.Cut(word, ">")
		word, previous, _ = strings.Cut(word, "<")
		name, minutes, attached := strings.Cut(word, "@")
		r := Receiver{ID: id(name), State: recovery.Saved}
		if previous != "" {
			r.Previous = id(previous)
		}
		if next != "" {
			r.Next = id(next)
		}
		if attached {
			var from, to float64
			if n, _ := fmt.Sscanf(minutes, "%f-%f", &from, &to); n < 2 {
				to = from + 1
			}
			r.Attach = Stamp{noon.Add(time.Duration(from * float64(time.Minute)))}
			r.Detach = Stamp{noon.Add(time.Duration(to * float64(time.Minute)))}
		} else {
			r.State = recovery.Empty
		}
		receivers = append(receivers, r)
	}
	return receivers
}

// shown writes a chain: names, a bar at each break, empty ones in brackets.
func shown(c chainOf) string {
	var list []string
	for i, r := range c.receivers {
		if slices.Contains(c.breaks, i) {
			list = append(list, "|")
		}
		list = append(list, strings.TrimPrefix(r.ID.String(), "LIBA/"))
	}
	for _, r := range c.empty {
		list = append(list, "("+r.ID.Name+")")
	}
	return strings.Join(list, " ")
}

func TestOrderChain(t *testing.T) {
	tests := []struct{ name, receivers, want string }{
		{"by links", "c@3<b b@2<a>c a@1>b", "a b c"},
		{"by next links alone", "c@3 b@2>c a@1>b", "a b c"},
		{"by previous links alone", "c@3<b b@2<a a@1", "a b c"},
		{"links win over times: the clock went back", "c@2<b b@3<a>c a@1>b", "a b c"},
		{"links win over names: they wrap (case 5)", "AMQA000000@3<AMQA999999 AMQA999999@2<AMQA999998>AMQA000000 AMQA999998@1>AMQA999999", "AMQA999998 AMQA999999 AMQA000000"},
		{"the oldest names one that is gone", "b@2<a>c c@3<b", "b c"},
		{"the newest names one that is not there yet", "b@2>c c@3<b>d", "b c"},
		{"a break", "a@1>b b@2<a>c d@4<c>e e@5<d", "a b | d e"},
		{"a break without links at it", "d@4>e e@5<d a@1>b b@2<a", "a b | d e"},
		{"two breaks", "e@5<d c@3<b>d a@1>b", "a | c | e"},
		{"no links, rising", "a@1 b@2 c@3", "a b c"},
		{"one", "a@1", "a"},
		{"none", "", ""},
		{"empty ones stand outside", "a@1>b x b@2<a y", "a b (x) (y)"},
		{"empty ones need no links", "a@1 x b@2", "a b (x)"},
		{"several libraries with the same names", "LIBB/a@3<LIBA/b LIBA/b@2<LIBA/a>LIBB/a LIBA/a@1>LIBA/b", "a b LIBB/a"},
		{"a detach time that the next attach does not reach", "a@1-2>b b@5<a", "a b"},
		{"two pieces, and the clock went back in the gap", "a@1>b b@2-9<a d@4<c>e e@5<d", "a b | d e"},
		{"pieces that meet", "a@1-2>x c@2<b>d d@3<c", "a | c d"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := orderChain(receiversOf(test.receivers))
			if err != nil || shown(c) != test.want {
				t.Errorf("%s, %v; want %s", shown(c), err, test.want)
			}
		})
	}
}

func TestOrderChainWrong(t *testing.T) {
	tests := []struct{ name, receivers, says string }{
		{"no links, times fall", "a@1 b@3 c@2", "without links"},
		{"no links, two in one second", "a@1 b@1", "without links"},
		{"next and previous contradict", "a@1>b b@2<x c@3<b", "names LIBA/b as its next one, which names LIBA/x as its previous one"},
		{"previous and next contradict", "a@1>x b@2<a", "names LIBA/a as its previous one, which names LIBA/x as its next one"},
		{"two follow one", "a@1 b@2<a c@3<a", "name LIBA/a as their previous one"},
		{"one follows two", "a@1>c b@2>c c@3", "two receivers say that LIBA/c follows them"},
		{"a circle", "a@1>b b@2>c c@3>a", "circle"},
		{"a circle beside a chain", "a@1>b b@2 c@3>d d@4>c", "circle"},
		{"one that follows itself", "a@1>a b@2", "circle"},
		{"pieces that overlap by attach times", "a@1>b b@5<a c@3>d d@4<c", "overlap"},
		{"three pieces that overlap by the detach time", "a@1>b b@2-9<a d@4<c>e e@5<d g@7", "overlap"},
		{"pieces of one second", "a@1-1>x b@1-1<y", "overlap"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := orderChain(receiversOf(test.receivers))
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s, %v; want %s", shown(c), err, test.says)
			}
		})
	}
}

// The order does not depend on the order of the rows, with one or both kinds
// of link, clocks that go back, and breaks.
func TestOrderChainOfAnyPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 15).Draw(t, "receivers")
		linked := rapid.SampledFrom([]string{"both", "next", "previous"}).Draw(t, "links")
		var words []string
		minute := 0
		for i := range n {
			minute += rapid.IntRange(1, 9).Draw(t, "life")
			if i > 0 && rapid.IntRange(0, 9).Draw(t, "gone") == 0 {
				continue
			}
			word := fmt.Sprintf("%c@%d", 'a'+i, minute)
			if linked != "next" && i > 0 {
				word += fmt.Sprintf("<%c", 'a'+i-1)
			}
			if linked != "previous" {
				word += fmt.Sprintf(">%c", 'a'+i+1)
			}
			words = append(words, word)
		}
		back := rapid.IntRange(0, 1).Draw(t, "back") == 1
		sorted := receiversOf(strings.Join(words, " "))
		if back && len(words) == n { // no break, so that links alone tell
			for i := range sorted[:n/2] {
				sorted[i].Attach = Stamp{sorted[i].Attach.Add(30 * time.Minute)}
			}
		}
		want, wantErr := orderChain(sorted)
		got, gotErr := orderChain(rapid.Permutation(sorted).Draw(t, "rows"))
		if (wantErr == nil) != (gotErr == nil) || wantErr == nil && shown(got) != shown(want) {
			t.Fatalf("%s (%v), sorted %s (%v)", shown(got), gotErr, shown(want), wantErr)
		}
		if wantErr == nil && len(words) > 1 && len(want.receivers) != len(words) {
			t.Fatalf("%s of %v", shown(want), words)
		}
	})
}
