package policies

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/recovery"
)

// Sentence gives a policy as plain sentences, one a line, for the person who
// is to trust it: what it keeps, what it saves first, what it may delete,
// when, on which targets, within which limits, and what it promises after a
// failure.
func Sentence(p Policy) string {
	var b strings.Builder
	origin := ""
	if p.Bundled {
		origin = " (bundled)"
	}
	fmt.Fprintf(&b, "Policy %q%s", p.Name, origin)
	if p.Description != "" {
		fmt.Fprintf(&b, ": %s", p.Description)
	}
	b.WriteString("\n")
	for _, t := range p.Tasks {
		w := words{t, t.piece()}
		fmt.Fprintf(&b, "\nTask %q is done by plugin %s on targets %s.\n", t.Name, t.Plugin, strings.Join(t.Targets, ", "))
		lines := []string{w.keeps(), w.keepsMore(), w.goes(), w.limits(), w.remover(), w.may(), p.ScheduleOf(t).sentence(), w.config(), w.promise()}
		if about, ok := ofGroups[t.Plugin]; ok { // a strategy is about logs
			lines = []string{about, w.may(), p.ScheduleOf(t).sentence(), w.config()}
		}
		for _, line := range lines {
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// ofGroups are the plugins that look after queue-sharing groups and not after
// logs, with what they do.
var ofGroups = map[string]string{
	"cfbackup": "It says of each coupling facility structure whether RECOVER CFSTRUCT would work now, and backs up those that can be and are due, each on the member that the group names for it. " +
		"It never recovers one, and it deletes nothing.",
	"smdsexpand": "It says of each shared message data set how full it is, how many extents are left, when it may be full, and what to do. It deletes nothing, and never makes one smaller.",
}

// words speaks of one task; piece is what it calls a segment.
type words struct {
	Task
	piece string
}

// piece is the platform's word for what the plugin looks after.
func (t Task) piece() string {
	switch t.Plugin {
	case "journal":
		return "receiver"
	case extents:
		return "extent"
	}
	return "segment"
}

// extents is the plugin that looks after log extents, of which not only a
// policy decides.
const extents = "archive"

// onlyReports tells whether the task says what it would do and never does it.
func (w words) onlyReports() bool {
	return w.Plugin == extents && w.Strategy == recovery.Aggressive
}

// remover says what the queue manager's own setting makes of a task on log
// extents.
func (w words) remover() string {
	if w.Plugin != extents {
		return ""
	}
	archived := "it names no store, so none is archived there, and none goes."
	if w.Store != "" {
		archived = fmt.Sprintf("each complete one is saved in store %q and reported to it, needed or not.", w.Store)
	}
	removes := "It removes extents only where qm.ini says LogManagement=Manual."
	if w.onlyReports() {
		removes = "It removes NO extent: what would go where qm.ini says LogManagement=Manual is only reported."
	}
	return removes + " With LogManagement=Archive the queue manager itself removes those that it was told are archived: " + archived +
		" With LogManagement=Automatic, or a REPLICATED log, the queue manager removes them alone, and the task watches."
}

// keeps says what the strategy keeps on the system.
func (w words) keeps() string {
	saved := "would be saved first; no store is named, so it stays."
	if w.Store != "" {
		saved = fmt.Sprintf("is saved first in store %q; then it is deleted.", w.Store)
	}
	switch w.Strategy {
	case recovery.FastStartup:
		return fmt.Sprintf("It keeps every %s from the restart point on. "+
			"One that lies before it, but that the rebuild of an object still needs, %s", w.piece, saved)
	case recovery.Aggressive:
		if w.onlyReports() {
			return fmt.Sprintf("It would keep only the %s that is being written. That is never carried out: "+
				"a running queue manager must find all that a restart reads on the system.", w.piece)
		}
		return fmt.Sprintf("It keeps only the %s that is being written. "+
			"Any other that a recovery still needs %s", w.piece, saved)
	default:
		return fmt.Sprintf("It keeps every %s from the older of the restart point and the media recovery point on.", w.piece)
	}
}

// keepsMore says what is kept beyond the need.
func (w words) keepsMore() string {
	var more []string
	if w.Margin > 0 {
		more = append(more, fmt.Sprintf("the %d before those", w.Margin))
	}
	if w.KeepNewest > 0 {
		more = append(more, fmt.Sprintf("the %d newest ones", w.KeepNewest))
	}
	if w.MinAge > 0 {
		more = append(more, "any that has not been unneeded for "+formatDuration(w.MinAge))
	}
	if len(more) == 0 {
		return ""
	}
	return "Beyond that it keeps " + strings.Join(more, ", and ") + "."
}

// goes says what becomes of what no recovery needs.
func (w words) goes() string {
	if w.onlyReports() {
		return ""
	}
	if w.deletesNone() {
		return fmt.Sprintf("It deletes no %s: that is not among what its plugin may plan.", w.piece)
	}
	text := fmt.Sprintf("%s that no recovery needs may be deleted, the oldest first. One that was never saved ", w.one())
	switch w.Unsaved {
	case recovery.SaveUnsaved:
		return text + fmt.Sprintf("is saved in store %q before it is deleted.", w.Store)
	case recovery.DeleteUnsaved:
		return text + "is deleted WITHOUT A COPY."
	default:
		return text + "stays until the site has saved it."
	}
}

// one is a piece at the beginning of a sentence.
func (w words) one() string {
	if strings.ContainsRune("aeiou", rune(w.piece[0])) {
		return "An " + w.piece
	}
	return "A " + w.piece
}

// deletesNone tells whether the task lets its plugin plan no delete.
func (w words) deletesNone() bool { return !w.Allow.Has(Capability{Kind: AllowDelete}) }

// limits says how much one run may delete.
func (w words) limits() string {
	if w.onlyReports() || w.deletesNone() {
		return ""
	}
	count, share := "There is no limit to how many go in one run", "."
	if n := w.Limits.MaxDeletes; n > 0 {
		count = fmt.Sprintf("One run deletes at most %d of them", n)
	}
	if n := w.Limits.MaxPercent; n > 0 {
		share = fmt.Sprintf("; where more than %d per cent of those on the system would go, it deletes none.", n)
	} else if w.Limits.MaxDeletes > 0 {
		share = ", whatever share of those on the system that is."
	}
	return count + share
}

// may says what else than looking the plugin is let do. What a plugin does by
// itself no guard sees.
func (w words) may() string {
	if len(w.Allow) == 0 {
		return "Its plugin may only look and report: a plan with any action is refused."
	}
	var parts []string
	for _, c := range w.Allow {
		switch {
		case c.Kind == AllowCustom:
		case c.Verb != "":
			parts = append(parts, string(c.Verb))
		case c.Kind == AllowCommand:
			parts = append(parts, "ANY COMMAND that is a change")
		default:
			parts = append(parts, c.Kind)
		}
	}
	text := ""
	if len(parts) > 0 {
		text = "Its plugin may plan " + strings.Join(parts, ", ") + "; a plan with anything else is refused as a whole."
	}
	if w.Allow.Has(Capability{Kind: AllowCustom}) {
		text = strings.TrimPrefix(text+" Its plugin may ACT BY ITSELF (custom): such effects are outside the second key, nothing checks them.", " ")
	}
	return text
}

// config names the plugin's settings as they are written.
func (w words) config() string {
	var settings []string
	for _, argument := range w.Config.arguments {
		settings = append(settings, argument.name+" = "+argument.value.canonical())
	}
	if len(settings) == 0 {
		return ""
	}
	return fmt.Sprintf("The plugin is told %s.", strings.Join(settings, ", "))
}

// promise says what a failure would find.
func (w words) promise() string {
	promised := w.Strategy.Promised()
	if w.onlyReports() {
		return "Since it removes none, it changes nothing about what a recovery finds after a failure."
	}
	say := func(r recovery.Recovery) string {
		if r.Ready == recovery.AtOnce {
			return "begins at once"
		}
		return fmt.Sprintf("waits until %ss are restored from the store", w.piece)
	}
	return fmt.Sprintf("After a failure: a restart %s; the rebuild of a damaged object %s; "+
		"a restart while an object that start-up itself needs is damaged %s.",
		say(promised.Restart), say(promised.Rebuild), say(promised.StartUpDamage))
}

// oneLine folds a heredoc into a sentence.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
