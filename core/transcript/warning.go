package transcript

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// Warnings lists what is allowed in the file and nearly surely a slip: a line
// that looks like a header and is none, and questions about a queue manager
// that the file does not declare, which nobody will ask. Each begins with
// file:line, in the order of the file. A transcript that was recorded has
// none.
func (t *Transcript) Warnings() []string { return slices.Clone(t.warnings) }

// nearlyMark is a mark with a blank in it or before it, or one of two signs.
var nearlyMark = regexp.MustCompile(`^[ \t]*>[ \t]*>[ \t]*>?[ \t]*([A-Za-z][A-Za-z0-9]*)`)

// directives are the words that begin a header beside the languages.
var directives = []string{"CLOCK", "QMGR", "QSG", "ZONE", "MEMBER", "ERROR"}

// doubtLine warns of a line that is none of a header, if it looks like one.
// It stays what it is: only the mark at the beginning of a line makes a
// header, so that any text can be a body.
func (p *parser) doubtLine(line int, text string) {
	found := nearlyMark.FindStringSubmatch(text)
	if found == nil {
		return
	}
	word := strings.ToUpper(found[1])
	if slices.Contains(directives, word) || observe.Language(word).Known() {
		p.warn(line, fmt.Sprintf("this is no header: a header begins with %s at the start of the line, as in %s %s", mark, mark, word))
	}
}

// doubtNames warns, once for each name, of blocks and clocks that speak of a
// name that no line declares. Queue managers' names are compared as they are
// written (IBM Docs, "Rules for naming IBM MQ objects": case matters).
func (p *parser) doubtNames(declared []string) {
	seen := map[string]bool{}
	for i, e := range p.entries {
		name := ""
		switch e := e.(type) {
		case *block:
			name = e.manager
		case *clock:
			name = e.manager
		}
		if name == "" || seen[name] || slices.Contains(declared, name) {
			continue
		}
		seen[name] = true
		p.warn(p.at[i], fmt.Sprintf("%s is declared by no QMGR, QSG or MEMBER line: no plan looks at what is said of it%s", name, meant(name, declared)))
	}
}

func (p *parser) warn(line int, text string) {
	p.doubts = append(p.doubts, doubt{line, text})
}

// doubt is a warning before it has its words.
type doubt struct {
	line int
	text string
}

// warnings gives the doubts in the order of the file.
func (p *parser) warnings() []string {
	slices.SortStableFunc(p.doubts, func(a, b doubt) int { return a.line - b.line })
	var list []string
	for _, d := range p.doubts {
		list = append(list, visible(fmt.Sprintf("%s:%d: %s", p.file, d.line, d.text)))
	}
	return list
}
