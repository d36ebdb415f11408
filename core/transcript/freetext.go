package transcript

import (
	"regexp"
	"strings"
	"unicode"
)

// strictness says what becomes of words that are not known as names.
type strictness bool

const (
	strict  strictness = true  // free text that people or programs filled: unknown words are blanked
	lenient strictness = false // prose of the product: unknown words stay
)

var (
	// textRun is what free text is taken apart into.
	textRun = regexp.MustCompile(`[\pL\pN_.$#@%!&/*:+-]+`)
	// harmless are numbers, times, and identifiers of messages.
	harmless = regexp.MustCompile(`^([^\pL]*|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?|(AMQ|CSQ|SQL|SQLSTATE)[A-Z]?[0-9]{3,5}[A-Z]?|(CP[A-Z]|MCH)[0-9A-F]{4})$`)
	// address is an IPv4 address, perhaps with a port.
	address = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,3}){3}(:[0-9]+)?\.?$`)
	// leadingPiece is a receiver, or stars in place of one, at the beginning of
	// a run. Substitution data has fixed widths: what follows may be glued to it.
	leadingPiece = regexp.MustCompile(`^(AMQ[A-Z][0-9]{6}|\*{10})`)
)

// name gives a name's pseudonym, or collects it.
func (s *scrubber) name(name string) string {
	folded := strings.ToUpper(strings.TrimSpace(name))
	if folded == "" || s.lexicon.stays(folded) {
		return name
	}
	if s.collecting {
		s.lexicon.names[folded] = true
		return name
	}
	bare := strings.TrimSpace(name)
	pseudonym, _ := s.lexicon.pseudonym(bare)
	return strings.Replace(name, bare, pseudonym, 1)
}

// piece keeps the name of a log piece, wherever it stands.
func (s *scrubber) piece(name string) string {
	if folded := strings.ToUpper(strings.TrimSpace(name)); s.collecting && folded != "" {
		s.lexicon.pieces[folded] = true
	}
	return name
}

// words rewrites free text: known names get their pseudonyms, names of log
// pieces, numbers and times stay.
func (s *scrubber) words(text string, how strictness) string {
	if s.collecting {
		return text
	}
	return textRun.ReplaceAllStringFunc(text, func(run string) string { return s.run(run, how) })
}

func (s *scrubber) run(run string, how strictness) string {
	if address.MatchString(run) {
		return blank(run)
	}
	if harmless.MatchString(run) {
		return run
	}
	if pseudonym, ok := s.lexicon.pseudonym(run); ok {
		return pseudonym
	}
	parts := strings.Split(run, "/")
	for i, part := range parts {
		parts[i] = s.word(part, how)
	}
	return strings.Join(parts, "/")
}

func (s *scrubber) word(word string, how strictness) string {
	bare := strings.TrimRight(word, ".:!-")
	tail := word[len(bare):]
	folded := strings.ToUpper(bare)
	switch pseudonym, known := s.lexicon.pseudonym(bare); {
	case known:
		return pseudonym + tail
	case harmless.MatchString(bare), s.lexicon.stays(folded) && bare != "":
		return word
	}
	if piece := leadingPiece.FindString(bare); piece != "" {
		return piece + s.run(bare[len(piece):], how) + tail
	}
	if known := s.leading(folded); known > 0 {
		name, _ := s.lexicon.pseudonym(bare[:known])
		return name + s.run(bare[known:], how) + tail
	}
	if how == lenient || vocabulary[folded] {
		return word
	}
	return blank(bare) + tail
}

// leading gives the length of the longest known name, or piece, of ten
// characters that begins a run: a field of substitution data without a blank
// after it.
func (s *scrubber) leading(folded string) int {
	const width = 10 // names of IBM i objects
	if len(folded) <= width {
		return 0
	}
	if s.lexicon.given[folded[:width]] != "" || s.lexicon.pieces[folded[:width]] {
		return width
	}
	return 0
}

// blank hides a word and keeps its width, because fields of fixed width may
// stand behind it.
func blank(word string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r):
			return 'x'
		case unicode.IsDigit(r):
			return '0'
		}
		return r
	}, word)
}

// vocabulary are words in capitals that may stay in free text and as values:
// they say what an answer means and cannot point to anybody.
var vocabulary = wordSet(`
	A AN AND AT BY FOR FROM HAS IN IS IT NOT OF ON OR SINCE THE TO UNTIL WAS WITH NO YES NONE ALL
	JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC MON TUE WED THU FRI SAT SUN AM PM UTC GMT
	JANUARY FEBRUARY MARCH APRIL JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER
	DATE TIME DAY START STARTUP START-UP RESTART RECOVERY RECOVER MEDIA POINT OLDEST NEWEST OLDER
	JOURNAL JOURNALS RECEIVER RECEIVERS ENTRY ENTRIES RECORD RECORDS IMAGE IMAGES LOG EXTENT EXTENTS
	QUEUE MANAGER LIBRARY OBJECT OBJECTS MESSAGE MESSAGES INFORMATION NEEDED REQUIRED REBUILD
	SAVED SAVE DELETED DELETE ATTACHED DETACHED RESTORED RESTORE AVAILABLE FOUND SYSTEM USER NAME
	ERROR FAILED TYPE COLUMN TABLE VIEW DEFINED AUTHORIZED AUTHORITY ANSWERED
	MANIFESTS HOLDS NOTES SEGMENTS MANIFEST HOLD NOTE SEGMENT HISTORY STORE KEEP MIGRATION
	ATTACHED ONLINE FREED PARTIAL EMPTY INFORMATIONAL INQUIRY REPLY SENDER COMPLETION DIAGNOSTIC ESCAPE
	ACTIVE INACTIVE PENDING STANDBY LOCAL REMOTE SYNC ASYNC MAXOPT1 MAXOPT2 MAXOPT3 SYSDFT
	UNNEEDED DATA-BACKUP PAGESET-BACKUP SHIPPED REPLAYED PRIMARY IASP
	RUNNING STARTING ENDING QUIESCING ENDED IMMEDIATELY NORMALLY PREEMPTIVELY UNEXPECTEDLY ELSEWHERE
	LINEAR CIRCULAR REPLICATED AUTOMATIC ARCHIVE MANUAL ENABLED DISABLED OPEN CLOSED DEFINE TRUE FALSE`)
