package cl

import "strings"

const (
	maxDepth  = 64    // brackets within brackets; CL itself allows far fewer
	maxLength = 32702 // characters of one command ("Command length" in the CL reference)
)

// Parse reads a text that holds one command. Comments and empty lines may
// stand around it; anything else, a second command above all, is an error. The
// error is an [*Error].
func Parse(text string) (Command, error) {
	lines, err := commandLines(text)
	if err != nil {
		return Command{}, err
	}
	switch len(lines) {
	case 0:
		return Command{}, &Error{1, 1, "there is no command"}
	case 1:
		return parseLine(lines[0])
	}
	second := reader{logical: lines[1]}
	second.blanks()
	return Command{}, second.fail("a second command")
}

// ParseScript reads a text of several commands, one on each line that is not
// continued; empty lines and comments are passed over. The error is an
// [*Error].
func ParseScript(text string) ([]Command, error) {
	lines, err := commandLines(text)
	if err != nil {
		return nil, err
	}
	var commands []Command
	for _, line := range lines {
		command, err := parseLine(line)
		if err != nil {
			return nil, err
		}
		commands = append(commands, command)
	}
	return commands, nil
}

// commandLines gives the logical lines that are not blank.
func commandLines(text string) ([]logical, error) {
	lines, err := fold(text)
	if err != nil {
		return nil, err
	}
	var kept []logical
	for _, line := range lines {
		if strings.Trim(string(line.text), " \t") != "" {
			kept = append(kept, line)
		}
	}
	return kept, nil
}

// reader goes through one logical line.
type reader struct {
	logical
	i int
}

func parseLine(line logical) (Command, error) {
	r := reader{logical: line}
	if len(line.text) > maxLength {
		return Command{}, r.fail("a command is longer than 32702 characters")
	}
	command, err := r.head()
	for err == nil && r.gap() {
		var param Param
		if param, err = r.param(); err != nil {
			break
		}
		if problem := command.add(param); problem != "" {
			err = r.fail(problem)
		}
	}
	if err == nil && r.i < len(r.text) {
		err = r.fail("a blank is missing between two parameters")
	}
	if err != nil {
		return Command{}, err
	}
	return command, nil
}

// add puts a parameter behind the others, or says why it can't. Once a keyword
// was used the others need theirs, and none comes twice. (CL, "Parameter values
// in positional form".)
func (c *Command) add(param Param) (problem string) {
	if param.Keyword == "" {
		if n := len(c.Params); n > 0 && c.Params[n-1].Keyword != "" {
			return "a parameter without a keyword behind one that has a keyword"
		}
	} else if _, twice := c.Get(param.Keyword); twice {
		return "the keyword " + param.Keyword + " twice"
	}
	c.Params = append(c.Params, param)
	return ""
}

// head reads the label and the command's name.
func (r *reader) head() (command Command, err error) {
	r.blanks()
	if r.peek() == '?' {
		return command, r.fail("prompting needs a person at a screen")
	}
	first, err := r.until(':')
	if err != nil {
		return command, err
	}
	if r.peek() == ':' {
		if CheckName(first) != nil {
			return command, r.fail("a label that is no name")
		}
		command.Label = first
		r.i++
		r.blanks()
		if first, err = r.until(0); err != nil {
			return command, err
		}
	}
	parts := splitQualified(first)
	command.Name = parts[len(parts)-1]
	if len(parts) > 1 {
		command.Library = parts[0]
	}
	if len(parts) > 2 || CheckName(command.Name) != nil || len(parts) == 2 && !library(command.Library) {
		return command, r.fail("no command's name")
	}
	return command, nil
}

func library(name string) bool {
	return CheckName(name) == nil || strings.HasPrefix(name, "*") && keyword(name[1:])
}

// param reads KEYWORD(values), a word, quoted text or a list.
func (r *reader) param() (Param, error) {
	value, err := r.value(0)
	if err != nil {
		return Param{}, err
	}
	switch value.Kind {
	case Keyed:
		if !keyword(value.Text) {
			return Param{}, r.fail("no parameter's keyword")
		}
		return Param{Keyword: value.Text, Values: value.Values}, nil
	case List:
		return Param{Values: value.Values}, nil
	default:
		return Param{Values: []Value{value}}, nil
	}
}

// peek gives the next character, 0 at the end.
func (r *reader) peek() rune {
	if r.i < len(r.text) {
		return r.text[r.i]
	}
	return 0
}

func (r *reader) blanks() {
	for r.i < len(r.text) && blank(r.text[r.i]) {
		r.i++
	}
}

// gap passes blanks, and tells whether there were any and something follows
// them.
func (r *reader) gap() bool {
	start := r.i
	r.blanks()
	return r.i > start && r.i < len(r.text)
}

// fail makes an error at the next character.
func (r *reader) fail(text string) error {
	at := r.end
	if r.i < len(r.at) {
		at = r.at[r.i]
	}
	return &Error{at.line, at.column, text}
}
