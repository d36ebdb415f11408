package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/internal/shell"
	"github.com/mqhk/mqhk/plugins"
)

// prologue has a script end at the first command that fails, and defines what
// stands in front of every delete. A link of an extent's name is no extent.
var prologue = []string{
	`set -eu`,
	`LC_ALL=C; export LC_ALL`,
	`extent() {`,
	`    if test -f "$1" && test ! -L "$1"; then return 0; fi`,
	`    echo "$1 is not there, or is no file: stopped" >&2; exit 1`,
	`}`,
}

func (s *scriptWriter) prologue() {
	s.blank()
	for _, text := range prologue {
		s.line(text)
	}
}

// shellNotes say where and how the script is run.
func (s *scriptWriter) shellNotes(plan ledger.Target) {
	s.comment("Run it with sh on the host on which " + plan.Name + " runs, as a user of group mqm, with runmqsc in PATH (setmqenv). It ends at the first command that fails, or whose extent is not there.")
	for _, action := range plan.Actions {
		if kind := plugins.Kind(action.Kind); kind == plugins.KindDelete {
			s.comment("Before: RECLOG and MEDIALOG of DISPLAY QMSTATUS must not have gone back since it was observed, and the queue manager must be the same: not restored, not made anew.")
			break
		}
	}
	for _, action := range plan.Actions {
		if kind := plugins.Kind(action.Kind); kind == plugins.KindArchive || kind == plugins.KindMarkArchived {
			s.comment("What is to be saved first, and all that waits for it, stands here as a comment: only a copy that mqhk made in its own store comes back (mqhk archive restore). mqhk run --apply does all of it.")
			return
		}
	}
}

// managerName is what MQ takes for a queue manager's name.
var managerName = regexp.MustCompile(`^[A-Za-z0-9._/%]{1,48}$`)

// heredoc ends the input of runmqsc.
const heredoc = "MQSC"

// shellObjection says why an action can't stand in a shell script; empty when it
// can.
func shellObjection(action ledger.Action) string {
	switch observe.Language(action.Language) {
	case observe.CTL:
	case observe.MQSC:
		if !managerName.MatchString(action.QueueManager) {
			return fmt.Sprintf("%q is no name of a queue manager.", action.QueueManager)
		}
		if slices.Contains(statements(action), heredoc) {
			return "its statement is the end of the input itself."
		}
	default:
		return "statements in " + action.Language + " are not submitted by a shell."
	}
	switch plugins.Kind(action.Kind) {
	case plugins.KindMarkArchived: // SET LOG: it may be used again at once (case 36)
		return "the queue manager may use it again at once, so its copy is read once more before, which only mqhk does: mqhk run --apply."
	case plugins.KindDelete:
		if _, ok := quoted(action.Object); !ok {
			return "the path of the extent holds a character that a shell acts on."
		}
	}
	return ""
}

// quoted writes a path as a script holds it; false when it holds what can't be
// shown, or what [unsafeStatement] has against the statement that names it.
func quoted(path string) (string, bool) {
	word, ok := shell.Word(path)
	return word, ok && path != "" && !strings.ContainsAny(path, "'`")
}

// shellStatements writes the statements of an action: commands as they are, and
// MQSC as the input of runmqsc, whose exit code tells whether it was carried out.
// A delete stops the script where the extent is not there.
func (s *scriptWriter) shellStatements(language observe.Language, action ledger.Action) {
	if plugins.Kind(action.Kind) == plugins.KindDelete {
		word, _ := quoted(action.Object)
		s.line("extent " + word)
	}
	for _, text := range statements(action) {
		if language != observe.MQSC {
			s.line(text)
			continue
		}
		s.line("runmqsc " + action.QueueManager + " <<'" + heredoc + "'")
		s.line(text)
		s.line(heredoc)
	}
}
