package cfbackup

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

// archiveWithin is how long the copying of an active log may take.
const archiveWithin = 30 * time.Minute

// actions orders the backups, and behind them the archiving of the logs where the
// run makes a recovery set. The host carries commands out one after the other, in
// the order of the plan, and confirms each before the next: so only one image is
// written at a time. No backup waits for another one to be done: one that fails
// keeps no other back (case 38).
func (v view) actions(c choice) []plugins.Action {
	var steps []plugins.Action
	var ids []string
	for _, p := range c.structures {
		if p.course != backUp {
			continue
		}
		step := v.backupStep(len(steps)+1, p)
		steps = append(steps, step)
		ids = append(ids, step.ID)
	}
	if !v.request.Config.Bool("recovery_set") || !v.complete(c) {
		return steps
	}
	for i, m := range v.archivable() {
		steps = append(steps, v.archiveStep(i+1, m, ids))
	}
	return steps
}

// backupStep makes the action that backs a structure up. CMDSCOPE is always said:
// without it whichever member got the command would write the image (trap 5).
func (v view) backupStep(n int, p planned) plugins.Action {
	s := p.structure
	was := v.before()
	was.failed = lastFailure(v.group, s.Name, p.member)
	if s.Backup.Taken() {
		was.backup = s.Backup
	}
	exclint := v.request.Config.Duration("exclint")
	return plugins.Action{
		ID:           fmt.Sprintf("backup-%d", n),
		QueueManager: p.member,
		Kind:         plugins.KindCommand,
		Command: plugins.Command{
			Language: observe.MQSC, QueueManager: p.member,
			Text: fmt.Sprintf("BACKUP CFSTRUCT(%s) CMDSCOPE(%s) EXCLINT(%d)", s.Name, p.member, int64(exclint/time.Second)),
		},
		Object: s.Name,
		Items:  was.items(),
		Within: v.request.Config.Duration("backup_within"),
		Reason: fmt.Sprintf("%s; it writes about %s to the log of %s", p.why, p.image, p.member),
	}
}

// archiveStep makes the action that has a member archive its log once all backups
// are done: the image on a member that does nothing else would stay in its active
// log (trap 8).
func (v view) archiveStep(n int, m qsg.Member, after []string) plugins.Action {
	was := v.before()
	for _, c := range m.Log.Copies {
		if c.DataSet != "" {
			was.logs = append(was.logs, c.DataSet)
		}
	}
	return plugins.Action{
		ID:           fmt.Sprintf("archive-log-%d", n),
		QueueManager: m.Name,
		Kind:         plugins.KindCommand,
		Command:      plugins.Command{Language: observe.MQSC, QueueManager: m.Name, Text: fmt.Sprintf("ARCHIVE LOG CMDSCOPE(%s)", m.Name)},
		Object:       "log of " + m.Name,
		Items:        was.items(),
		After:        after,
		Within:       archiveWithin,
		Reason:       "the recovery set ends where the logs of all members were archived, after the last backup",
	}
}

func (v view) before() before {
	b := before{group: v.group.Name, zone: v.request.Target.Zone}
	for _, m := range v.group.Members {
		b.members = append(b.members, m.Name)
	}
	return b
}
