package transcript

import (
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

var (
	// marked finds in MQ's output and files what stands out from prose: an
	// attribute with its value, which may hold one pair of parentheses of its
	// own (CONNAME), a JSON field, a word in quotes, an address.
	marked = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_]*)\(((?:'[^']*'|[^()']|\([^()]*\))*)\)` +
		`|"([A-Za-z_]+)"(\s*:\s*)"([^"]*)"` +
		`|'([^'\s]+)'` +
		`|(?i:\b(?:version|release|level|vrmf)[ \t:]+)[0-9]+(?:\.[0-9]+){1,3}\b`)
	// heading begins a stanza of an ini file.
	heading = regexp.MustCompile(`^\s*([A-Za-z]+):\s*$`)
	// remark is a comment line of such a file.
	remark = regexp.MustCompile(`^\s*[#;]`)
	// stanza is a line of an ini file.
	stanza = regexp.MustCompile(`^(\s*)([A-Za-z]+)(\s*=\s*)(.*)$`)
	// valueRun is one name in a value.
	valueRun = regexp.MustCompile(`[^\s,()']+`)
	// condition is one of an SQL question.
	condition = regexp.MustCompile(`([A-Za-z0-9_]+)(\s*=\s*')((?:[^']|'')*)(')`)
	// managerID is a queue manager's name and when it was made: QMID.
	managerID = regexp.MustCompile(`^([A-Za-z0-9._/%]{1,48})(_[0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9]{2}\.[0-9]{2}\.[0-9]{2})$`)
	notBlank  = regexp.MustCompile(`\S+`)
)

// document rewrites a line of MQ's own output or of one of its files: what is
// marked as a value is judged by what it is the value of, prose around it
// keeps all words but known names.
func (s *scrubber) document(line string) string {
	if remark.MatchString(line) {
		return s.words(line, personal)
	}
	if m := heading.FindStringSubmatch(line); len(m) > 1 && attributeNames[strings.ToUpper(m[1])] {
		return line
	}
	if m := stanza.FindStringSubmatch(line); m != nil {
		return m[1] + s.label(m[2]) + m[3] + s.setting(m[2], m[4])
	}
	return s.prose(line, func(gap string) string { return s.words(gap, lenient) })
}

// label rewrites a word before a value: known names in it, unless it is one
// of the product's.
func (s *scrubber) label(word string) string {
	if attributeNames[strings.ToUpper(word)] {
		return word
	}
	return s.known(word)
}

// prose rewrites the marked parts of a line and hands on what lies between.
func (s *scrubber) prose(line string, between func(string) string) string {
	var out strings.Builder
	end := 0
	for _, m := range marked.FindAllStringSubmatchIndex(line, -1) {
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return line[m[2*n]:m[2*n+1]]
		}
		out.WriteString(between(line[end:m[0]]))
		end = m[1]
		switch {
		case m[2] >= 0:
			out.WriteString(s.label(group(1)) + "(" + s.value(group(1), group(2)) + ")")
		case m[6] >= 0:
			out.WriteString(`"` + s.label(group(3)) + `"` + group(4) + `"` + s.setting(group(3), group(5)) + `"`)
		case m[12] >= 0:
			out.WriteString("'" + s.value("", group(6)) + "'")
		default:
			out.WriteString(line[m[0]:m[1]])
		}
	}
	out.WriteString(between(line[end:]))
	return out.String()
}

// value rewrites the value of an attribute. What is not known to be harmless
// is taken for a name.
func (s *scrubber) value(attribute, value string) string {
	attribute = strings.ToUpper(attribute)
	if pseudonym, known := s.lexicon.pseudonym(value); known && !enumerated[attribute] { // with a slash in it, it would pass for a path
		return pseudonym
	}
	if id := managerID.FindStringSubmatch(value); id != nil {
		return s.name(id[1]) + id[2]
	}
	switch {
	case textAttributes[attribute]:
		return s.words(value, personal)
	case pieceAttributes[attribute]:
		return valueRun.ReplaceAllStringFunc(value, s.piece)
	case versionAttributes[attribute] && !strings.ContainsFunc(value, isLetter):
		return value
	case strings.Contains(value, "://"):
		return s.words(value, strict)
	case strings.ContainsAny(value, `/\`) && strings.ContainsFunc(value, isLetter) && !harmless.MatchString(value):
		return s.path(value)
	}
	return valueRun.ReplaceAllStringFunc(value, func(run string) string {
		folded := strings.ToUpper(run)
		if enumerated[attribute] && vocabulary[folded] {
			return run
		}
		return s.judged(run)
	})
}

// judged rewrites one word that stands as a value.
func (s *scrubber) judged(run string) string {
	bare, port, _ := strings.Cut(run, ":")
	switch {
	case ipv4.MatchString(bare):
		return s.name(bare) + run[len(bare):]
	case port != "" && harmless.MatchString(port) && !strings.Contains(port, ":"):
		return s.guess(bare) + run[len(bare):]
	case productProgram.MatchString(strings.ToUpper(run)):
		return s.known(run)
	}
	if ip, ok := s.ipv6(run); ok {
		return ip
	}
	return s.guess(run)
}

// setting rewrites the value of an ini key or of a JSON field: a single word
// is judged as a value is, a sentence as prose.
func (s *scrubber) setting(key, value string) string {
	bare := strings.TrimSpace(value)
	switch {
	case versionAttributes[strings.ToUpper(key)]:
		return s.value(key, value)
	case strings.HasPrefix(bare, "/") || strings.Contains(value, `:\`):
		return s.path(value)
	case namedField.MatchString(key), notBlank.FindString(value) == bare && !strings.ContainsAny(value, "()'"):
		return s.value("", value)
	}
	return s.prose(value, func(gap string) string { return s.words(gap, lenient) })
}

var pathPart = regexp.MustCompile(`[^/\\,'"]+`)

// path rewrites the parts of a path but those that every installation has.
// The object types of the QSYS.LIB file system stay: LIB, USRSPC.
func (s *scrubber) path(path string) string {
	return pathPart.ReplaceAllStringFunc(path, func(part string) string {
		if productFolders[strings.ToUpper(strings.TrimSpace(part))] {
			return part
		}
		for _, kind := range []string{".LIB", ".USRSPC", ".JRNRCV", ".JRN", ".MSGQ"} {
			if base, ok := strings.CutSuffix(part, kind); ok {
				return s.name(base) + kind
			}
		}
		return s.guess(part)
	})
}

// question rewrites the text of a question as its language writes names.
func (s *scrubber) question(b *block) string {
	switch b.language {
	case observe.SQL, observe.DB2:
		return s.service(b.language, b.text)
	case observe.UsrSpc:
		return innerPart.ReplaceAllStringFunc(b.text, s.name)
	case observe.LogDir, observe.File, observe.Space:
		return s.path(b.text)
	}
	if b.language.OfHost() {
		if b.asksHost() {
			return b.text
		}
		return s.words(b.text, strict)
	}
	if b.language == observe.CTL {
		return s.control(b.text)
	}
	if b.language == observe.MVS {
		return s.facility(b.text)
	}
	verb, rest := cutWord(b.text)
	return s.prose(verb, s.keywords) + s.prose(rest, s.keywords)
}

// service rewrites the name of an SQL service with its conditions. Services
// are IBM's; in any other text known names are replaced.
func (s *scrubber) service(language observe.Language, text string) string {
	if _, _, err := observe.Classify(language, text); err != nil {
		text = s.words(text, lenient)
	}
	return condition.ReplaceAllStringFunc(text, func(c string) string {
		m := condition.FindStringSubmatch(c)
		return m[1] + m[2] + s.cell(columnOf(m[1]), m[3]) + m[4]
	})
}

// keywords rewrites the words of a command but those that make it one.
func (s *scrubber) keywords(text string) string {
	return notBlank.ReplaceAllStringFunc(text, func(word string) string {
		if attributeNames[strings.ToUpper(word)] {
			return word
		}
		return s.words(word, lenient)
	})
}
