package transcript

import (
	"strings"
	"unicode"
)

// finder finds names in a text, whatever the case of the letters: a name as a
// word, or as a part of one between characters that are neither letters nor
// digits; and a name of five characters or more also inside a longer word.
// It is a tree of the names' characters, in capitals.
type finder struct {
	next map[rune]*finder
	ends nameKind // of the name that ends here
}

// nameKind says how a name may be found.
type nameKind uint8

const (
	noName    nameKind = iota
	wholeOnly          // only as a word or a part of one
	anywhere           // also inside a longer word
)

// insideLength is the least length, in characters, of a name that is looked
// for inside longer words. Shorter ones are in too many words by chance.
const insideLength = 5

// add puts a name, in capitals, into the tree. One without a letter would be
// found in every number and is left out. Label says that it is only a part of
// a name, which is never looked for inside longer words.
func (f *finder) add(name string, label bool) {
	if !strings.ContainsFunc(name, unicode.IsLetter) {
		return
	}
	at, length := f, 0
	for _, r := range name {
		if at.next == nil {
			at.next = map[rune]*finder{}
		}
		if at.next[r] == nil {
			at.next[r] = &finder{}
		}
		at, length = at.next[r], length+1
	}
	kind := wholeOnly
	if length >= insideLength && !label {
		kind = anywhere
	}
	at.ends = max(at.ends, kind)
}

// span is a part of a text: a known name, a log piece, or what lies between.
type span struct {
	text string
	kind spanKind
}

type spanKind uint8

const (
	otherText spanKind = iota
	knownName
	logPiece
)

// split takes a text apart. Of names that begin at the same place the longest
// counts. A log piece may have anything glued to it: in substitution data
// fields of fixed width stand side by side.
func (f *finder) split(text string) []span {
	runes, folded := []rune(text), []rune(strings.ToUpper(text))
	var out []span
	done, afterPiece := 0, 0
	emit := func(from, to int, kind spanKind) {
		if from < to {
			out = append(out, span{string(runes[from:to]), kind})
		}
	}
	for i := 0; i < len(folded); {
		begins := i == afterPiece || !wordRune(folded[i-1])
		length, kind := f.longest(folded, i, begins), knownName
		if piece := pieceLength(folded[i:]); begins && piece >= length && piece > 0 {
			length, kind = piece, logPiece
			afterPiece = i + piece
		}
		if length == 0 {
			i++
			continue
		}
		emit(done, i, otherText)
		emit(i, i+length, kind)
		i += length
		done = i
	}
	emit(done, len(runes), otherText)
	return out
}

// longest gives the length of the longest name at a place, or 0; begins says
// that a word begins there.
func (f *finder) longest(text []rune, from int, begins bool) int {
	found, at := 0, f
	for i := from; i < len(text); i++ {
		if at = at.next[text[i]]; at == nil {
			break
		}
		whole := begins && (i+1 == len(text) || !wordRune(text[i+1]))
		if at.ends == anywhere || at.ends == wholeOnly && whole {
			found = i + 1 - from
		}
	}
	return found
}

// finds tells whether there is a name in a text.
func (f *finder) finds(text string) bool {
	for _, part := range f.split(text) {
		if part.kind == knownName {
			return true
		}
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// pieceLength gives the length of a receiver's or an extent's name at the
// beginning of a text in capitals, or of the ten asterisks in place of one
// (IBM Docs "Queue manager journals on IBM i"); 0 if there is none.
func pieceLength(text []rune) int {
	for _, form := range []string{"AMQ?000000", "S0000000.LOG", "R0000000.LOG", "**********"} {
		if hasForm(text, []rune(form)) {
			return len(form)
		}
	}
	return 0
}

// hasForm compares the beginning of a text with a form in which ? stands for
// a letter and 0 for a digit.
func hasForm(text, form []rune) bool {
	if len(text) < len(form) {
		return false
	}
	for i, f := range form {
		r := text[i]
		if f == '?' && (r < 'A' || r > 'Z') || f == '0' && (r < '0' || r > '9') || f != '?' && f != '0' && f != r {
			return false
		}
	}
	return true
}
