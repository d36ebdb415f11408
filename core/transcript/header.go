package transcript

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/mqhk/mqhk/core/observe"
)

// mark begins every header line.
const mark = ">>>"

// header is a header line, read: the entry it makes and, for a block, where
// its body comes from.
type header struct {
	entry  entry
	attach string // file beside the transcript that holds the body; empty: the lines below
	base64 bool
}

var (
	// headerComment begins a comment: a # with white space on both sides.
	headerComment = regexp.MustCompile(`[ \t]#([ \t].*)?$`)
	// headerBase64 and headerAttach stand at the end of a block's header. A
	// name in quotes or parentheses belongs to the question: A = 'B' is an
	// SQL condition, not a file.
	headerBase64 = regexp.MustCompile(`(^|[ \t])BASE64$`)
	headerAttach = regexp.MustCompile(`(^|[ \t])=[ \t]+([^\s'"()=,;]+)$`)
)

// parseHeader reads a header line without its leading mark.
func parseHeader(line string) (header, error) {
	if at := headerComment.FindStringIndex(line); at != nil {
		line = line[:at[0]]
	}
	if at := strings.IndexFunc(line, unwritable); at >= 0 {
		return header{}, fmt.Errorf("%q has a control character in it, which no name and no question has", strings.TrimSpace(line))
	}
	word, rest := cutWord(line)
	switch word {
	case "":
		return header{}, errors.New("header says nothing")
	case "CLOCK", "QMGR", "QSG", "ZONE", "MEMBER":
		made, err := parseDirective(word, strings.Fields(rest))
		return header{entry: made}, err
	case "ERROR":
		language, rest := cutWord(rest)
		return parseBlock(language, rest, true)
	default:
		return parseBlock(word, rest, false)
	}
}

// unwritable tells characters that belong to no header: control characters
// but the tab, and those that only steer how text is shown.
func unwritable(r rune) bool {
	return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

func cutWord(line string) (word, rest string) {
	line = strings.TrimLeft(line, " \t")
	if at := strings.IndexAny(line, " \t"); at >= 0 {
		return line[:at], line[at:]
	}
	return line, ""
}

// parseBlock reads "QM: text [= NAME] [BASE64]" after the language.
func parseBlock(language, rest string, failed bool) (header, error) {
	b := &block{language: observe.Language(language), failed: failed}
	if !b.language.Known() {
		return header{}, fmt.Errorf("%q is neither a language nor a directive", language)
	}
	h := header{entry: b}
	rest = strings.TrimSpace(rest)
	if at := headerBase64.FindStringIndex(rest); at != nil {
		h.base64, rest = true, strings.TrimSpace(rest[:at[0]])
	}
	if at := headerAttach.FindStringSubmatchIndex(rest); at != nil {
		h.attach, rest = rest[at[4]:at[5]], strings.TrimSpace(rest[:at[0]])
		if err := plainName(h.attach); err != nil {
			return header{}, err
		}
	}
	manager, text, _ := strings.Cut(rest, ":")
	b.manager, b.text = strings.TrimSpace(manager), strings.TrimSpace(text)
	if err := managerName(b.manager); err != nil {
		return header{}, err
	}
	if headerBase64.MatchString(b.text) || headerAttach.MatchString(b.text) {
		return header{}, fmt.Errorf("header of %q ends with more than \"= NAME BASE64\"", b.text)
	}
	if b.text == "" && !answersAll(b.language) {
		return header{}, fmt.Errorf("%s %s asks nothing: a question follows the name after a colon", language, b.manager)
	}
	return h, nil
}

// answersAll tells whether a header of the language may leave out the
// question: what the host answers, and messages nobody asked for.
func answersAll(language observe.Language) bool {
	return language.OfHost() || language == observe.Syslog
}

// managerName checks the name of a queue manager or of a sharing group.
func managerName(name string) error {
	switch {
	case name == "":
		return errors.New("header names no queue manager")
	case strings.ContainsAny(name, " \t:") || len(name) > 48:
		return fmt.Errorf("%q is not the name of a queue manager: one word of at most 48 characters, without a colon", name)
	}
	return nil
}

// plainName checks the name of a file that holds a body. It has to lie beside
// the transcript: a transcript comes from strangers and must not read others.
func plainName(name string) error {
	if name == "." || name == ".." || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q is not a plain file name: the file of a body lies in the transcript's own folder", name)
	}
	return nil
}

// parseDirective reads the words after a directive's own.
func parseDirective(word string, args []string) (entry, error) {
	usage := map[string]string{
		"CLOCK":  "CLOCK [QM] 2026-05-28T02:00:00+02:00",
		"QMGR":   "QMGR NAME ibmi|multiplatforms|zos",
		"QSG":    "QSG NAME zos",
		"ZONE":   "ZONE QM Area/City",
		"MEMBER": "MEMBER QM QSG active|ended",
	}[word]
	switch {
	case word == "CLOCK" && len(args) == 1:
		return parseClock("", args[0])
	case word == "CLOCK" && len(args) == 2:
		return parseClock(args[0], args[1])
	case (word == "QMGR" || word == "QSG") && len(args) == 2:
		return parseTarget(word, args[0], args[1])
	case word == "ZONE" && len(args) == 2:
		return parseZone(args[0], args[1])
	case word == "MEMBER" && len(args) == 3 && (args[2] == "active" || args[2] == "ended"):
		return &member{manager: args[0], group: args[1], active: args[2] == "active"}, managerName(args[0])
	}
	return nil, fmt.Errorf("%s is written %s", word, usage)
}

// parseClock reads a time with its offset. Without one it would mean another
// moment on every machine that reads the file.
func parseClock(manager, text string) (entry, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a time: %s", text, clockMistake(text, err))
	}
	return &clock{manager: manager, at: fixed(at)}, nil
}

// clockMistake words what is wrong with a time. The library's own words show
// its layout, which looks like a time and is the form of none that anybody
// meant.
func clockMistake(text string, err error) string {
	const form = "write date, T, time and the offset from UTC, as in 2026-05-28T02:00:00+02:00"
	if _, bare := time.Parse("2006-01-02T15:04:05.999999999", text); bare == nil {
		return "the offset from UTC is missing; " + form
	}
	var parsing *time.ParseError
	if errors.As(err, &parsing) && parsing.Message != "" {
		return strings.TrimPrefix(parsing.Message, ": ") + "; " + form
	}
	return form
}

// fixed gives the same moment with the same offset in a location that depends
// on nothing else. An offset with seconds cannot be written and becomes UTC.
func fixed(at time.Time) time.Time {
	_, offset := at.Zone()
	if offset == 0 || offset%60 != 0 {
		return at.UTC()
	}
	return at.In(time.FixedZone("", offset))
}

func parseTarget(word, name, platform string) (entry, error) {
	p, err := observe.ParsePlatform(platform)
	if err != nil {
		return nil, err
	}
	if word == "QSG" && p != observe.ZOS {
		return nil, fmt.Errorf("a queue-sharing group is on zos, not on %s", p)
	}
	return &target{name: name, platform: p, group: word == "QSG"}, managerName(name)
}

func parseZone(name, area string) (entry, error) {
	if area == "Local" {
		return nil, errors.New("zone Local means another one on every machine: write Area/City")
	}
	if _, err := time.LoadLocation(area); err != nil {
		return nil, fmt.Errorf("zone of %s: %w", name, err)
	}
	return &zone{name: name, area: area}, managerName(name)
}
