package transcript

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
)

// Attempts to find a free pseudonym. In a short name's small space every one
// may be a word of the transcript; after the first half such a one will do.
const (
	attempts         = 2000
	wordlessAttempts = 1000
)

// settleName finds a free pseudonym that also suits.
func (l *lexicon) settleName(name string, suits func(string) bool) error {
	if l.given[name] != "" || l.stays(name) {
		return nil
	}
	for attempt := range uint32(attempts) {
		pseudonym := l.draw(name, attempt)
		if l.free(name, pseudonym, attempt < wordlessAttempts) && suits(pseudonym) {
			l.give(name, pseudonym)
			return nil
		}
	}
	return fmt.Errorf("no free pseudonym for a name of %d characters: there are too many", len(name))
}

// free tells whether a pseudonym is none yet, is no name and holds none, and
// means nothing.
func (l *lexicon) free(name, pseudonym string, wordless bool) bool {
	return pseudonym != name && !l.names[pseudonym] && !l.labels[pseudonym] && !l.taken[pseudonym] && !l.pieces[pseudonym] &&
		!l.stays(pseudonym) && !vocabulary[pseudonym] && !(wordless && l.words[pseudonym]) && !l.finder.finds(pseudonym) &&
		strings.Contains(pseudonym, journalMark) == strings.Contains(name, journalMark) && pieceLength([]rune(pseudonym)) == 0
}

func (l *lexicon) give(name, pseudonym string) { l.given[name], l.taken[pseudonym] = pseudonym, true }

// journalMark stays in every name: by it a plan knows a message about a
// journal from any other (CPI70E3).
const journalMark = "JRN"

// draw makes a pseudonym of the name's shape from the key.
func (l *lexicon) draw(name string, attempt uint32) string {
	sum := hmac.New(sha256.New, l.key)
	sum.Write([]byte(name))
	seed := binary.BigEndian.AppendUint32(nil, attempt)
	var stream []byte
	out := []rune(name)
	for i, r := range out {
		if i%sha256.Size == 0 {
			sum.Write(seed)
			stream = sum.Sum(nil)
		}
		switch b := rune(stream[i%sha256.Size]); {
		case unicode.IsLetter(r):
			out[i] = 'A' + b%26
		case unicode.IsDigit(r):
			out[i] = '0' + b%10
		}
	}
	if at := strings.Index(name, journalMark); at >= 0 && len(name) > len(journalMark) {
		copy(out[len([]rune(name[:at])):], []rune(journalMark))
	}
	return string(out)
}

// pseudonym gives the pseudonym of a name in the case of its letters; false
// for a name that is not known or stays.
func (l *lexicon) pseudonym(name string) (string, bool) {
	folded := strings.ToUpper(name)
	given := l.given[folded]
	if given == "" || l.stays(folded) {
		return name, false
	}
	out, shape := []rune(given), []rune(name)
	for i := range out {
		if i < len(shape) && unicode.IsLower(shape[i]) {
			out[i] = unicode.ToLower(out[i])
		}
	}
	return string(out), true
}
