package transcript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// hostQuestions are the only questions of the languages that the host itself
// answers.
var hostQuestions = map[observe.Language]string{
	observe.Store:   observe.ManifestsQuestion,
	observe.HoldOn:  observe.HoldsQuestion,
	observe.Note:    observe.NotesQuestion,
	observe.History: observe.SegmentsQuestion,
}

// asksHost tells whether a block of a language of the host answers the one
// question that is asked in it: it names that question, or none.
func (b *block) asksHost() bool {
	return b.text == "" || observe.Fold(b.text) == observe.Fold(hostQuestions[b.language])
}

// SaysHost tells whether the transcript holds anything that the host knew when it
// was made. One that a collector wrote on the system does not.
func (t *Transcript) SaysHost() bool {
	return slices.ContainsFunc(t.entries, func(e entry) bool {
		b, ok := e.(*block)
		return ok && b.language.OfHost()
	})
}

// hostMistake finds the first block of a language of the host that nobody
// would ever ask for, or of which only one part would be read. In the other
// languages such a block is merely not answered, and the plan fails closed; in
// these no block means that nothing is held, copied or noted, so a slip of the
// pen in a hold would let go what is held. It gives the block's place in
// entries and what is wrong with it, or no words. Declared are the names of
// QMGR, QSG and MEMBER lines.
func hostMistake(entries []entry, declared []string) (at int, wrong string) {
	type kind struct {
		language observe.Language
		manager  string
	}
	first := map[kind]*block{}
	for i, e := range entries {
		b, ok := e.(*block)
		if !ok || !b.language.OfHost() {
			continue
		}
		key := kind{b.language, b.manager}
		switch {
		case !b.asksHost():
			return i, fmt.Sprintf("nobody asks %s %s: %s, so it would count as none; the question is written %q",
				b.language, b.manager, b.text, hostQuestions[b.language])
		case !slices.Contains(declared, b.manager):
			return i, fmt.Sprintf("%s of %s, which no QMGR, QSG or MEMBER line declares, so it would count as none%s",
				b.language, b.manager, meant(b.manager, declared))
		case first[key] != nil && !sameAnswer(first[key], b):
			return i, fmt.Sprintf("%s %s stands twice and does not say the same, so only one would be read; write all rows in one block", b.language, b.manager)
		}
		first[key] = b
	}
	return 0, ""
}

// meant suggests the declared name that differs only in case.
func meant(name string, declared []string) string {
	near := slices.IndexFunc(declared, func(other string) bool { return strings.EqualFold(name, other) })
	if near < 0 {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", declared[near])
}

// sameAnswer compares what two blocks say; empty lines at the end, which
// people leave between blocks, do not count.
func sameAnswer(a, b *block) bool {
	return a.failed == b.failed && bytes.Equal(bytes.TrimSpace(a.body), bytes.TrimSpace(b.body))
}

// declaredNames lists the names of QMGR, QSG and MEMBER lines.
func declaredNames(entries []entry) []string {
	var names []string
	for _, e := range entries {
		switch e := e.(type) {
		case *target:
			names = append(names, e.name)
		case *member:
			names = append(names, e.manager)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
