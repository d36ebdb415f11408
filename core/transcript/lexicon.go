package transcript

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mqhk/mqhk/core/observe"
)

// lexicon holds the names of one transcript and their pseudonyms. Names are
// folded to capitals: a path on disk and a header write the same queue
// manager differently.
type lexicon struct {
	key    []byte
	names  map[string]bool   // to be replaced
	labels map[string]bool   // parts of names, to be replaced where they stand alone
	pieces map[string]bool   // of log pieces: they stay, but for names in them
	words  map[string]bool   // every word of the transcript: no pseudonym may be one
	given  map[string]string // pseudonyms
	taken  map[string]bool   // the same, by pseudonym
	finder *finder           // of names and labels, once all are known

	// Of z/OS: whether any system is one, the groups, and the names that stand
	// within those of data sets, the longest first.
	zos      bool
	groups   []string
	managers map[string]bool
	byLength []string

	qualifiers map[string]bool   // short parts of data set names, which are not looked for elsewhere
	qualified  map[string]string // their pseudonyms
}

func newLexicon(key []byte) *lexicon {
	return &lexicon{
		key: key, names: map[string]bool{}, labels: map[string]bool{}, pieces: map[string]bool{}, words: map[string]bool{},
		given: map[string]string{}, taken: map[string]bool{}, finder: &finder{},
		managers: map[string]bool{}, qualifiers: map[string]bool{}, qualified: map[string]string{},
	}
}

// supplied lists names that are the same on every system and say nothing.
var supplied = wordSet(`QSYS QSYS2 QMQM QMQMADM QMQMMSG QSYSOPR QGPL QTEMP QUSRSYS QSECOFR QPGMR QUSER QTCP QSRV
	CSQ_ADMIN CSQSYSAPPL QSYSINC QHST SYSTOOLS SYSIBM SYSPROC MQM LOCALHOST LOCAL ROOT NULL`)

// suppliedShape are names by their form: special values, receivers and
// journals of a queue manager (IBM Docs "Queue manager journals on IBM i"),
// log extents, and system queues.
var suppliedShape = regexp.MustCompile(`^(\*.*|AMQ[A-Z][0-9]{6}|AMQ[A-Z]JRN|AMQJRNINF|[SR][0-9]{7}\.LOG|SYSTEM\..*|[^\pL\pN]*)$`)

// stays tells whether a name, folded, is not to be replaced as a whole.
func (l *lexicon) stays(name string) bool { return supplied[name] || suppliedShape.MatchString(name) }

// collect adds a name, folded, and the parts of it that are long enough to
// tell something: whoever knows TO.SIEMENS knows SIEMENS.
func (l *lexicon) collect(name string) {
	l.names[name] = true
	parts := strings.FieldsFunc(name, func(r rune) bool { return !wordRune(r) })
	for _, part := range parts {
		tells := len([]rune(part)) >= insideLength && strings.ContainsFunc(part, unicode.IsLetter)
		if len(parts) > 1 && tells && !vocabulary[part] && !l.stays(part) && !harmless.MatchString(part) {
			l.labels[part] = true
		}
	}
}

// see notes every word of a block.
func (l *lexicon) see(b *block) {
	for _, text := range []string{b.manager, b.text, string(b.body)} {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !wordRune(r) }) {
			l.words[strings.ToUpper(word)] = true
		}
	}
}

// settle gives every collected name its pseudonym: first the queue managers,
// each with its library and its directory, then the others.
func (l *lexicon) settle(t *Transcript) error {
	managers := t.managers()
	for manager, i := range managers {
		l.names[folderOf(manager)] = true
		if i && !l.stays(libraryOf(manager)) {
			l.names[libraryOf(manager)] = true
		}
	}
	l.index()
	for _, manager := range slices.Sorted(maps.Keys(managers)) {
		if err := l.settleManager(manager); err != nil {
			return err
		}
	}
	for _, set := range []map[string]bool{l.names, l.labels} {
		for _, name := range slices.Sorted(maps.Keys(set)) {
			if err := l.settleName(name, func(string) bool { return true }); err != nil {
				return err
			}
		}
	}
	l.settleQualifiers()
	return nil
}

// index makes the finder of all names that have a pseudonym.
func (l *lexicon) index() {
	for name := range l.names {
		if !l.stays(name) {
			l.finder.add(name, false)
		}
	}
	for name := range l.labels {
		l.finder.add(name, true)
	}
}

// managers lists the folded names of all queue managers and groups, and
// whether each is declared on IBM i, where it has a library.
func (t *Transcript) managers() map[string]bool {
	found := map[string]bool{}
	note := func(name string, hasLibrary bool) {
		name = strings.ToUpper(name)
		found[name] = found[name] || hasLibrary
	}
	for _, e := range t.entries {
		switch e := e.(type) {
		case *target:
			note(e.name, e.platform == observe.IBMi)
		case *member:
			note(e.manager, false)
			note(e.group, false)
		case *block:
			note(e.manager, false)
		}
	}
	delete(found, "")
	return found
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
		l.give(folder, folderOf(pseudonym))
	}
	for name := range l.names {
		if ending, ok := strings.CutPrefix(name, folderOf(manager)); ok && collision.MatchString(ending) {
			l.give(name, folderOf(pseudonym)+ending)
		}
	}
	return nil
}

// collision ends the directory of a queue manager where the name was taken
// (IBM Docs "Understanding queue manager names").
var collision = regexp.MustCompile(`^\.[0-9]{3}$`)

// libraryOf gives the library that CRTMQM MQMLIB(*AUTO) makes of a name, as
// long as it is unique (mqs.ini of IBM Docs: saturn.queue.manager, QMSATURN.Q).
func libraryOf(manager string) string { return "QM" + manager[:min(8, len(manager))] }

// folderOf gives the directory of a queue manager: a dot is written as an
// exclamation mark, a slash as an ampersand (IBM Docs "Understanding queue
// manager names").
func folderOf(manager string) string { return strings.NewReplacer(".", "!", "/", "&").Replace(manager) }

// rename replaces the known names in a text. Log pieces stay.
func (l *lexicon) rename(text string) string {
	var out strings.Builder
	for _, part := range l.finder.split(text) {
		if part.kind == knownName {
			part.text, _ = l.pseudonym(part.text)
		}
		out.WriteString(part.text)
	}
	return out.String()
}
