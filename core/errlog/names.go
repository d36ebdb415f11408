package errlog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// extentLength is the length of S0000104.LOG.
const extentLength = len("S0000104.LOG")

// Extent gives the one extent that a record names, in its message or in an
// insert. None, or two different ones, is an error: which is meant is not
// guessed (case 14). A name that is broken over two lines is none.
func (r Record) Extent() (string, error) {
	names := extents(nil, r.Text)
	for _, insert := range r.Comment {
		names = extents(names, insert)
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("%s names no extent", r.ID)
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("%s names %s: which one is meant can't be told", r.ID, strings.Join(names, " and "))
}

// extents adds the different names of extents in a text. R extents are none:
// they hold nothing.
func extents(names []string, text string) []string {
	for i := 0; i+extentLength <= len(text); i++ {
		if text[i]|0x20 != 's' {
			continue
		}
		name := text[i : i+extentLength]
		if !extentName(name) || !wordAt(text, i, extentLength) {
			continue
		}
		if name = strings.ToUpper(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func extentName(name string) bool {
	for _, c := range []byte(name[1:8]) {
		if !digit(c) {
			return false
		}
	}
	return strings.EqualFold(name[8:], ".LOG")
}

// nameByte tells whether a byte may be part of a queue manager's name, and so
// of a longer name in which a shorter one stands by chance.
func nameByte(c byte) bool { return letter(c) || digit(c) || strings.IndexByte("._/%", c) >= 0 }

// wordAt tells whether n bytes of a text are a name of their own: neither
// their neighbours belong to it, nor a point behind which it goes on.
func wordAt(text string, at, n int) bool {
	if at > 0 && nameByte(text[at-1]) {
		// In a double-byte code the second byte of a character may look like
		// a letter.
		if at < 2 || text[at-2] < 0x80 || utf8.ValidString(text) {
			return false
		}
	}
	rest := text[at+n:]
	switch {
	case rest == "" || !nameByte(rest[0]):
		return true
	case rest[0] != '.':
		return false
	}
	return len(rest) == 1 || !nameByte(rest[1])
}

// names tells whether a text holds a name as a word.
func names(text, name string) bool {
	for at := 0; name != ""; {
		n := strings.Index(text[at:], name)
		if n < 0 {
			return false
		}
		if wordAt(text, at+n, len(name)) {
			return true
		}
		at += n + 1
	}
	return false
}

// owner says whose a record is.
type owner uint8

const (
	unsaid owner = iota
	ours
	foreign
)

// owner tells whether a record is of a queue manager. Where neither the header
// nor the object says it, an insert or the message may.
func (r *Record) owner(queueManager string) owner {
	switch {
	case r.QueueManager == queueManager:
		return ours
	case r.QueueManager != "":
		return foreign
	case slices.Contains(r.Comment[:], queueManager), names(r.Text, queueManager):
		return ours
	}
	return unsaid
}

// Of tells whether a record is of a queue manager: it says so, or where it says
// nothing of whom it is of, its message names it.
func (r Record) Of(queueManager string) bool { return r.owner(queueManager) == ours }

var numberPattern = regexp.MustCompile(`\d+`)

// statistics reads the three numbers of AMQ7490: created, reused, deleted.
// They stand in this order in every language seen.
func (r Record) statistics() (numbers [3]int64, found bool) {
	_, text, _ := strings.Cut(r.Text, ":")
	digits := numberPattern.FindAllString(text, -1)
	if len(digits) != len(numbers) {
		return numbers, false
	}
	for i, number := range digits {
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return numbers, false
		}
		numbers[i] = n
	}
	return numbers, true
}

var percentPattern = regexp.MustCompile(`(\d+(?:[.,]\d+)?)[ \x{a0}]?%`)

// percent reads how full a file system is from AMQ5782: from its insert, else
// from what stands last before a percent sign, since a path may hold one.
func (r Record) percent() (float64, bool) {
	number := r.Arith[0]
	if found := percentPattern.FindAllStringSubmatch(r.Text, -1); number == "" && found != nil {
		number = found[len(found)-1][1]
	}
	n, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	return n, err == nil && n >= 0 && n <= 100
}

// quotedPath gives the path between apostrophes in a text.
func quotedPath(text string) (string, bool) {
	_, rest, found := strings.Cut(text, "'")
	path, _, closed := strings.Cut(rest, "'")
	return path, found && closed
}
