package points

import (
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

// AskAgain is after what time something that has not shown yet is looked for
// again.
const AskAgain = 5 * time.Second

// Look is a fresh reading of a log, for a command that was given before.
type Look struct {
	Open []finding.Finding // what could not be learned
	// Stopped is the code that says that the queue manager does not run: what has
	// not shown will not.
	Stopped finding.Code
	// Harmless are critical findings that leave what is looked at readable.
	Harmless []finding.Code
}

// Became tells what became of the command. Shown says what can be seen of it:
// done, unknown, or that it does not show yet (pending), with its evidence. That a
// command was accepted proves nothing (case 11).
func (l Look) Became(shown func() (plugins.State, string)) plugins.Result {
	stopped := ""
	for _, f := range l.Open {
		switch {
		case f.Code == l.Stopped:
			stopped = f.Text
		case f.Severity == finding.Critical && !slices.Contains(l.Harmless, f.Code):
			return plugins.Result{State: plugins.Unknown, Evidence: f.Text}
		}
	}
	state, evidence := shown()
	switch {
	case state != plugins.Pending:
		return plugins.Result{State: state, Evidence: evidence}
	case stopped != "":
		return plugins.Result{State: plugins.Failed, Evidence: evidence + "; " + stopped}
	}
	return plugins.Result{State: plugins.Pending, After: AskAgain, Evidence: evidence}
}

// Items writes what a later look has to know, a word and its value each. What has
// no value is left out. It travels in an action: of a run that died nothing else
// is left.
func Items(wordsAndValues ...string) []string {
	var items []string
	for pair := range slices.Chunk(wordsAndValues, 2) {
		if pair[1] != "" {
			items = append(items, strings.Join(pair, " "))
		}
	}
	return items
}

// ReadItems reads what [Items] has written: the values by their words.
func ReadItems(items []string) map[string]string {
	values := make(map[string]string, len(items))
	for _, item := range items {
		word, value, _ := strings.Cut(item, " ")
		values[word] = value
	}
	return values
}
