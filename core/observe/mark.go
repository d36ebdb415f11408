package observe

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/mqhk/mqhk/core/recovery"
)

// mark is a recovery point of an IBM i queue manager as one source gives it:
// by the name of a receiver, by the time of an entry, or by both.
type mark struct {
	kind    recovery.NeedKind
	library string // empty: not given
	name    string // of the receiver; empty: not given
	gone    bool   // the name was all asterisks: the receiver is not on the system
	entry   Stamp  // zero: not given
	source  string // for people: where to check it
}

// goneName is how MQ writes the name of a receiver that has been deleted
// from the system (reference, IBM i 2.3).
const goneName = "**********"

// receiverPattern fits the names that MQ generates: AMQ, the journal's
// letter, the restore digit and five digits.
var receiverPattern = regexp.MustCompile(`AMQ[A-Z][0-9]{6}`)

// parseUserSpace reads the 37 characters of AMQJRNINF: receiver, library and
// YYYYMMDDHHMMSSmmm, in ASCII or EBCDIC (reference, IBM i 2.3). Behind them
// nothing may stand: a second entry there would be as good as the first.
func parseUserSpace(body []byte) (mark, error) {
	text := decodeSpace(body)
	if len(text) != spaceLength {
		return mark{}, fmt.Errorf("it holds %d characters instead of %d", len(text), spaceLength)
	}
	m := mark{kind: recovery.Published}
	name, library, entry := strings.TrimSpace(text[:10]), strings.TrimSpace(text[10:20]), text[20:]
	switch {
	case name == goneName:
		m.gone = true
	case name != "" && !objectName(name):
		return mark{}, fmt.Errorf("%q is no name of a receiver", name)
	default:
		m.name = name
	}
	if library != "" && !objectName(library) {
		return mark{}, fmt.Errorf("%q is no name of a library", library)
	}
	m.library = library
	stamp, err := ParseStamp(entry)
	if err != nil || stamp.IsZero() {
		return mark{}, fmt.Errorf("%q is no time of an entry", entry)
	}
	m.entry = stamp
	return m, nil
}

// spaceLength is how many characters AMQJRNINF holds.
const spaceLength = 37

// decodeSpace gives the text of a user space that came as bytes in a CCSID
// of the EBCDIC family, or as text, without the blanks, NULs and line ends
// behind it.
func decodeSpace(body []byte) string {
	if len(body) < spaceLength || !ebcdicDigits(body[20:spaceLength]) {
		return strings.TrimRight(string(body), " \r\n\x00")
	}
	body = bytes.TrimRight(body, "\x40\x25\x15\x0d\x0a\x00")
	decoded := make([]rune, len(body))
	for i, b := range body {
		decoded[i] = charmap.CodePage037.DecodeByte(b)
	}
	return string(decoded)
}

func ebcdicDigits(body []byte) bool {
	for _, b := range body {
		if b < 0xF0 || b > 0xF9 {
			return false
		}
	}
	return true
}

// objectName tells whether a text can be the name of an IBM i object.
func objectName(name string) bool {
	if name == "" || len(name) > 10 {
		return false
	}
	for i, c := range name {
		letter := c >= 'A' && c <= 'Z' || strings.ContainsRune("$#@", c)
		inner := c >= '0' && c <= '9' || c == '_' || c == '.'
		if !letter && (i == 0 || !inner) {
			return false
		}
	}
	return true
}

// String gives what the mark says, for people.
func (m mark) String() string {
	var parts []string
	switch {
	case m.gone:
		parts = append(parts, goneName)
	case m.name != "":
		parts = append(parts, m.name)
	}
	if !m.entry.IsZero() {
		parts = append(parts, m.entry.String())
	}
	return strings.Join(parts, " ")
}
