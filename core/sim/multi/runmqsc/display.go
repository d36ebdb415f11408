package runmqsc

import (
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// display shows what a DISPLAY asks for. There is no DISPLAY LOG: that is of
// z/OS.
func (p *performer) display(command mqsc.Command) (string, error) {
	switch object := command.Object(); object {
	case "QMSTATUS":
		return p.displayStatus(command)
	case "QMGR":
		return p.displayManager(command)
	case "CONN":
		return p.displayConnections(command)
	case "QSTATUS", "QS":
		return p.displayQueueStatus(command)
	case "CHSTATUS", "CHS":
		// No channel runs on a simulated queue manager.
		return "", &refusal{p.says("AMQ8420", amqerr.Inserts{})}
	case "QUEUE", "Q":
		return p.displayObjects(command, classesOf(objects.FamilyOf(objects.Queue)...))
	case "CHANNEL", "CHL":
		return p.displayObjects(command, classesOf(objects.Channel, objects.ClientChannel))
	default:
		class, ok := classNamed(object)
		if !ok {
			return "", &syntaxError{0}
		}
		return p.displayObjects(command, []*objects.Class{class})
	}
}

// attribute is one of those that DISPLAY QMSTATUS, CONN and QSTATUS show of a T.
type attribute[T any] struct {
	name  string
	since level.Level
	value func(T) string
}

// always is an attribute that every level has.
func always[T any](name string, value func(T) string) attribute[T] {
	return attribute[T]{name: name, value: value}
}

// since is one that there is from a level on.
func since[T any](version, release, modification int, name string, value func(T) string) attribute[T] {
	return attribute[T]{name, level.Level{Version: version, Release: release, Modification: modification}, value}
}

// at drops the attributes that a level does not have.
func at[T any](l level.Level, all []attribute[T]) []attribute[T] {
	var kept []attribute[T]
	for _, a := range all {
		if l.AtLeast(a.since.Version, a.since.Release, a.since.Modification) {
			kept = append(kept, a)
		}
	}
	return kept
}

// knows tells whether one of the attributes has a name.
func knows[T any](all []attribute[T]) func(string) bool {
	return func(name string) bool {
		for _, a := range all {
			if a.name == name {
				return true
			}
		}
		return false
	}
}

// cells gives all attributes of one T.
func cells[T any](all []attribute[T], of T) []cell {
	shown := make([]cell, len(all))
	for i, a := range all {
		shown[i] = cell{name: a.name, value: a.value(of)}
	}
	return shown
}

// show prints the cells that a query asks for, and those that are always shown.
func (q query) show(all []cell, identity ...string) string {
	var shown []cell
	for _, c := range all {
		keep := q.shows(c.name)
		for _, name := range identity {
			keep = keep || c.name == name
		}
		if keep {
			shown = append(shown, c)
		}
	}
	return layout(shown)
}

// constant is an attribute's value that is the same for all.
func constant[T any](value string) func(T) string { return func(T) string { return value } }

// each shows those of a T that fit, each under its headline; nothing when none
// does.
func each[T any](p *performer, q query, id string, all []attribute[T], of []T, fits func(T) bool, identity ...string) string {
	var b strings.Builder
	for _, o := range of {
		if shown := cells(all, o); fits(o) && q.passes(shown) {
			b.WriteString(p.says(id, amqerr.Inserts{}) + q.show(shown, identity...))
		}
	}
	return b.String()
}
