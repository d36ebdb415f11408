package policies

import (
	"fmt"
	"slices"
	"strings"
)

// suggest gives " Did you mean ...?" for a word close to one of those that
// would be right, else the words themselves.
func suggest(word string, known []string) string {
	if best, ok := nearest(word, known); ok {
		return fmt.Sprintf("did you mean %q?", best)
	}
	switch {
	case len(known) == 0:
		return "there is none"
	case len(known) <= 12:
		ordered := slices.Sorted(slices.Values(known))
		return "it is one of " + strings.Join(ordered, ", ")
	default:
		return ""
	}
}

// nearest finds the known word that takes the fewest edits, at most a third
// of the word's letters.
func nearest(word string, known []string) (string, bool) {
	if len(word) > 100 {
		return "", false
	}
	best, fewest := "", max(1, len(word)/3)+1
	for _, candidate := range known {
		if n := edits(strings.ToLower(word), strings.ToLower(candidate)); n < fewest {
			best, fewest = candidate, n
		}
	}
	return best, best != ""
}

// edits is the Levenshtein distance of two words, a swap of neighbours
// counted as one edit.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
