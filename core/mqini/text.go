package mqini

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// lines gives the lines of a file as text. A line that is not UTF-8 is taken as
// ISO 8859-1, in which every byte is a character: names and keywords of MQ are
// ASCII, and a description in the other encoding harms nothing.
func lines(body []byte) []string {
	text := strings.TrimPrefix(unmarked(body), "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	found := strings.Split(text, "\n")
	for i, line := range found {
		if !utf8.ValidString(line) {
			found[i] = latin1(line)
		}
	}
	return found
}

// unmarked turns UTF-16, which an editor on Windows may have written, into
// UTF-8, by its byte order mark.
func unmarked(body []byte) string {
	var order binary.ByteOrder
	switch {
	case len(body) >= 2 && body[0] == 0xff && body[1] == 0xfe:
		order = binary.LittleEndian
	case len(body) >= 2 && body[0] == 0xfe && body[1] == 0xff:
		order = binary.BigEndian
	default:
		return string(body)
	}
	var units []uint16
	for i := 2; i+1 < len(body); i += 2 {
		units = append(units, order.Uint16(body[i:]))
	}
	return string(utf16.Decode(units))
}

func latin1(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}
