package bsds

import "strings"

// The shapes by which the values of an entry are told.

// isAddress tells whether a word is an RBA or LRSN: 12 or 16 digits.
func isAddress(word string) bool {
	return (len(word) == Six.digits() || len(word) == Eight.digits()) && strings.Trim(word, "0123456789ABCDEF") == ""
}

// isDate tells whether a word is a year and its day, such as 2026.028.
func isDate(word string) bool { return shaped(word, "dddd.ddd") }

// isClock tells whether a word is a time to the minute or second, or to a part of
// one.
func isClock(word string) bool {
	whole, part, found := strings.Cut(word, ".")
	if found && (len(part) == 0 || len(part) > 6 || strings.Trim(part, "0123456789") != "") {
		return false
	}
	return shaped(whole, "dd:dd:dd") || !found && shaped(whole, "dd:dd")
}

// isBlank tells whether a word stands for a value that there is not.
func isBlank(word string) bool {
	return strings.Trim(word, ".?*-") == "" || word == "(NULL)" || word == "N/A"
}

// shaped tells whether a word has digits where the shape has a d, and the shape's
// own characters elsewhere.
func shaped(word, shape string) bool {
	if len(word) != len(shape) {
		return false
	}
	for i := range len(word) {
		digit := '0' <= word[i] && word[i] <= '9'
		if shape[i] == 'd' && !digit || shape[i] != 'd' && word[i] != shape[i] {
			return false
		}
	}
	return true
}
