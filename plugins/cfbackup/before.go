package cfbackup

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/points"
)

// before is what was the case when an action was planned. It travels in the items
// of the action: of a run that died nothing else is left. There is no time of the
// plan in it, so that an action whose outcome is not known is known again in a
// later plan, as long as nothing has changed: it is not sent again blindly.
type before struct {
	group   string
	members []string
	zone    string

	backup qsg.Backup // the last one then; its QueueManager empty: there was none
	failed string     // stamp of the last message then that a backup of it failed

	logs []string // ARCHIVE LOG: the data sets that were written
}

// The words that the items begin with. A backup is told by the member that took
// it and both ends of its image, never by its time (trap 2). The time only helps to
// see that a backup of another member is an older one.
const (
	itemGroup   = "group"
	itemMembers = "members"
	itemZone    = "zone"
	itemTaker   = "qmname"
	itemStart   = "bkupsrba"
	itemEnd     = "bkuperba"
	itemEnded   = "ended"
	itemFailed  = "failed"
	itemLogs    = "writing"
)

// items writes it, a word and its value each.
func (b before) items() []string {
	return points.Items(itemGroup, b.group, itemMembers, strings.Join(b.members, ","), itemZone, b.zone,
		itemTaker, b.backup.QueueManager, itemStart, b.backup.Start.String(), itemEnd, b.backup.End.String(),
		itemEnded, stamped(b.backup.EndedAt), itemFailed, b.failed, itemLogs, strings.Join(b.logs, ","))
}

// readBefore reads what items has written.
func readBefore(items []string) (before, error) {
	values := points.ReadItems(items)
	b := before{group: values[itemGroup], zone: values[itemZone], failed: values[itemFailed]}
	if b.group == "" {
		return before{}, fmt.Errorf("the action does not say of which group it is")
	}
	b.members, b.logs = listed(values[itemMembers]), listed(values[itemLogs])
	if b.backup.QueueManager = values[itemTaker]; b.backup.QueueManager == "" {
		return b, nil
	}
	b.backup.Known = true
	var err error
	if b.backup.Start, err = bsds.ParseRBA(values[itemStart]); err != nil {
		return before{}, fmt.Errorf("reading where the last backup was when it was planned: %w", err)
	}
	if b.backup.End, err = bsds.ParseRBA(values[itemEnd]); err != nil {
		return before{}, fmt.Errorf("reading where the last backup was when it was planned: %w", err)
	}
	b.backup.EndedAt, err = observe.ParseStamp(values[itemEnded])
	if err != nil {
		return before{}, fmt.Errorf("reading when the last backup ended when it was planned: %w", err)
	}
	return b, nil
}

func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// target gives the group to be looked at again.
func (b before) target() observe.Target {
	return observe.Target{Name: b.group, Platform: observe.ZOS, Group: true, Members: b.members, Zone: b.zone}
}

// failures gives the messages of a member that say that a backup of a structure
// failed, or did not begin since it was in use, in their order.
func failures(g *qsg.Group, structure, member string) []qsg.Event {
	var found []qsg.Event
	for _, e := range g.EventsOf("CSQE106", "CSQE101") {
		if e.Structure == structure && e.Member == member && !e.At.IsZero() {
			found = append(found, e)
		}
	}
	return found
}

// lastFailure gives the stamp of the newest of them.
func lastFailure(g *qsg.Group, structure, member string) string {
	newest := observe.Stamp{}
	for _, e := range failures(g, structure, member) {
		if e.At.After(newest.Time) {
			newest = e.At
		}
	}
	return stamped(newest)
}

// stamped writes a stamp as it travels; nothing for one that is not known.
func stamped(s observe.Stamp) string {
	if s.IsZero() {
		return ""
	}
	return s.Format(stampForm)
}

// stampForm is how a stamp travels: as it can be compared, with all that it has.
const stampForm = "2006-01-02T15:04:05.000"
