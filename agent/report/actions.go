package report

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// batch is a number of actions of a plan that differ only in their object.
type batch struct{ actions []ledger.Action }

// batches puts actions together where one line says enough of all of them,
// in order of first appearance. What went wrong always has its own line.
func batches(actions []ledger.Action, verbose bool) []batch {
	type key struct{ manager, kind, language, outcome, reason, form string }
	var result []batch
	index := map[key]int{}
	for _, action := range actions {
		if verbose || !uniform(action) {
			result = append(result, batch{[]ledger.Action{action}})
			continue
		}
		k := key{action.QueueManager, action.Kind, action.Language, string(outcome(action)), action.Reason, form(action)}
		at, seen := index[k]
		if !seen {
			at = len(result)
			index[k] = at
			result = append(result, batch{})
		}
		result[at].actions = append(result[at].actions, action)
	}
	return result
}

// uniform tells whether the action is one of many of its kind, with nothing
// of its own to tell.
func uniform(action ledger.Action) bool {
	switch plugins.Kind(action.Kind) {
	case plugins.KindArchive, plugins.KindMarkArchived, plugins.KindDelete:
	default:
		return false
	}
	state := outcome(action)
	return state == plugins.Planned || state == plugins.Done || state == plugins.Skipped
}

// form is the statement without the name of what it is about: a delete with an
// option of its own is another one.
func form(action ledger.Action) string {
	name := action.Object[strings.LastIndexByte(action.Object, '/')+1:]
	if name == "" {
		return action.Command
	}
	text := strings.ReplaceAll(action.Command, name, "*")
	return saveFile.ReplaceAllString(text, "$1*")
}

// saveFile is the name of a save file in a statement, which stands for its
// segment.
var saveFile = regexp.MustCompile(`(SAVF\([^/)]*/)[^)]*`)

// words says what is done, why, and how the outcome is known.
func (b batch) words(platform string) string {
	first := b.actions[0]
	var parts []string
	switch own := mqhkItself(first, platform); {
	case own != "":
		parts = append(parts, own)
	case first.Command != "" && len(b.actions) > 1:
		parts = append(parts, "the first: "+first.Command)
	case first.Command != "":
		parts = append(parts, first.Command)
	}
	if len(b.actions) == 1 {
		if first.Reason != "" {
			parts = append(parts, "why: "+first.Reason)
		}
		if first.Evidence != "" {
			parts = append(parts, "known by: "+first.Evidence)
		}
	}
	return strings.Join(parts, "; ")
}

// mqhkItself says what no statement is sent for: mqhk reads and writes the files
// of a log itself. What stands for a delete in a plan is what a person would
// type, and nobody has typed it once an apply is over.
func mqhkItself(action ledger.Action, platform string) string {
	if observe.Platform(platform) != observe.Multiplatforms {
		return ""
	}
	switch kind := plugins.Kind(action.Kind); {
	case kind == plugins.KindArchive && action.Command == "":
		return "no statement: mqhk reads it, copies it to the store and reads the copy back"
	case kind == plugins.KindDelete && outcome(action) != plugins.Planned:
		return "no statement: mqhk removes the file itself"
	default:
		return ""
	}
}

// directoryOf gives the directory of the files that the actions name by their
// whole paths, where it is one; empty: they name none, or several.
func directoryOf(target ledger.Target) string {
	directory := ""
	for _, action := range target.Actions {
		folder, _ := path.Split(action.Object)
		switch {
		case !path.IsAbs(action.Object) || folder == "/":
		case directory == "":
			directory = folder
		case directory != folder:
			return ""
		}
	}
	return directory
}

func actionsPart(d *document, target ledger.Target, options Options) {
	d.heading(2, "Actions")
	if len(target.Actions) == 0 {
		d.line(say("None."))
		return
	}
	named := func(text string) string { return text }
	if directory := directoryOf(target); directory != "" {
		d.line(say("All files are in " + directory + ", which is left out below."))
		path := regexp.MustCompile(regexp.QuoteMeta(directory) + `([^/\s]+)`)
		named = func(text string) string { return path.ReplaceAllString(text, "$1") }
	}
	t := table{head: []string{"action", "object", "number", "outcome", "statement"}, right: []int{2}}
	for _, b := range batches(target.Actions, options.Verbose) {
		first, last := b.actions[0], b.actions[len(b.actions)-1]
		state := outcome(first)
		t.rows = append(t.rows, []cell{
			say(first.Kind), say(span(named(first.Object), named(last.Object))), say(strconv.Itoa(len(b.actions))),
			tell(outcomeTone(state), string(state)), say(named(b.words(target.Platform))),
		})
	}
	d.table(t)
}
