package observe

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// pinForRemotes pins every receiver while a remote journal may not have
// received it: one that is not active, one that lags, or one of which
// nothing can be learned. The system would refuse, or ask with CPA705E
// (reference, IBM i 1.9; case 9).
func (g *gatherer) pinForRemotes() {
	why := g.remoteBehind()
	segments := g.facts.Inventory.Segments
	for i := range segments {
		switch state := segments[i].State; {
		case state == recovery.Absent || state == recovery.Empty:
		case why != "":
			segments[i].Pin = why
		case g.facts.Journal.RemoteJournals < 0 && !g.remotesSeen && state != recovery.Saved && state != recovery.Freed:
			segments[i].Pin = "never saved, and whether a remote journal wants it is not known: the delete option that answers for the one answers for the other"
		}
	}
}

// remoteBehind gives why a remote journal may still want receivers; empty
// when none does.
func (g *gatherer) remoteBehind() string {
	j := g.facts.Journal
	t, ok := g.table(fmt.Sprintf("QSYS2.REMOTE_JOURNAL_INFO SOURCE_JOURNAL_LIBRARY='%s' SOURCE_JOURNAL='%s'", j.Library, j.Name), true)
	if !ok {
		if j.RemoteJournals > 0 {
			return fmt.Sprintf("%d remote journals are defined, and what they have received is not known", j.RemoteJournals)
		}
		return "" // nothing says that there is any
	}
	g.remotesSeen = true
	found := 0
	for _, row := range t.Rows() {
		if !row.Is("SOURCE_JOURNAL_LIBRARY", j.Library) || !row.Is("SOURCE_JOURNAL", j.Name) {
			continue
		}
		found++
		if why := rowBehind(row); why != "" {
			return why
		}
	}
	if found < j.RemoteJournals {
		g.open(finding.ListIncomplete, "%d remote journals are listed, %s/%s says it has %d", found, j.Library, j.Name, j.RemoteJournals)
	}
	return ""
}

// rowBehind tells whether one remote journal may lack entries. The unit of
// the columns that tell how far it is behind does not matter here: anything
// but zero is behind.
func rowBehind(row Row) string {
	name := "remote journal on " + row.Text("REMOTE_DATABASE_NAME")
	switch state := word(row, "REMOTE_JOURNAL_STATE"); state {
	case "ACTIVE":
	case "":
		return name + " is in a state that is not known, and may not have received it"
	default:
		return fmt.Sprintf("%s is %s, and may not have received it", name, strings.ToLower(state))
	}
	for _, column := range []string{"ESTIMATED_TIME_BEHIND", "NUMBER_ENTRIES_BEHIND", "ENTRIES_BEHIND"} {
		if behind, ok := row.Get(column); ok && strings.Trim(behind, "0.") != "" {
			return fmt.Sprintf("%s is behind (%s %s)", name, strings.ToLower(column), behind)
		}
	}
	return ""
}
