package cfbackup

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// The notes that belong to a recovery set (mqhk note).
const (
	noteShipped  = "shipped"
	notePageSets = "pageset-backup"
)

// complete tells whether the run backs up every structure that can be: a recovery
// set is made when all backups are done, and not before ("Alternative site
// recovery", step 3).
func (v view) complete(c choice) bool {
	some := false
	for _, p := range c.structures {
		switch p.course {
		case backUp:
			some = true
		case cannot:
		default:
			return false
		}
	}
	return some
}

// archivable gives the members whose logs can be archived now: ARCHIVE LOG is
// refused on the last active log that is free, and does nothing good to a log that
// is suspended (CSQJ319I, trap 34).
func (v view) archivable() []qsg.Member {
	return slices.DeleteFunc(slices.Clone(v.group.Members), func(m qsg.Member) bool { return unarchivable(m) != "" })
}

// unarchivable tells why the log of a member can't be archived now.
func unarchivable(m qsg.Member) string {
	switch log := m.Log; {
	case m.Status != qsg.MemberActive:
		return fmt.Sprintf("%s is %s", m.Name, m.Status)
	case m.CommandServer != qsg.Yes:
		return "its command server did not answer"
	case !log.Known || !log.ToOffload.Known || !log.Total.Known:
		return "the state of its log is not known"
	case log.Suspended == qsg.Yes:
		return "its log is suspended"
	case log.ToOffload.Value >= log.Total.Value-1:
		return fmt.Sprintf("its active log is the last one that is free: %d of %d are not archived yet (CSQJ319I)", log.ToOffload.Value, log.Total.Value)
	}
	return ""
}

// recoverySet is what was shipped to another site, as far as notes tell: page sets,
// archive logs, and the table of backups with its rows of that time.
type recoverySet struct {
	valid answer
	why   string

	shipped map[string]qsg.Note // the newest of each member
	copied  time.Time           // when the oldest of them was made, and the table with it
	needs   bsds.LRSN           // from which the backups in that table need logs
}

// inNote finds the LRSN in the text of a note (mqhk note shipped GROUP): the one of
// the oldest backup of a structure at that time, as DISPLAY USAGE showed it.
var inNote = regexp.MustCompile(`\blrsn=([0-9A-Fa-f]{12}|[0-9A-Fa-f]{16})\b`)

// shippedSet judges the set that was shipped last. The backups in it are of no use
// once logs are gone that they need, since newer backups let them go: then table and
// archives have to be copied again (case 59, trap 14). False when none was noted.
func (v view) shippedSet() (recoverySet, bool) {
	set := recoverySet{shipped: map[string]qsg.Note{}}
	pageSets := map[string][]qsg.Note{}
	for _, n := range v.group.Notes {
		switch {
		case n.Kind == notePageSets:
			pageSets[n.On] = append(pageSets[n.On], n)
		case n.Kind == noteShipped && n.Position != "" && n.At.After(set.shipped[n.On].At):
			set.shipped[n.On] = n
		}
	}
	for _, n := range set.shipped {
		if set.copied.IsZero() || n.At.Before(set.copied) {
			set.copied = n.At
		}
		if parts := inNote.FindStringSubmatch(n.Text); parts != nil {
			if lrsn, err := bsds.ParseLRSN(parts[1]); err == nil && (!set.needs.Known() || lrsn.Before(set.needs)) {
				set.needs = lrsn
			}
		}
	}
	if len(set.shipped) == 0 {
		return set, false
	}
	var d doubts
	if !set.needs.Known() {
		d.say(notKnown, "the notes give no LRSN from which the backups need logs (lrsn=)")
	}
	for i := range v.group.Members {
		set.member(&v.group.Members[i], pageSets, &d)
	}
	set.valid, set.why = d.answer(), strings.Join(append(d.against, d.open...), "; ")
	return set, true
}

// member looks whether what the set needs of a member is there.
func (s *recoverySet) member(m *qsg.Member, pageSets map[string][]qsg.Note, d *doubts) {
	note, ok := s.shipped[m.Name]
	if !ok {
		d.say(notKnown, "nothing of %s is noted as shipped", m.Name)
		return
	}
	if !slices.ContainsFunc(pageSets[m.Name], func(n qsg.Note) bool { return !n.At.After(note.At) }) {
		d.say(notKnown, "no page set backup of %s from before is noted", m.Name)
	}
	if m.BSDS == nil {
		d.say(notKnown, "the BSDS of %s was not read", m.Name)
		return
	}
	shelf := newLogShelf(m)
	if from, err := bsds.ParseRBA(note.Position); err != nil {
		d.say(notKnown, "the note of %s gives no RBA: %q", m.Name, note.Position)
	} else if state, why := shelf.reachesRBA(from); state != yes {
		d.say(state, "the log of %s from %s on: %s", m.Name, from, why)
	}
	if !s.needs.Known() {
		return
	}
	if state, why := shelf.reaches(s.needs); state != yes {
		d.say(state, "the log of %s: %s", m.Name, why)
	}
}

// reachesRBA tells whether the log is there from a place on.
func (l *logShelf) reachesRBA(from bsds.RBA) (answer, string) {
	if newest, _, ok := l.print.Newest(); ok && from.Width() == bsds.Six && newest.Log.End.Width() == bsds.Eight {
		from = from.Wide() // the BSDS was converted since
	}
	switch l.print.Find(from) {
	case bsds.Dropped:
		return no, "the BSDS begins later"
	case bsds.Unclear, bsds.Ahead:
		return notKnown, "it can't be found in the BSDS"
	}
	end := l.print.HighestWritten
	if newest, _, ok := l.print.Newest(); ok && (!end.Known() || end.Before(newest.Log.End)) {
		end = newest.Log.End
	}
	if end.Before(from) {
		end = from
	}
	whole, ok := l.print.Cover(from, end)
	if !ok {
		return notKnown, "it can't be compared with the BSDS"
	}
	return l.readable(whole, from, end)
}

// reaches tells whether the log is there from an LRSN on.
func (l *logShelf) reaches(from bsds.LRSN) (answer, string) {
	whole, ok := l.since(from)
	if !ok {
		return l.beginsLater(from)
	}
	return l.readable(whole, whole.Range.From, whole.Range.To)
}
