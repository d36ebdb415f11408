package observe

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxText is the most bytes a text may have: the longest CL command.
const maxText = 32702

// ruled is what a language's table says of a text.
type ruled struct {
	class Class
	verb  Verb
}

// Classify reads a text and says what it would do if it were sent, and what
// its verb is. Only a [Display] may be asked.
//
// A text that nobody here can read, that holds a second command, or whose
// command is in no table is [Unknown], and the error says why; wrappers such as
// CALL or a pipe are among these, whatever they wrap. For the other classes the
// error is nil. A comment, a continued line and lower case change nothing.
//
// Views (LOGDIR, FILE, USRSPC, SPACE), SYSLOG and what the host answers are
// always displays, with the language as the verb. Every text must be free of
// NUL and other control characters; line ends only stand where the language
// continues lines.
func Classify(language Language, text string) (Class, Verb, error) {
	if len(text) > maxText {
		return Unknown, "", fmt.Errorf("%s: a text of %d bytes, more than %d", language, len(text), maxText)
	}
	found, err := classifyIn(language, text)
	if err == nil && found.class == Display && spoken(language) && strings.Contains(outsideQuotes(text), "DLTJRNRCV") {
		err = errors.New("a display in which DLTJRNRCV stands outside quotes")
	}
	if err != nil {
		return Unknown, found.verb, fmt.Errorf("%s: %w", language, err)
	}
	return found.class, found.verb, nil
}

func classifyIn(language Language, text string) (ruled, error) {
	switch language {
	case MQSC:
		return classifyMQSC(text)
	case CL:
		return classifyCL(text)
	case SQL, DB2:
		return classifyService(language, text)
	case CTL:
		return classifyControl(text)
	case IDCAMS:
		return classifyIDCAMS(text)
	case MVS:
		return classifyConsole(text)
	case Job:
		return classifyJob(text)
	case Syslog, LogDir, File, UsrSpc, Space, Store, Note, HoldOn, History:
		return ruled{Display, Verb(language)}, checkOneLine(text)
	default:
		return ruled{}, errors.New("no language of this program")
	}
}

// spoken tells whether texts of a language are commands, which a system
// executes as they are.
func spoken(language Language) bool {
	switch language {
	case MQSC, CL, CTL, IDCAMS, MVS:
		return true
	default:
		return false
	}
}

// checkOneLine refuses control characters, line ends among them, and what is not
// UTF-8: a lone byte may be a line end in another code page (0x85 is one in
// Latin-1).
func checkOneLine(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("the text is not UTF-8")
	}
	for i, c := range text {
		if c < ' ' || 0x7f <= c && c <= 0x9f || c == '\u2028' || c == '\u2029' {
			return fmt.Errorf("a control character or line end at byte %d", i)
		}
	}
	return nil
}

// outsideQuotes gives, in capitals, what stands outside single quotes.
func outsideQuotes(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "'") {
		if i%2 == 0 {
			b.WriteString(asciiUpper(part))
		}
	}
	return b.String()
}

// releaseWords are those by which a log piece is let go in one of the
// languages.
var releaseWords = regexp.MustCompile(`(?i)\b(DLTJRNRCV|DELETE_OLD_JOURNAL_RECEIVERS|DLTRCV|SET\s+LOG|ARCHIVED|ARCHLOG|DELETE|DLTOBJ|UNLINK|ERASE|RM|DEL)\b`)

// wrapper is the error for a command that executes another text.
func wrapper(name, text string) error {
	if word := releaseWords.FindString(text); word != "" {
		return fmt.Errorf("%s runs another command, and %s in it lets a log piece go: that is only the action delete or mark-archived of a segment", name, asciiUpper(word))
	}
	return fmt.Errorf("%s runs another command, which is not read", name)
}

// asciiUpper folds the letters a to z and no others, so that no other
// character becomes one. It goes byte by byte: for a byte that is no UTF-8
// strings.Map writes three, and what is found in the folded text would stand
// elsewhere in the text itself.
func asciiUpper(text string) string {
	folded := []byte(text)
	for i, c := range folded {
		if 'a' <= c && c <= 'z' {
			folded[i] = c - 'a' + 'A'
		}
	}
	return string(folded)
}
