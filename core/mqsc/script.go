package mqsc

import (
	"errors"
	"iter"
	"slices"
)

// Statement is one command of a script and where it stands: the line and column
// of its verb and the line of its end, from 1.
type Statement struct {
	Command
	Line, Column, Last int
}

// BehindEnd is the text of the [*Error] for a command that stands behind the end
// of a script.
const BehindEnd = "a command behind the END of the script"

// scriptEnds are the commands by which runmqsc is left. END is documented; the
// others are taken too.
var scriptEnds = []string{"END", "EXIT", "QUIT"}

// notMQSC are control commands that dmpmqcfg writes in place of MQSC, when it
// is asked for them with -o.
var notMQSC = []string{"SETMQAUT", "GRTMQMAUT"}

// Script reads a file of commands, as a simulated queue manager loads one: what dmpmqcfg wrote, in any of its MQSC
// forms, or an input file of runmqsc. A command that can't be read is yielded
// as an [*Error], with a statement that only says where it was, and the reading
// goes on behind it. END, which is not yielded, ends the script; a command
// behind it is one more error and the last.
//
// The text may be UTF-8, with a byte order mark or none, or Windows-1252, of
// which ISO 8859-1 is a part, line by line. A keyword that comes twice in a
// command is an error ("Repeated parameters are not allowed"). Whether a verb
// exists, a script's reader does not know.
func Script(body []byte) iter.Seq2[Statement, error] {
	return func(yield func(Statement, error) bool) {
		ended := false
		for _, line := range fold(scriptText(body), true) {
			if !line.statements(&ended, yield) {
				return
			}
		}
	}
}

// statements yields the commands of one logical line, and tells whether to go
// on.
func (l logical) statements(ended *bool, yield func(Statement, error) bool) bool {
	r := &reader{logical: l, script: true}
	for r.next() || l.err != nil {
		start := r.i
		statement := r.statement(start)
		command, err := r.command()
		var place *Error
		switch {
		case *ended:
			r.i = start
			yield(statement, r.fail(BehindEnd))
			return false
		case l.err != nil:
			return yield(statement, l.err)
		case slices.Contains(notMQSC, r.verb(start)):
			r.i = start
			place = r.fail(r.verb(start) + " is a control command and no MQSC: dmpmqcfg was asked for it with -o")
		case errors.As(err, &place):
		case slices.Contains(scriptEnds, command.Verb) && len(command.Params) == 0:
			*ended = true
			continue
		default:
			place = r.repeated(command, start)
		}
		if place != nil {
			r.skip(start)
			if !yield(statement, place) {
				return false
			}
			continue
		}
		statement.Command = command
		if !yield(statement, nil) {
			return false
		}
	}
	return true
}

// statement gives a statement that says where one begins that starts at a
// character.
func (r *reader) statement(start int) Statement {
	at := r.end
	if start < len(r.at) {
		at = r.at[start]
	}
	return Statement{Line: at.line, Column: at.column, Last: r.end.line}
}

// verb gives the word at a character, in capitals.
func (r *reader) verb(start int) string {
	here := r.i
	defer func() { r.i = here }()
	r.i = start
	word, err := r.keyword()
	if err != nil {
		return ""
	}
	return word
}

// repeated gives the error for a keyword that comes twice.
func (r *reader) repeated(command Command, start int) *Error {
	seen := map[string]bool{}
	for _, param := range command.Params {
		if seen[param.Keyword] {
			r.i = start
			return r.fail("the keyword " + param.Keyword + " twice in one command")
		}
		seen[param.Keyword] = true
	}
	return nil
}

// skip passes a command that can't be read, up to the semicolon that ends it or
// the end of the line. A string that is not closed reaches to there.
func (r *reader) skip(start int) {
	quoted := false
	for r.i = start; r.i < len(r.text) && (quoted || r.text[r.i] != ';'); r.i++ {
		quoted = quoted != (r.text[r.i] == '\'')
	}
}
