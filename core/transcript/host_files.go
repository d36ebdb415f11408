package transcript

import (
	"regexp"
	"strconv"
	"strings"
)

// foreignLog are the files by which a plan knows that a directory holds the log
// of another product: Db2's and Domino's. Their makers named them.
var foreignLog = regexp.MustCompile(`(?i)^(SQLOG[A-Z]{3}(\.G?LFH)?(\.[0-9]+)?|SQLLPATH\.TAG|NLOGCTRL\.LFH|S[0-9]{7}\.TXN)$`)

// fileMode is a mode as ls shows it.
var fileMode = regexp.MustCompile(`^[-a-zD][-rwxsStTlL]{9}[+.@]?$`)

// directoryLine rewrites "name size [mtime owner mode]" of a LOGDIR answer. A
// name or an owner with blanks is quoted as in Go.
func (s *scrubber) directoryLine(line string) string {
	var out strings.Builder
	for field := 0; line != ""; field++ {
		blanks := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		out.WriteString(blanks)
		word, rest := cutField(line[len(blanks):])
		line = rest
		switch field {
		case 0:
			word = requoted(word, s.fileName)
		case 3:
			word = requoted(word, s.owner)
		default: // what is no number, time or mode there has no place
			if !harmless.MatchString(word) && !fileMode.MatchString(word) {
				word = s.words(word, strict)
			}
		}
		out.WriteString(word)
	}
	return out.String()
}

// cutField takes the first field off a line that begins with it.
func cutField(line string) (field, rest string) {
	field, err := strconv.QuotedPrefix(line)
	if err != nil {
		field = line[:len(line)-len(strings.TrimLeftFunc(line, func(r rune) bool { return r != ' ' && r != '\t' }))]
	}
	return field, line[len(field):]
}

// requoted rewrites what is inside the quotes of a field, if it has any.
func requoted(field string, rewrite func(string) string) string {
	inside, err := strconv.Unquote(field)
	if err != nil {
		return rewrite(field)
	}
	return strconv.Quote(rewrite(inside))
}

// fileName rewrites the name of a file among the extents.
func (s *scrubber) fileName(name string) string {
	if foreignLog.MatchString(name) {
		return s.known(name)
	}
	return s.path(name)
}

// owner rewrites user, or user:group.
func (s *scrubber) owner(owner string) string {
	user, group, both := strings.Cut(owner, ":")
	if !both {
		return s.guess(user)
	}
	return s.guess(user) + ":" + s.guess(group)
}

// named is a number with its name, as id prints users and groups.
var named = regexp.MustCompile(`([0-9]+)\(([^()]*)\)`)

// identity rewrites what id prints: the names, and what may stand behind them.
func (s *scrubber) identity(line string) string {
	var out strings.Builder
	end := 0
	for _, m := range named.FindAllStringSubmatchIndex(line, -1) {
		out.WriteString(s.words(line[end:m[0]], lenient))
		out.WriteString(line[m[0]:m[4]] + s.name(line[m[4]:m[5]]) + ")")
		end = m[1]
	}
	out.WriteString(s.words(line[end:], lenient))
	return out.String()
}

// control rewrites a control command: its name and its flags stay.
func (s *scrubber) control(text string) string {
	verb, rest := cutWord(text)
	return s.keywords(verb) + notBlank.ReplaceAllStringFunc(rest, func(word string) string {
		if strings.HasPrefix(word, "-") {
			return word
		}
		return s.keywords(word)
	})
}
