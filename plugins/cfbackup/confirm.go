package cfbackup

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

// askAgain is after what time a backup that runs is looked at again. Each look is
// a few displays of the group.
const askAgain = 30 * time.Second

// Confirm tells what became of an action of [Plugin.Plan]. It works from the action
// alone. That BACKUP CFSTRUCT was accepted (CSQ9022I) proves nothing (trap 1), and
// its time proves nothing either (trap 2):
//
//   - done: the group shows another backup than when it was planned, by QMNAME,
//     BKUPSRBA and BKUPERBA;
//   - failed: a new CSQE106E says so, or the member has ended;
//   - retry: a new CSQE101I says that it did not begin, since the structure was in
//     use, and it is not any more;
//   - pending: it may still be running;
//   - unknown: the group can't be asked, or the backup went back.
//
// ARCHIVE LOG is done when other data sets are written and all full ones are
// archived. An action that is not one of these commands is an error.
func (p Plugin) Confirm(ctx context.Context, action plugins.Action, host plugins.Host) (plugins.Result, error) {
	command, err := mqsc.ParseCommand(action.Command.Text)
	verb := strings.ToUpper(command.Verb + " " + command.Object())
	if err != nil || action.Kind != plugins.KindCommand || verb != "BACKUP CFSTRUCT" && verb != "ARCHIVE LOG" {
		return plugins.Result{}, fmt.Errorf("confirming %s: %s %q is no command of this plugin", action.ID, action.Kind, action.Command.Text)
	}
	was, err := readBefore(action.Items)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	facts, look := qsg.Structures|qsg.Backups|qsg.Messages, was.backedUp
	if verb == "ARCHIVE LOG" {
		facts, look = qsg.Logs, was.archived
	}
	group, err := qsg.Read(ctx, host, was.target(), facts)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	result := look(&group, action)
	result.Action = action.ID
	return result, nil
}

// backedUp tells what became of a backup, by a fresh reading.
func (b before) backedUp(g *qsg.Group, action plugins.Action) plugins.Result {
	name := action.Object
	s, ok := g.Structure(name)
	if !ok || !s.Backup.Known {
		return plugins.Result{State: plugins.Unknown, Evidence: "the group does not tell the backup of " + name + openText(g)}
	}
	now := s.Backup
	if now.Taken() && !same(now, b.backup) {
		return b.moved(now, action.QueueManager)
	}
	evidence := "the last backup is still the one before: " + described(now)
	if result, ok := b.refused(g, s, action.QueueManager); ok {
		return result
	}
	if s.Status == qsg.InBackup || now.Status == qsg.InBackup {
		text := "; it is being backed up"
		if began, ok := lastBegun(g, name); ok {
			text = fmt.Sprintf("; %s is backing it up since %s", began.Member, began.At)
		}
		return plugins.Result{State: plugins.Pending, After: askAgain, Evidence: evidence + text}
	}
	m, ok := g.Member(action.QueueManager)
	if ok && (m.Status == qsg.MemberFailed || m.Status == qsg.MemberInactive) {
		return plugins.Result{State: plugins.Failed, Evidence: fmt.Sprintf("%s; %s has ended (%s), and the backup with it. Too little private storage ends a queue manager that takes a backup (00C510AB)", evidence, m.Name, m.Status)}
	}
	return plugins.Result{State: plugins.Pending, After: askAgain, Evidence: evidence}
}

// same tells whether two readings show the same backup. Between them the BSDS may
// have been converted to addresses of eight bytes, which leaves every place as it
// is (CSQJUCNV).
func same(a, b qsg.Backup) bool {
	return a.QueueManager == b.QueueManager && a.Start.Wide() == b.Start.Wide() && a.End.Wide() == b.End.Wide()
}

// moved judges a backup that is another one than before. Within one member's log
// it must lie behind the old one, and one of another member must not have ended
// before: a table that was put back shows an older one (trap 14).
func (b before) moved(now qsg.Backup, member string) plugins.Result {
	back := now.EndedAt.Before(b.backup.EndedAt.Time)
	if b.backup.QueueManager == now.QueueManager {
		order, ok := b.backup.End.Wide().Compare(now.Start.Wide())
		back = !ok || order > 0
	}
	if back {
		return plugins.Result{State: plugins.Unknown, Evidence: fmt.Sprintf("the last backup went back, from %s to %s", described(b.backup), described(now))}
	}
	evidence := "the last backup is " + described(now)
	if now.QueueManager != member {
		evidence += fmt.Sprintf("; %s took it, and not %s", now.QueueManager, member)
	}
	return plugins.Result{State: plugins.Done, Evidence: evidence}
}

// refused looks for a message of the member that is newer than when it was planned
// and says that the backup failed. Messages may be suppressed (trap 39): that there
// is none says nothing.
func (b before) refused(g *qsg.Group, s *qsg.Structure, member string) (plugins.Result, bool) {
	all := slices.DeleteFunc(failures(g, s.Name, member), func(e qsg.Event) bool { return e.At.Format(stampForm) <= b.failed })
	if len(all) == 0 {
		return plugins.Result{}, false
	}
	last := all[len(all)-1]
	text := fmt.Sprintf("%s at %s: %s", last.ID, last.At, last.Text)
	if strings.HasPrefix(last.ID, "CSQE106") {
		return plugins.Result{State: plugins.Failed, Evidence: text + "; " + causeOf(last.Values["REASON"], s.Name, member)}, true
	}
	if s.Status == qsg.Active && s.Backup.Status != qsg.InBackup {
		return plugins.Result{State: plugins.Retry, After: askAgain, Evidence: text + "; it is not in use any more"}, true
	}
	return plugins.Result{State: plugins.Failed, Evidence: text + "; it is in use (STATUS(" + string(s.Status) + "))"}, true
}

// described names a backup by what tells it apart.
func described(b qsg.Backup) string {
	if !b.Taken() && b.QueueManager == "" {
		return "none"
	}
	return fmt.Sprintf("%s %s to %s", b.QueueManager, b.Start, b.End)
}

// archived tells whether a member has switched its log and archived all that was
// written before.
func (b before) archived(g *qsg.Group, action plugins.Action) plugins.Result {
	m, ok := g.Member(action.QueueManager)
	if !ok || !m.Log.Known || len(b.logs) == 0 {
		return plugins.Result{State: plugins.Unknown, Evidence: "the state of the log of " + action.QueueManager + " is not known" + openText(g)}
	}
	var writing []string
	for _, c := range m.Log.Copies {
		if c.DataSet != "" {
			writing = append(writing, c.DataSet)
		}
	}
	evidence := fmt.Sprintf("%s writes %s, and wrote %s", m.Name, strings.Join(writing, " and "), strings.Join(b.logs, " and "))
	switched := len(writing) > 0 && !slices.ContainsFunc(writing, func(name string) bool { return slices.Contains(b.logs, name) })
	switch {
	case !switched:
		return plugins.Result{State: plugins.Pending, After: askAgain, Evidence: evidence}
	case !m.Log.ToOffload.Known || m.Log.ToOffload.Value > 0:
		return plugins.Result{State: plugins.Pending, After: askAgain, Evidence: evidence + "; it is not archived yet"}
	}
	return plugins.Result{State: plugins.Done, Evidence: evidence + "; all that was full is archived"}
}

// openText gives the first of what could not be learned.
func openText(g *qsg.Group) string {
	for _, f := range g.Open {
		if f.Severity == finding.Critical {
			return ": " + f.Text
		}
	}
	return ""
}
