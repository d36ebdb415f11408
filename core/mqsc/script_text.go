package mqsc

import (
	"strings"
	"unicode/utf8"
)

// scriptText gives a script as UTF-8. A line that is not UTF-8 is taken as
// Windows-1252. The mark at the front and the Ctrl-Z at the end, which editors
// of Windows write, are no part of the text.
func scriptText(body []byte) string {
	text := strings.TrimPrefix(string(body), "\ufeff")
	text = strings.TrimSuffix(text, "\x1a")
	if utf8.ValidString(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !utf8.ValidString(line) {
			lines[i] = windows1252(line)
		}
	}
	return strings.Join(lines, "\n")
}

// high are the characters 80 to 9F of Windows-1252, those that ISO 8859-1 uses
// for controls. Five of them are none.
var high = []rune("€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ")

func windows1252(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := rune(text[i])
		if 0x80 <= c && c <= 0x9f {
			c = high[c-0x80]
		}
		b.WriteRune(c)
	}
	return b.String()
}
