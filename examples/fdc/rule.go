package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// rule says which files may go. It knows no clock and asks nobody.
type rule struct {
	kinds      []string
	minAge     time.Duration
	keepNewest int // of each kind
}

// judged is a file of one of the kinds, with what becomes of it.
type judged struct {
	observe.ListedFile
	kind string
	goes bool
	why  string
}

// judge judges the files of one directory at a moment. Files of no kind are
// left out: they are nobody's business here. The order is by kind, the newest
// first.
func (r rule) judge(files []observe.ListedFile, now time.Time) []judged {
	var list []judged
	for _, f := range files {
		if kind := kindOf(f.Name); kind != "" {
			list = append(list, judged{ListedFile: f, kind: kind})
		}
	}
	slices.SortFunc(list, func(a, b judged) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), b.Modified.Compare(a.Modified), strings.Compare(a.Name, b.Name))
	})
	rank := make(map[string]int)
	for i := range list {
		f := &list[i]
		f.goes, f.why = r.verdict(*f, rank[f.kind], now)
		rank[f.kind]++
	}
	return list
}

// verdict judges one file; so many of its kind are newer.
func (r rule) verdict(f judged, newer int, now time.Time) (goes bool, why string) {
	age := now.Sub(f.Modified)
	switch {
	case !slices.Contains(r.kinds, f.kind):
		return false, "files of kind " + f.kind + " are not asked for"
	case f.Mode == "" || f.Mode[0] != '-':
		return false, "nothing tells that it is a regular file"
	case f.Modified.IsZero() || now.IsZero():
		return false, "nothing tells how old it is"
	case age < 0:
		return false, "it was written after it was listed, by the clocks"
	case age < r.minAge:
		return false, fmt.Sprintf("written %s ago, and %s are asked for", inWords(age), inWords(r.minAge))
	case newer < r.keepNewest:
		return false, fmt.Sprintf("number %d of the newest %d of its kind here", newer+1, r.keepNewest)
	}
	return true, fmt.Sprintf("not written for %s; of its kind here are newer: %d", inWords(age), newer)
}

// inWords shows an age as a person would.
func inWords(age time.Duration) string {
	switch {
	case age < time.Minute:
		return "less than a minute"
	case age < 2*time.Hour:
		return counted(age/time.Minute, "minute")
	case age < 2*day:
		return counted(age/time.Hour, "hour")
	}
	return counted(age/day, "day")
}

// counted gives a number of things.
func counted[N int | int64 | time.Duration](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", int64(n), thing)
}
