package cfbackup

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// The kinds of objects.
const (
	kindRecovery  = "recovery" // the head of the report: the whole group
	kindStructure = "structure"
	kindMember    = "member" // that may take backups
	kindSet       = "recovery-set"
)

// objects gives what the report says: would RECOVER work right now, for the group
// and for each structure; the members that may take backups; the recovery set.
func (v view) objects(c choice) []plugins.Object {
	whole, why := v.whole()
	all := []plugins.Object{{
		Kind: kindRecovery, Name: v.group.Name, Verdict: whole.String(), Reason: "would RECOVER work right now: " + whole.String() + "; " + why,
		Facts: map[string]string{
			"protects": "persistent messages only",
			"once":     "RECOVER of all failed structures in one command reads each log once",
		},
	}}
	for _, p := range c.structures {
		all = append(all, v.structureObject(p))
	}
	for i, p := range c.places {
		all = append(all, v.placeObject(p, i == 0 && p.name == v.dedicated()))
	}
	if set, ok := v.shippedSet(); ok {
		all = append(all, set.object(v.group.Name))
	}
	return all
}

// facts collects facts; what is empty is left out.
type facts map[string]string

func (f facts) add(name, value string) {
	if value != "" {
		f[name] = value
	}
}

func (f facts) number(name string, n qsg.Number) {
	if n.Known {
		f[name] = strconv.FormatInt(n.Value, 10)
	}
}

func (v view) structureObject(p planned) plugins.Object {
	s := p.structure
	f := facts{}
	f.number("cflevel", s.Defined.Level)
	f.add("recover", s.Defined.Recover.String())
	f.add("recauto", s.Defined.Recauto.String())
	f.add("cfconlos", s.Defined.Conlos)
	f.add("status", string(s.Status))
	f.number("size_used", s.SizeUsed)
	f.number("entries_used", s.EntriesUsed)
	f.add("this_run", string(p.course))
	f.add("backed_up_on", p.member)
	object := plugins.Object{Kind: kindStructure, Name: s.Name, Facts: f}
	r, ok := v.ready[s.Name]
	if !ok {
		object.Verdict, object.Reason = string(cannot), p.why
		return object
	}
	f.add("this_run_why", p.why)
	f.add("image_estimate", p.image.String())
	v.backupFacts(f, s, r)
	object.Verdict, object.Reason = r.answer.String(), strings.Join(r.reasons, "; ")
	if object.Reason == "" {
		object.Reason = "every log that RECOVER reads is there"
	}
	return object
}

// backupFacts tells of the last backup, and of what a recovery from it reads.
func (v view) backupFacts(f facts, s qsg.Structure, r readiness) {
	f.add("recover_now", v.recoverNow(s))
	b := s.Backup
	if !b.Taken() {
		return
	}
	f.add("backup_ended", b.EndedAt.String())
	if r.aged {
		f.add("backup_age", ago(r.age))
	}
	f.add("backup_by", b.QueueManager)
	f.add("backup_start", b.Start.String())
	f.add("backup_end", b.End.String())
	f.number("backup_size", b.SizeMB)
	f.add("image_in", imagePlace(r))
	f.add("logs_from", r.from.String())
	var names []string
	for _, read := range r.reads {
		names = append(names, read.member)
	}
	f.add("logs_of", strings.Join(names, ","))
	if r.counts {
		f.add("log_to_read", points.SizeUp(r.bytes))
		f.add("minutes", minutes(r.takes))
	}
	f.add("risk", strings.Join(r.risks, "; "))
}

// minutes rounds up: a recovery is not promised to be quicker.
func minutes(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Minute-1)/time.Minute), 10)
}

// imagePlace tells whether the image is in active logs still.
func imagePlace(r readiness) string {
	active, archived := false, false
	for _, place := range r.image {
		active = active || !place.Archived
		archived = archived || place.Archived
	}
	switch {
	case active && archived:
		return "active and archive logs"
	case active:
		return "active logs"
	case archived:
		return "archive logs"
	}
	return ""
}

// recoverNow tells what RECOVER would do if a person gave it now (case 44). It is
// refused while neither the structure nor one of its data sets has failed.
func (v view) recoverNow(s qsg.Structure) string {
	failed := failedSets(v.group, s.Name)
	switch {
	case s.Status == qsg.Failed:
		return "it has failed: " + v.recoverCommand(s)
	case len(failed) > 0:
		return fmt.Sprintf("the data sets of %s have failed: %s sets the whole structure FAILED first and throws its nonpersistent messages away", strings.Join(failed, ", "), v.recoverCommand(s))
	case s.Status == "" || s.Status == qsg.Unknown:
		return ""
	}
	return "nothing to recover: RECOVER would be refused (CSQE102E)"
}

// failedSets names the owners of the data sets of a structure that have failed.
func failedSets(g *qsg.Group, structure string) []string {
	var owners []string
	for _, d := range g.DataSets {
		if d.Structure == structure && d.Status == qsg.Failed {
			owners = append(owners, d.Owner)
		}
	}
	return owners
}

// recoverCommand is the command that a person would give. It is never planned.
func (v view) recoverCommand(s qsg.Structure) string {
	return fmt.Sprintf("RECOVER CFSTRUCT(%s) TYPE(NORMAL)", s.Name)
}

func (v view) placeObject(p place, dedicated bool) plugins.Object {
	f := facts{}
	for _, c := range p.checks {
		f.add(strings.ReplaceAll(strings.ToLower(c.what), " ", "_"), c.says)
	}
	f.add("role", map[bool]string{true: "takes the backups", false: "stand-in"}[dedicated])
	f.add("active_log_room", p.ring.String())
	f.add("application_traffic", traffic(v.group, p.name))
	object := plugins.Object{Kind: kindMember, Name: p.name, Facts: f, Verdict: "can take backups"}
	if !p.fit() {
		object.Verdict, object.Reason = "can't take backups", p.lacks()
	}
	return object
}

func (s recoverySet) object(group string) plugins.Object {
	f := facts{"copied": s.copied.Format(time.RFC3339)}
	f.add("logs_from", s.needs.String())
	for name, note := range s.shipped {
		f.add("from_"+name, note.Position)
	}
	object := plugins.Object{Kind: kindSet, Name: group, Facts: f, Reason: s.why}
	object.Verdict = map[answer]string{yes: "valid", no: "invalid", notKnown: "not known"}[s.valid]
	if object.Reason == "" {
		object.Reason = "the logs that the copied backups need are there"
	}
	return object
}
