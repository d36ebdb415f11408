package transcript

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/mqhk/mqhk/core/observe"
)

// Anonymise gives a transcript in which the names of hosts, users, queue
// managers, libraries, queues and other objects are replaced by pseudonyms of
// the same length and character class, the same name by the same pseudonym
// everywhere: in headers, directives, table cells, paths, attributes, free
// text and user spaces, as a word, as a part of one, and from five characters
// on inside longer words. Addresses are replaced although nothing else names
// them. Names of log pieces, names that IBM supplies, numbers and times stay,
// so that the plan on it is the plan, renamed. A library named QM and the
// first eight characters of its queue manager's name keeps that relation, and
// so does the directory on Multiplatforms that is called as the queue manager
// is. Free text loses every word that is neither known nor harmless.
//
// The pseudonyms follow from the key and the names alone; who has neither
// cannot tell a name from its pseudonym, except by guessing when the key is
// known. The key must not be empty.
//
// A body that nobody can read is an error that names its question: it might
// hold anything.
func Anonymise(t *Transcript, key []byte) (*Transcript, error) {
	out, _, err := anonymise(t, key)
	return out, err
}

// anonymise gives the names and their pseudonyms too.
func anonymise(t *Transcript, key []byte) (*Transcript, *lexicon, error) {
	if len(key) == 0 {
		return nil, nil, errors.New("anonymising transcript: no key")
	}
	s := &scrubber{lexicon: newLexicon(key), collecting: true, runs: map[textWord]string{}}
	s.lexicon.know(t)
	if _, err := s.transcript(t); err != nil {
		return nil, nil, err
	}
	if err := s.lexicon.settle(t); err != nil {
		return nil, nil, fmt.Errorf("anonymising transcript: %w", err)
	}
	s.collecting = false
	clear(s.runs)
	out, err := s.transcript(t)
	return out, s.lexicon, err
}

// scrubber walks over a transcript. It does so twice in the same way: first
// collecting names and changing nothing, then replacing them.
type scrubber struct {
	lexicon    *lexicon
	collecting bool
	runs       map[textWord]string // of free text, rewritten before: logs say the same again and again
}

func (s *scrubber) transcript(t *Transcript) (*Transcript, error) {
	out := &Transcript{entries: make([]entry, 0, len(t.entries))}
	for _, e := range t.entries {
		switch e := e.(type) {
		case *clock:
			out.entries = append(out.entries, &clock{manager: s.name(e.manager), at: e.at})
		case *target:
			out.entries = append(out.entries, &target{name: s.name(e.name), platform: e.platform, group: e.group})
		case *zone:
			out.entries = append(out.entries, &zone{name: s.name(e.name), area: e.area})
		case *member:
			out.entries = append(out.entries, &member{manager: s.name(e.manager), group: s.name(e.group), active: e.active})
		case *block:
			b, err := s.block(e)
			if err != nil {
				return nil, fmt.Errorf("anonymising the answer to %s: %w", e.question(), err)
			}
			out.entries = append(out.entries, b)
		}
	}
	return out, nil
}

func (s *scrubber) block(b *block) (*block, error) {
	out := &block{language: b.language, manager: s.name(b.manager), text: s.question(b), failed: b.failed}
	s.lexicon.see(b)
	var err error
	switch {
	case b.failed:
		out.body, err = s.lines(b.body, func(line string) string { return s.words(line, strict) })
	case b.language == observe.SQL, b.language == observe.DB2, b.language.OfHost():
		out.body, err = s.table(b.body)
	case b.language == observe.UsrSpc:
		out.body, err = s.space(b.body)
	case b.language == observe.LogDir:
		out.body, err = s.lines(b.body, s.directoryLine)
	case b.language == observe.CTL && observe.Fold(b.text) == "ID":
		out.body, err = s.lines(b.body, s.identity)
	case b.language == observe.IDCAMS:
		out.body, err = s.lines(b.body, s.listcat)
	case s.lexicon.zos:
		out.body, err = s.lines(b.body, s.zosLine)
	default:
		out.body, err = s.lines(b.body, s.document)
	}
	return out, err
}

// lines rewrites a body line by line, if it is text.
func (s *scrubber) lines(body []byte, rewrite func(string) string) ([]byte, error) {
	if err := readable(body); err != nil {
		return nil, err
	}
	var out []byte
	for len(body) > 0 {
		end := slices.Index(body, '\n')
		if end < 0 {
			return append(out, rewrite(string(body))...), nil
		}
		out = append(append(out, rewrite(string(body[:end]))...), '\n')
		body = body[end+1:]
	}
	return out, nil
}

// readable refuses what is not text in an ASCII-like character set: names in
// EBCDIC or inside a packed file would be missed.
func readable(body []byte) error {
	if utf8.Valid(body) && !slices.Contains(body, 0) {
		return nil
	}
	high := 0
	for _, b := range body {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
			return errors.New("not text, so names in it cannot be found")
		}
		if b >= 0x80 {
			high++
		}
	}
	if high*8 > len(body) {
		return errors.New("text in an unknown character set, so names in it cannot be found")
	}
	return nil
}
