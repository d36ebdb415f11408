package report

import (
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
)

// syntax is how a language writes a comment of one line.
type syntax struct{ open, close string }

var (
	blockComment = syntax{"/* ", " */"} // CL and IDCAMS
	starComment  = syntax{"* ", ""}     // MQSC
	hashComment  = syntax{"# ", ""}     // shells
)

func syntaxOf(language observe.Language) syntax {
	switch language {
	case observe.CL, observe.IDCAMS:
		return blockComment
	case observe.MQSC:
		return starComment
	default:
		return hashComment
	}
}

// commentWidth is the most text in one line of comment, so that the line fits
// a source member with its marks.
const commentWidth = 66

// scriptWriter writes comments and statements, each on lines of its own.
type scriptWriter struct {
	out    strings.Builder
	syntax syntax
	shell  bool // what is written is a shell script
	job    bool // what is written are jobs of z/OS
}

func (s *scriptWriter) line(text string) { s.out.WriteString(text + "\n") }

// blank writes an empty line. In a file of jobs that is a comment: a record of
// blanks between jobs would be data for the one before.
func (s *scriptWriter) blank() {
	if s.job {
		s.line("//*")
		return
	}
	s.out.WriteByte('\n')
}

// comment writes text as comments, as many lines as it takes. Whatever the
// text holds, it ends where its line ends: it has no line end, no */ and no
// sign of continuation.
func (s *scriptWriter) comment(text string) {
	for _, l := range strings.Split(wrap(ascii(text), commentWidth), "\n") {
		s.out.WriteString(s.syntax.open + defuse(l) + s.syntax.close + "\n")
	}
}

// defuse takes apart what begins or ends a comment and covers what would
// continue a line: MQSC joins the next line to one that ends in + or -.
func defuse(l string) string {
	l = strings.ReplaceAll(l, "*/", "* /")
	l = strings.ReplaceAll(l, "/*", "/ *")
	if strings.HasSuffix(l, "+") || strings.HasSuffix(l, "-") || strings.HasSuffix(l, `\`) {
		l += " ."
	}
	return l
}

// submit writes the statements of an action.
func (s *scriptWriter) submit(language observe.Language, action ledger.Action) {
	if s.shell {
		s.shellStatements(language, action)
		return
	}
	for _, text := range statements(action) {
		s.statement(language, text)
	}
}

// statement writes a statement that [unsafeStatement] has nothing against.
func (s *scriptWriter) statement(language observe.Language, text string) {
	if language == observe.CL {
		text = foldCL(text)
	}
	s.out.WriteString(text + "\n")
}
