package collector

import (
	"regexp"
	"strings"
)

// lastColumn is how far a line of a script goes. RUNSQLSTM reads 80 columns
// unless MARGINS says otherwise (IBM Docs, RUNSQLSTM), and leaves out the rest
// without a word; the last eight are those of sequence numbers in a source
// member.
const lastColumn = 72

// beforeLiteral is how far the words may go that stand before a literal.
const beforeLiteral = 24

// literal writes a text as SQL literals, joined. The first follows what stands
// on the line already, the others begin lines of their own at the indent. A
// statement that is prepared from them fails at run time where a level lacks a
// service, which a handler catches.
func literal(indent int, text string) string {
	room := lastColumn - max(indent, beforeLiteral) - len("'';")
	var pieces []string
	for first := true; first || text != ""; first = false {
		n := piece(text, room)
		pieces = append(pieces, "'"+strings.ReplaceAll(text[:n], "'", "''")+"'")
		text = text[n:]
		room = lastColumn - indent - len("CONCAT '';")
	}
	return strings.Join(pieces, "\n"+strings.Repeat(" ", indent)+"CONCAT ")
}

// clause begins a line of a statement that is folded.
var clause = regexp.MustCompile(`^(FROM|WHERE|ORDER BY) `)

// piece gives how many bytes of a text fit into a literal: up to a clause of
// a SELECT, else after a blank or a comma where there is one. An apostrophe
// takes two.
func piece(text string, room int) int {
	best := 0
	for i := range len(text) {
		if room--; text[i] == '\'' {
			room--
		}
		if room < 0 {
			if best > 0 {
				return best
			}
			return i
		}
		if i > 0 && clause.MatchString(text[i:]) {
			return i
		}
		if text[i] == ' ' || text[i] == ',' {
			best = i + 1
		}
	}
	return len(text)
}

// comment writes a text without blanks as lines of a comment.
func comment(text string) string {
	const head = "--   "
	var lines []string
	for text != "" {
		n := min(len(text), lastColumn-len(head))
		lines = append(lines, head+text[:n])
		text = text[n:]
	}
	return strings.Join(lines, "\n")
}

// assignment writes the assignment of a variable of the shell, as lines of a
// comment to be typed from. The value has no character of the shell's own
// (Options are checked).
func assignment(name, value string) string {
	var lines []string
	for before := ""; value != ""; before = "${" + name + "}" {
		head := "--     " + name + "=" + before
		n := min(len(value), lastColumn-len(head))
		lines = append(lines, head+value[:n])
		value = value[n:]
	}
	return strings.Join(lines, "\n")
}
