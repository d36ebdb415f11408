package transcript

import (
	"regexp"
	"strings"
	"unicode"
)

// strictness says what becomes of words that are not known as names.
type strictness uint8

const (
	lenient  strictness = iota // prose of the product: unknown words stay
	strict                     // text that programs filled: unknown words are blanked
	personal                   // what people wrote: numbers too, which may be anybody's, but for times
)

var (
	// textRun is what free text is taken apart into: locators, and words with
	// the signs that names, times, paths and addresses have.
	textRun = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}[.:][0-9]{2}[.:][0-9]{2}([.,][0-9]+)?|[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>()` + "`" + `]+|[\pL\pN_.$#@%!&/\\*:+~-]+`)
	// harmless are numbers, times, and identifiers of messages.
	harmless = regexp.MustCompile(`^([^\pL]*|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?|AMQ[0-9]{4,5}[A-Z]?|CSQ[A-Z0-9][0-9]{3}[A-Z]?|SQL[0-9]{4,5}[A-Z]?|SQLSTATE[0-9]{5}|(CP[A-Z]|MCH)[0-9A-F]{4})$`)
	// wordRun is a word without any sign.
	wordRun = regexp.MustCompile(`[\pL\pN]+`)
	// glued is a time at the end of a word: fields of substitution data have
	// fixed widths, and a library of ten characters has no blank behind it.
	glued = regexp.MustCompile(`^(.*[^0-9])([0-9]{13,})$`)
	// pieceName is the form of an object of IBM i, and of a data set.
	pieceName = regexp.MustCompile(`^[A-Za-z0-9_#$@.*]{1,44}$`)
	// innerPart is what the signs of paths and ports separate.
	innerPart = regexp.MustCompile(`[^/\\:]+`)
)

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// name gives a name's pseudonym, or collects it. One that IBM supplies stays,
// but for other names in it.
func (s *scrubber) name(name string) string {
	bare := strings.TrimSpace(name)
	folded := strings.ToUpper(bare)
	switch {
	case folded == "" || supplied[folded]:
		return name
	case s.lexicon.stays(folded):
		return s.known(name)
	case s.lexicon.zos && dataSetForm.MatchString(bare):
		return strings.Replace(name, bare, s.dataSet(bare), 1)
	case s.collecting:
		s.lexicon.collect(folded)
		return name
	}
	pseudonym, _ := s.lexicon.pseudonym(bare)
	return strings.Replace(name, bare, pseudonym, 1)
}

// guess does so with what stands where a name may stand: a number, a time, a
// word that says what an answer means, or a single character is none, unless
// it is known as one.
func (s *scrubber) guess(word string) string {
	bare := strings.TrimSpace(word)
	if pseudonym, known := s.lexicon.pseudonym(bare); known {
		return strings.Replace(word, bare, pseudonym, 1)
	}
	if ipv4.MatchString(bare) {
		return s.name(word)
	}
	if len([]rune(bare)) < 2 || s.lexicon.zos && isAmount(bare) || harmless.MatchString(bare) || vocabulary[strings.ToUpper(bare)] {
		return word
	}
	return s.name(word)
}

// known replaces known names and nothing else.
func (s *scrubber) known(text string) string {
	if s.collecting {
		return text
	}
	return s.lexicon.rename(text)
}

// piece keeps the name of a log piece, wherever it stands, but for known names
// in it. What is written before it, LIBRARY/RECEIVER, is a name.
func (s *scrubber) piece(text string) string {
	at := strings.LastIndexByte(text, '/') + 1
	folder, name := text[:at], text[at:]
	if !pieceName.MatchString(strings.TrimSpace(name)) {
		return s.words(text, strict)
	}
	if s.collecting {
		s.lexicon.pieces[strings.ToUpper(strings.TrimSpace(name))] = true
	}
	return innerPart.ReplaceAllStringFunc(folder, s.name) + s.known(name)
}

// words rewrites free text: known names, addresses and absolute paths get
// their pseudonyms, names of log pieces and times stay.
func (s *scrubber) words(text string, how strictness) string {
	return textRun.ReplaceAllStringFunc(text, func(run string) string {
		key := textWord{run, how}
		done, ok := s.runs[key]
		if !ok {
			done = s.run(run, how)
			s.runs[key] = done
		}
		return done
	})
}

// textWord is a word of free text, and how it is read.
type textWord struct {
	text string
	how  strictness
}

func (s *scrubber) run(run string, how strictness) string {
	bare := strings.TrimRight(run, ".:,;!-")
	tail := run[len(bare):]
	if strings.Contains(bare, "://") {
		return s.locator(bare) + tail
	}
	if pseudonym, known := s.lexicon.pseudonym(bare); known {
		return pseudonym + tail
	}
	if ip, ok := s.ipv6(bare); ok {
		return ip + tail
	}
	switch {
	case harmless.MatchString(bare):
		return s.number(bare, how) + tail
	case mail.MatchString(bare):
		return s.name(bare) + tail
	case absolute.MatchString(bare):
		return s.path(bare) + tail
	}
	return innerPart.ReplaceAllStringFunc(bare, func(part string) string { return s.word(part, how) }) + tail
}

// number rewrites what has no letters, or is a time or a message identifier.
func (s *scrubber) number(text string, how strictness) string {
	letters := strings.ContainsFunc(text, isLetter)
	if how == personal && !letters && !stamp.MatchString(text) && !timeOfDay.MatchString(text) {
		return blank(text)
	}
	if letters {
		return text
	}
	return s.addresses(text)
}

func (s *scrubber) word(word string, how strictness) string {
	if at := pieceLength([]rune(strings.ToUpper(word))); at > 0 && at < len(word) && wordRune(rune(word[at])) {
		return word[:at] + s.word(word[at:], how)
	}
	if m := glued.FindStringSubmatch(word); m != nil {
		return s.word(m[1], how) + m[2]
	}
	return s.bareWord(word, how)
}

// bareWord rewrites a word that has nothing glued to it.
func (s *scrubber) bareWord(word string, how strictness) string {
	bare := strings.TrimRight(word, ".!-")
	tail := word[len(bare):]
	if pseudonym, known := s.lexicon.pseudonym(bare); known {
		return pseudonym + tail
	}
	folded := strings.ToUpper(bare)
	switch {
	case harmless.MatchString(bare):
		return s.number(bare, how) + tail
	case supplied[folded], vocabulary[folded]:
		return word
	case isDotted(bare):
		return s.name(bare) + tail
	case s.lexicon.stays(folded), s.lexicon.pieces[folded], how == lenient:
		return s.known(bare) + tail
	case s.collecting:
		return word
	}
	return s.blankUnknown(bare, how) + tail
}

// blankUnknown replaces known names in a word and hides what is neither known
// nor harmless.
func (s *scrubber) blankUnknown(word string, how strictness) string {
	var out strings.Builder
	for _, part := range s.lexicon.finder.split(word) {
		switch part.kind {
		case knownName:
			pseudonym, _ := s.lexicon.pseudonym(part.text)
			out.WriteString(pseudonym)
		case logPiece:
			out.WriteString(part.text)
		default:
			out.WriteString(wordRun.ReplaceAllStringFunc(part.text, func(run string) string {
				folded := strings.ToUpper(run)
				number := !strings.ContainsFunc(run, isLetter)
				if vocabulary[folded] || supplied[folded] || s.lexicon.pieces[folded] || number && how != personal {
					return run
				}
				return blank(run)
			}))
		}
	}
	return out.String()
}

// blank hides a word and keeps its width, because fields of fixed width may
// stand behind it; and that it is the name of a journal, if it is.
func blank(word string) string {
	hidden := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r):
			return 'x'
		case unicode.IsDigit(r):
			return '0'
		}
		return r
	}, word)
	if len(hidden) == len(word) && strings.HasSuffix(word, journalMark) {
		return hidden[:len(hidden)-len(journalMark)] + journalMark
	}
	return hidden
}
