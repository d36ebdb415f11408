package cfbackup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/points"
)

// findings is what a person should know beside the objects.
func (v view) findings(c choice) []finding.Finding {
	var found []finding.Finding
	for _, p := range c.structures {
		found = append(found, v.structureFindings(p)...)
	}
	found = append(found, v.coverage(c)...)
	found = append(found, v.placeFindings(c)...)
	found = append(found, v.riskFindings()...)
	found = append(found, v.setFindings(c)...)
	return found
}

func (v view) say(code finding.Code, format string, args ...any) finding.Finding {
	return finding.About(v.group.Name, code, format, args...)
}

// structureFindings says what is wrong with one structure.
func (v view) structureFindings(p planned) []finding.Finding {
	s := p.structure
	r, ok := v.ready[s.Name]
	if !ok {
		return nil
	}
	found := v.failedFindings(s, r)
	switch never := s.Backup.Known && s.Backup.Status == qsg.None; {
	case never:
		found = append(found, v.say(finding.NeverBackedUp, "%s can be recovered, and was never backed up", s.Name))
	case r.answer == no:
		found = append(found, v.say(finding.RecoverWouldFail, "%s: %s", s.Name, strings.Join(r.reasons, "; ")))
	case r.answer == notKnown:
		found = append(found, v.say(finding.RecoverNotKnown, "%s: %s", s.Name, strings.Join(r.reasons, "; ")))
	}
	switch warn, critical := v.late(s); {
	case critical:
		found = append(found, v.say(finding.BackupDayOld, "%s: its last backup ended at %s, %s ago", s.Name, s.Backup.EndedAt, ago(r.age)))
	case warn:
		found = append(found, v.say(finding.BackupLate, "%s: its last backup ended at %s, %s ago, and there should be one every %s",
			s.Name, s.Backup.EndedAt, ago(r.age), ago(v.request.Config.Duration("interval"))))
	}
	switch p.course {
	case busy:
		found = append(found, v.say(finding.BackupRunning, "%s: %s", s.Name, p.why))
	case stuck:
		found = append(found, v.say(finding.BackupStuck, "%s: %s", s.Name, p.why))
	case blocked, doubtful:
		found = append(found, v.say(finding.BackupBlocked, "%s: %s", s.Name, p.why))
	}
	return append(found, v.failures(s)...)
}

// failures tells of the newest backup that failed since the last good one: the
// group's own display leaves the old values (trap 3).
func (v view) failures(s qsg.Structure) []finding.Finding {
	var last qsg.Event
	for _, e := range v.group.EventsOf("CSQE106") {
		if e.Structure == s.Name && !e.At.IsZero() && (last.ID == "" || e.At.After(last.At.Time)) {
			last = e
		}
	}
	if last.ID == "" || s.Backup.Taken() && !last.At.After(s.Backup.EndedAt.Time) {
		return nil
	}
	return []finding.Finding{v.say(finding.BackupFailed, "%s: a backup on %s failed at %s: %s",
		s.Name, last.Member, last.At, causeOf(last.Values["REASON"], s.Name, last.Member))}
}

// failedFindings tells what RECOVER would do to a structure that has failed, or of
// which a data set has: what it costs is for a person to weigh (case 44).
func (v view) failedFindings(s qsg.Structure, r readiness) []finding.Finding {
	failed := failedSets(v.group, s.Name)
	if s.Status != qsg.Failed && len(failed) == 0 {
		return nil
	}
	cost := "it reads the logs since the last backup, on one image"
	if r.counts {
		var names []string
		for _, read := range r.reads {
			names = append(names, read.member)
		}
		cost = fmt.Sprintf("it reads %s of log of %s, about %s minutes, on one image", points.SizeUp(r.bytes), strings.Join(names, ", "), minutes(r.takes))
	}
	race := ""
	if s.Defined.Recauto == qsg.Yes {
		race = "; RECAUTO(YES): it may have been begun by itself, and a second one is refused (CSQE101I)"
	}
	if s.Status == qsg.Failed {
		return []finding.Finding{v.say(finding.StructureFailed, "%s has failed. For a person: %s: %s; nonpersistent messages are lost; would it work: %s%s",
			s.Name, v.recoverCommand(s), cost, r.answer, race)}
	}
	return []finding.Finding{v.say(finding.StructureFailed,
		"%s is %s, and the data sets of %s have failed. For a person: %s sets the whole structure FAILED and throws its nonpersistent messages away, nobody can use it meanwhile; %s; would it work: %s%s",
		s.Name, s.Status, strings.Join(failed, ", "), v.recoverCommand(s), cost, r.answer, race)}
}

// coverage names the structures that can't be backed up, against the definitions:
// BACKUP CFSTRUCT(*) passes over them without a word (trap 6).
func (v view) coverage(c choice) []finding.Finding {
	var not, can []string
	for _, p := range c.structures {
		if p.course == cannot {
			not = append(not, fmt.Sprintf("%s (%s)", p.structure.Name, inWord(p.structure)))
		} else {
			can = append(can, p.structure.Name)
		}
	}
	slices.Sort(not)
	slices.Sort(can)
	text := "no structure can be recovered"
	if len(can) > 0 {
		text = "of " + strings.Join(can, ", ") + " only persistent messages are protected"
	}
	if len(not) > 0 {
		text += "; not recoverable: " + strings.Join(not, ", ")
	}
	if len(can)+len(not) == 0 {
		return nil
	}
	return []finding.Finding{v.say(finding.NotRecoverable, "%s", text)}
}

// inWord says in a word why a structure can't be backed up.
func inWord(s qsg.Structure) string {
	if s.Defined.Recover == qsg.No {
		return "RECOVER(NO)"
	}
	return fmt.Sprintf("CFLEVEL(%d)", s.Defined.Level.Value)
}

// placeFindings says where backups are taken, if not where they should be.
func (v view) placeFindings(c choice) []finding.Finding {
	var found []finding.Finding
	for _, m := range v.group.Members {
		if m.Log.Suspended == qsg.Yes {
			found = append(found, v.say(finding.LogWriteSuspended, "%s: its log is suspended; RESUME QMGR LOG at its console", m.Name))
		}
	}
	if len(v.ready) == 0 {
		return found
	}
	if !c.fit() {
		return append(found, v.say(finding.NoBackupMember, "%s", v.nobody(c)))
	}
	for _, p := range c.places {
		if c.writes[p.name] == 0 {
			continue
		}
		if p.name != v.dedicated() {
			why := c.place(v.dedicated()).lacks()
			if why == "" {
				why = "it can't back up all structures"
			}
			found = append(found, v.say(finding.StandInUsed, "%s stands in for %s: %s", p.name, orNobody(v.dedicated()), why))
		} else if text := traffic(v.group, p.name); text != "" {
			found = append(found, v.say(finding.BackupHasTraffic, "%s", text))
		}
	}
	return found
}

func orNobody(name string) string {
	if name == "" {
		return "a dedicated member, of which none is named"
	}
	return name
}

// nobody says why no member takes backups, and which could if it were named.
func (v view) nobody(c choice) string {
	var parts []string
	for _, p := range c.places {
		parts = append(parts, p.name+" can't take backups: "+p.lacks())
	}
	if len(parts) == 0 {
		parts = append(parts, "no member is named that takes the backups")
	}
	var others []string
	for _, m := range v.group.Members {
		if p := v.placeOf(m.Name); p.fit() && !slices.ContainsFunc(c.places, func(q place) bool { return q.name == p.name }) {
			others = append(others, m.Name)
		}
	}
	if len(others) > 0 {
		parts = append(parts, "able, and not named for it: "+strings.Join(others, ", "))
	}
	return strings.Join(parts, "; ")
}

// riskFindings tells which logs may be gone before the next backup, each once,
// and how often to back up.
func (v view) riskFindings() []finding.Finding {
	var found []finding.Finding
	var said []string
	for _, s := range v.group.Structures {
		for _, risk := range v.ready[s.Name].risks {
			if !slices.Contains(said, risk) {
				said = append(said, risk)
				found = append(found, v.say(finding.LogsExpire, "%s: %s%s", s.Name, risk, v.advice()))
			}
		}
	}
	return found
}

func (v view) advice() string {
	every, ok := often(v.group.Members)
	if !ok || every <= 0 {
		return ""
	}
	return "; back up at least every " + ago(every)
}

// setFindings speaks of the recovery set: of the one that this run makes, and of
// the one that was shipped.
func (v view) setFindings(c choice) []finding.Finding {
	var found []finding.Finding
	if set, ok := v.shippedSet(); ok && set.valid == no {
		found = append(found, v.say(finding.RecoverySetInvalid, "copied at %s: %s", set.copied.In(v.clock.zone).Format(stampForm[:16]), set.why))
	}
	if !v.request.Config.Bool("recovery_set") {
		return append(found, v.imageFindings()...)
	}
	var lacks []string
	if !v.complete(c) {
		lacks = append(lacks, "not every structure is backed up: no log is archived for it")
	}
	for _, m := range v.group.Members {
		if why := unarchivable(m); why != "" {
			lacks = append(lacks, fmt.Sprintf("the log of %s can't be archived: %s", m.Name, why))
		}
	}
	if len(lacks) > 0 {
		found = append(found, v.say(finding.RecoverySetOpen, "%s", strings.Join(lacks, "; ")))
	}
	if v.complete(c) {
		found = append(found, v.say(finding.CopyBackupTable,
			"after the last backup: SELECT * FROM %s (UNLOAD or DSNTIAUL); when table, archives and page sets are shipped: mqhk note shipped %s",
			qsg.BackupTable, v.group.Name))
	}
	return found
}

// imageFindings names the members of which images are in active logs alone, where
// they are not offloaded by themselves for want of other work (trap 8).
func (v view) imageFindings() []finding.Finding {
	by := map[string][]string{}
	for _, s := range v.group.Structures {
		if r := v.ready[s.Name]; imagePlace(r) == "active logs" && r.aged && r.age >= 2*v.request.Config.Duration("interval") {
			by[s.Backup.QueueManager] = append(by[s.Backup.QueueManager], s.Name)
		}
	}
	var found []finding.Finding
	for _, m := range v.group.Members {
		if names := by[m.Name]; len(names) > 0 {
			found = append(found, v.say(finding.ImageNotArchived, "the images of %s are in active logs of %s alone", strings.Join(names, ", "), m.Name))
		}
	}
	return found
}
