package transcript

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// lexicon holds the names of one transcript and their pseudonyms. Names are
// folded to capitals: a path on disk and a header write the same queue
// manager differently.
type lexicon struct {
	key    []byte
	names  map[string]bool   // to be replaced
	pieces map[string]bool   // of log pieces: they stay
	words  map[string]bool   // every word of the transcript: no pseudonym may be one
	given  map[string]string // pseudonyms
	taken  map[string]bool   // the same, by pseudonym
}

func newLexicon(key []byte) *lexicon {
	return &lexicon{
		key: key, names: map[string]bool{}, pieces: map[string]bool{}, words: map[string]bool{},
		given: map[string]string{}, taken: map[string]bool{},
	}
}

// supplied lists names that are the same on every system and say nothing.
var supplied = wordSet(`QSYS QSYS2 QMQM QMQMADM QMQMMSG QSYSOPR QGPL QTEMP QUSRSYS QSECOFR QPGMR QUSER QTCP QSRV
	QSYSINC QHST SYSTOOLS SYSIBM SYSPROC MQM LOCALHOST LOCAL ROOT NULL`)

// suppliedShape are names by their form: special values, receivers and
// journals of a queue manager (IBM Docs "Queue manager journals on IBM i"),
// log extents, and system queues.
var suppliedShape = regexp.MustCompile(`^(\*.*|AMQ[A-Z][0-9]{6}|AMQ[A-Z]JRN|AMQJRNINF|S[0-9]{7}\.LOG|SYSTEM\..*|[^\pL\pN]*)$`)

// stays tells whether a name, folded, is not to be replaced.
func (l *lexicon) stays(name string) bool {
	return supplied[name] || l.pieces[name] || suppliedShape.MatchString(name)
}

// see notes every word of a block.
func (l *lexicon) see(b *block) {
	for _, text := range []string{b.manager, b.text, string(b.body)} {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			l.words[strings.ToUpper(word)] = true
		}
	}
}

// settle gives every collected name its pseudonym: first the queue managers,
// each with its library and its directory, then the others.
func (l *lexicon) settle(t *Transcript) error {
	for _, manager := range t.managers() {
		if err := l.settleManager(manager); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		if err := l.settleName(name, func(string) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// managers lists the folded names of all queue managers and groups.
func (t *Transcript) managers() []string {
	found := map[string]bool{}
	for _, e := range t.entries {
		switch e := e.(type) {
		case *target:
			found[strings.ToUpper(e.name)] = true
		case *member:
			found[strings.ToUpper(e.manager)], found[strings.ToUpper(e.group)] = true, true
		case *block:
			found[strings.ToUpper(e.manager)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// settleManager gives a queue manager a pseudonym from which those of its
// library and of its directory follow as their names follow from its own.
func (l *lexicon) settleManager(manager string) error {
	library := l.names[libraryOf(manager)] && l.given[libraryOf(manager)] == "" && !l.stays(libraryOf(manager))
	err := l.settleName(manager, func(pseudonym string) bool { return !library || l.free(libraryOf(manager), libraryOf(pseudonym), true) })
	if err != nil || l.given[manager] == "" {
		return err
	}
	pseudonym := l.given[manager]
	if library {
		l.give(libraryOf(manager), libraryOf(pseudonym))
	}
	if folder := folderOf(manager); folder != manager {
		l.names[folder] = true
		l.give(folder, folderOf(pseudonym))
	}
	return nil
}

// libraryOf gives the library that CRTMQM MQMLIB(*AUTO) makes of a name, as
// long as it is unique (mqs.ini of IBM Docs: saturn.queue.manager, QMSATURN.Q).
func libraryOf(manager string) string { return "QM" + manager[:min(8, len(manager))] }

// folderOf gives the directory of a queue manager: a dot is written as an
// exclamation mark, a slash as an ampersand (IBM Docs "Understanding queue
// manager names").
func folderOf(manager string) string { return strings.NewReplacer(".", "!", "/", "&").Replace(manager) }

// settleName finds a free pseudonym that also suits. In a short name's small
// space every one may be a word of the transcript; then such a one will do.
func (l *lexicon) settleName(name string, suits func(string) bool) error {
	if l.given[name] != "" || l.stays(name) {
		return nil
	}
	for attempt := range uint32(2000) {
		pseudonym := l.draw(name, attempt)
		if l.free(name, pseudonym, attempt < 1000) && suits(pseudonym) {
			l.give(name, pseudonym)
			return nil
		}
	}
	return fmt.Errorf("no free pseudonym for a name of %d characters: there are too many", len(name))
}

func (l *lexicon) free(name, pseudonym string, wordless bool) bool {
	return pseudonym != name && !l.names[pseudonym] && !l.taken[pseudonym] && !l.stays(pseudonym) &&
		!vocabulary[pseudonym] && !(wordless && l.words[pseudonym])
}

func (l *lexicon) give(name, pseudonym string) { l.given[name], l.taken[pseudonym] = pseudonym, true }

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
	return string(out)
}

// pseudonym gives the pseudonym of a name in the case of its letters; false
// for a name that is not known or stays.
func (l *lexicon) pseudonym(name string) (string, bool) {
	given := l.given[strings.ToUpper(name)]
	if given == "" || l.stays(strings.ToUpper(name)) {
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

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
