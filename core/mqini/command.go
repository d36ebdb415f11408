package mqini

import (
	"strings"
	"unicode"
)

// isCommand tells whether a line is the command that dspmqinf -o command
// prints, with or without a path in front.
func isCommand(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == "addmqinf" || strings.HasSuffix(word, "/addmqinf") || strings.HasSuffix(strings.ToLower(word), `\addmqinf.exe`)
}

// command reads addmqinf -s QueueManager -v Name=Value ... as the stanza that
// it would add. It has no InstallationName: the command leaves that out
// ("dspmqinf", parameter -o command).
func (p *parser) command(text string) {
	words, closed := split(text)
	if !closed {
		p.problem("a quote is not closed")
		return
	}
	kind := "QueueManager" // what the command adds without -s
	var values []string
	for i := 1; i < len(words); i++ {
		flag := words[i]
		if i++; (flag != "-s" && flag != "-v") || i == len(words) {
			p.problem("no parameter of addmqinf that is known")
			return
		}
		if flag == "-s" {
			kind = words[i]
		} else {
			values = append(values, words[i])
		}
	}
	if !key.MatchString(kind) {
		p.problem("no name of a stanza behind -s")
		return
	}
	p.begin(kind)
	for _, word := range values {
		name, value, found := strings.Cut(word, "=")
		if !found {
			p.problem("-v without an attribute and its value")
			continue
		}
		p.attribute(strings.TrimSpace(name), strings.TrimSpace(value))
	}
}

// split gives the words of a command line without their quotes, and whether
// every quote is closed. A backslash is a character like any other, as in a
// path of Windows.
func split(text string) (words []string, closed bool) {
	var quote rune
	var word strings.Builder
	begun := false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, c := range text {
		switch {
		case quote == 0 && unicode.IsSpace(c):
			end()
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case c == quote:
			quote = 0
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	end()
	return words, quote == 0
}
