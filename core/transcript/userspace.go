package transcript

import (
	"bytes"
	"errors"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// The layout of AMQJRNINF: receiver 10, library 10, time 17 characters.
const (
	spaceLibrary = 10
	spaceTime    = 20
	spaceEnd     = 37
)

// receiver keeps a receiver's name, which fills its field or has blanks behind
// it, but for known names in it.
func (s *scrubber) receiver(field string) string {
	name := strings.TrimRight(field, " ")
	return s.piece(name) + field[len(name):]
}

// space rewrites a user space of the layout of AMQJRNINF, in EBCDIC as the
// system holds it or in ASCII as a person writes it: the library gets its
// pseudonym, receiver and time stay, and what lies behind them becomes zero
// bytes, or blanked text where it is text.
func (s *scrubber) space(body []byte) ([]byte, error) {
	if len(body) < spaceEnd {
		return nil, errors.New("shorter than the 37 characters of AMQJRNINF, so the library in it cannot be found")
	}
	out := bytes.Clone(body)
	decode, encode := func(b byte) byte { return b }, func(b byte) byte { return b }
	if isEBCDIC(body[spaceTime:spaceEnd]) || isEBCDIC(body[:spaceLibrary]) {
		decode, encode = fromEBCDIC, toEBCDIC
	}
	for _, field := range []struct {
		from, to int
		rewrite  func(string) string
	}{{0, spaceLibrary, s.receiver}, {spaceLibrary, spaceTime, s.name}, {spaceTime, spaceEnd, letterless}} {
		text := make([]byte, field.to-field.from)
		for i := range text {
			if text[i] = decode(body[field.from+i]); text[i] < ' ' || text[i] > '~' {
				return nil, errors.New("a name in it is not readable")
			}
		}
		renamed := field.rewrite(string(text))
		if len(renamed) != len(text) {
			return nil, errors.New("a name in it is not readable")
		}
		for i := range text {
			out[field.from+i] = encode(renamed[i])
		}
	}
	switch behind := out[spaceEnd:]; {
	case textual(body):
		copy(behind, blank(string(behind)))
	case len(bytes.Trim(behind, "\r\n")) > 0:
		clear(behind)
	}
	return out, nil
}

// letterless keeps the digits of a time. Letters there are those of a name
// that is too long for its field.
func letterless(field string) string {
	return strings.Map(func(r rune) rune {
		if isLetter(r) {
			return 'X'
		}
		return r
	}, field)
}

// isEBCDIC tells EBCDIC digits, letters and stars from ASCII ones: ASCII has
// nothing above 0x7f.
func isEBCDIC(field []byte) bool {
	for _, b := range field {
		if b >= 0x80 || b == 0x5c && bytes.Count(field, []byte{0x5c}) == len(field) {
			return true
		}
	}
	return false
}

// Letters, digits, period, underscore, asterisk and blank are the same in
// every EBCDIC CCSID; $ # @ are those of 37.
func toEBCDIC(b byte) byte {
	code, _ := charmap.CodePage037.EncodeRune(rune(b)) // a pseudonym has no other characters
	return code
}

// fromEBCDIC gives 0 for what is no character of ASCII.
func fromEBCDIC(b byte) byte {
	if r := charmap.CodePage037.DecodeByte(b); r <= unicode.MaxASCII {
		return byte(r)
	}
	return 0
}
