package bsds

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// entry is a log data set whose lines are read. Releases print it on one line or
// on several: the RBAs, then times and LRSNs in either order, and what is said of
// the data set beside any of them. So its values are told by their shape.
type entry struct {
	log       Log
	addresses [4]string // first and last RBA, first and last LRSN
	count     int       // how many of them there are
	named     int       // how many there were when the data set was named, and one
	namedIn   int       // the line that named it
	shifted   bool      // its RBAs were first taken for the LRSNs of the entry above
	stamps    []time.Time
	day       string // a date whose time did not come yet
	marked    struct {
		created time.Time
		stamps  int
	} // what was there before the third address
}

var (
	// A line of words alone says something of the table, such as that it is empty.
	prose = regexp.MustCompile(`^[* ]*[A-Z]{2,}([ ,:.]+[A-Z]+)+[* .]*$`)
	empty = regexp.MustCompile(`^[* ]*(NONE|EMPTY|(THERE ARE )?NO [A-Z ]+)[* .]*$`)
	// Blanks around the sign belong to neither side.
	equals = regexp.MustCompile(`\s*=\s*`)
	// A state of two words.
	negated = regexp.MustCompile(`\bNOT[ -](REUSABLE|CATALOGU?ED)\b`)
)

// labels are names that may stand before their value without a sign between.
var labels = map[string]bool{"STARTRBA": true, "ENDRBA": true, "STARTLRSN": true, "STRTLRSN": true, "ENDLRSN": true, "STATUS": true}

// addressed says which of an entry's addresses a name stands for.
var addressed = map[string]int{"STARTRBA": 0, "ENDRBA": 1, "STARTLRSN": 2, "STRTLRSN": 2, "ENDLRSN": 3}

// logLine reads a line of a table of log data sets.
func (r *reader) logLine(text string) error {
	signed := strings.Contains(text, "=")
	if !signed && strings.HasPrefix(text, "START") && columns.MatchString(text) {
		r.lrsns = strings.Contains(text, "LRSN")
		return nil
	}
	if signed && (strings.Contains(text, " =") || strings.Contains(text, "= ")) {
		text = equals.ReplaceAllString(text, "=")
	}
	if strings.Contains(text, "NOT") {
		text = negated.ReplaceAllString(text, "NOT$1")
	}
	words := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
	if !signed && !strings.ContainsAny(text, "0123456789") && !slices.ContainsFunc(words, says) {
		switch {
		case empty.MatchString(text):
			return r.turn(other)
		case prose.MatchString(text):
			err := r.turn(other)
			r.aside = r.number
			return err
		}
	}
	return r.values(words, strings.Contains(text, "DSN=") || strings.Contains(text, "DSNAME="))
}

// values reads what the words of a line say of log data sets. names tells whether
// one of them is the name of a data set.
func (r *reader) values(words []string, names bool) error {
	label := ""
	for _, word := range words {
		name, value, found := strings.Cut(word, "=")
		switch {
		case found:
			label, word = name, value
		case labels[word]:
			label = word
			continue
		}
		if err := r.word(label, word, names); err != nil {
			return err
		}
		label = ""
	}
	return nil
}

// says tells whether a word says something of a log data set by itself.
func says(word string) bool { return labels[word] || states[word] != nil }

// word reads one value; its label is empty when it has none.
func (r *reader) word(label, value string, names bool) error {
	switch at, ok := addressed[label]; {
	case ok:
		return r.labelled(at, value)
	case label != "":
		return r.attribute(label, value)
	case isAddress(value):
		return r.address(value, names)
	case isBlank(value):
		return nil
	case r.entry == nil:
		return r.fail(strconv.Quote(value) + " belongs to no log data set")
	case isDate(value):
		r.entry.date(value)
		return nil
	case isClock(value):
		r.entry.clock(value)
		return nil
	}
	if set := states[value]; set != nil {
		set(&r.entry.log)
		return nil
	}
	return r.fail(strconv.Quote(value) + " is nothing that is known of a log data set")
}

// labelled reads an address that has a name. A second first RBA is the next
// entry's.
func (r *reader) labelled(at int, value string) error {
	if isBlank(value) {
		return nil
	}
	if !isAddress(value) {
		return r.fail(strconv.Quote(value) + " is no RBA or LRSN")
	}
	if at == 0 && r.entry != nil && r.entry.addresses[0] != "" {
		if err := r.flush(); err != nil {
			return err
		}
	}
	e := r.current()
	if e.addresses[at] != "" {
		return r.fail("two values for one RBA or LRSN")
	}
	e.addresses[at] = value
	e.count++
	return nil
}

// address reads one that has no name: the next of the entry, or the first of a
// new one. LRSNs are below the RBAs, when the table has them; those beside a
// second data set name are not the first one's.
func (r *reader) address(value string, names bool) error {
	if e := r.entry; e != nil && (e.count == 4 || e.count == 2 && !r.lrsns || names && e.named > 0 && e.namedIn < r.number) {
		if err := r.flush(); err != nil {
			return err
		}
	}
	e := r.current()
	if e.addresses[e.count] != "" {
		return r.fail("values with and without names in one entry")
	}
	if e.count == 2 {
		e.mark()
	}
	e.addresses[e.count] = value
	e.count++
	return nil
}

// current gives the entry that is read, a new one if there is none.
func (r *reader) current() *entry {
	if r.entry == nil {
		r.entry = &entry{log: Log{Line: r.number}}
	}
	return r.entry
}
