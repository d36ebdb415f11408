package archive

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// logFindings says what the log and its file system themselves show.
func logFindings(facts observe.ExtentFacts, request plugins.Request) []finding.Finding {
	var found []finding.Finding
	add := func(code finding.Code, text string) {
		if text != "" {
			found = append(found, finding.New(code, "%s: %s", request.Target.Name, text))
		}
	}
	add(finding.ActiveSpanLong, activeSpan(facts.Log))
	add(finding.LogFilling, logFilling(facts.Log, request.Config.Int("log_percent")))
	add(finding.FileSystemFilling, fileSystemFilling(facts.Log, request))
	if hidden := facts.Log.Suppressed; len(hidden) > 0 {
		add(finding.MessagesSuppressed, "qm.ini keeps "+strings.Join(hidden, ", ")+" out of the error log")
	}
	add(finding.OthersMayDelete, othersMayDelete(facts.Log))
	return found
}

// activeSpan tells whether a restart reads more extents than there are primary
// files: then secondary ones are in use, on a linear log too.
func activeSpan(log observe.Log) string {
	_, restart, err := observe.ParseExtent(log.Restart)
	_, current, errCurrent := observe.ParseExtent(log.Current)
	if err != nil || errCurrent != nil || log.Primary <= 0 {
		return ""
	}
	span := observe.ExtentDistance(restart, current) + 1
	if span <= log.Primary {
		return ""
	}
	text := fmt.Sprintf("a restart reads %s, %s to %s, and there are %d primary files", points.Pieces(span, piece), log.Restart, log.Current, log.Primary)
	if log.Secondary > 0 {
		text += fmt.Sprintf(" and %d secondary ones", log.Secondary)
	}
	return text
}

func logFilling(log observe.Log, limit int64) string {
	var full []string
	if int64(log.InUse) >= limit {
		full = append(full, fmt.Sprintf("%d per cent of the primary files are in use for a restart (LOGINUSE)", log.InUse))
	}
	if int64(log.Utilised) >= limit {
		full = append(full, fmt.Sprintf("the work of late needs %d per cent of them (LOGUTIL)", log.Utilised))
	}
	return strings.Join(full, "; ")
}

// fileSystemFilling tells whether the file system of the log is as full as the
// task says, and how full in whole per cent, rounded up as df does.
func fileSystemFilling(log observe.Log, request plugins.Request) string {
	if log.Size <= 0 {
		return ""
	}
	used := float64(log.Size-log.Free) / float64(log.Size) * 100
	if used < float64(request.Config.Int("file_system_percent")) {
		return ""
	}
	return fmt.Sprintf("the file system of %s is %.0f per cent full, %s are free; mqhk plan --need SIZE --target %s says what can go",
		log.Directory, math.Ceil(used), points.SizeDown(log.Free), request.Target)
}

// mqmGroup is the group that the queue manager's files belong to.
const mqmGroup = "mqm"

// othersMayDelete tells who but the owner and the group mqm may delete in the
// directory, and what takes the right away. Write permission on the directory is
// all that a delete takes; with the sticky bit only the owner of a file may
// delete it. A group that is called as the owner is holds nobody else. What is
// not told, as on Windows, is no finding.
func othersMayDelete(log observe.Log) string {
	mode := log.Mode
	if len(mode) < len("drwxrwxrwx") || mode[0] != 'd' || strings.ContainsRune("tT", rune(mode[9])) {
		return ""
	}
	owner, group, told := strings.Cut(log.Owner, ":")
	var who, remedy []string
	if mode[8] == 'w' {
		who, remedy = append(who, "every user"), append(remedy, "chmod o-w")
	}
	if mode[5] == 'w' && told && group != mqmGroup && group != owner {
		who, remedy = append(who, "the group "+group), append(remedy, "chgrp "+mqmGroup)
	}
	if len(who) == 0 {
		return ""
	}
	return fmt.Sprintf("%s may delete files in %s (%s, %s); remedy: %s", strings.Join(who, " and "), log.Directory, mode, log.Owner, strings.Join(remedy, ", "))
}

// joinFindings tells where copies in the stores do not join up with what is on
// the system: a recovery that begins in them ends at the hole.
func (v view) joinFindings() []finding.Finding {
	segments := v.manager.Inventory.Segments
	from, need := len(segments), recovery.Need{}
	for _, n := range v.manager.Inventory.Needs {
		if n.Kind != recovery.DataBackup && n.Kind != recovery.Media {
			continue
		}
		begun := sort.Search(len(segments), func(i int) bool { return segments[i].From > n.From })
		if at := max(begun-1, 0); at < from {
			from, need = at, n
		}
	}
	copied := make(map[recovery.SegmentID]bool)
	for _, c := range v.manager.Inventory.Copies {
		copied[c.Segment] = copied[c.Segment] || c.Verified
	}
	first, hole := "", ""
	for _, s := range segments[from:] {
		switch {
		case s.State != recovery.Absent && hole == "":
			return nil
		case s.State != recovery.Absent:
			return []finding.Finding{finding.New(finding.ArchiveBroken, "%s: the copies from %s on do not reach the extents on the system: %s is in no store, and the range of need that begins before it (%s, %s) ends there",
				v.request.Target.Name, first, hole, need.Kind, need.Source)}
		case copied[s.ID] && first == "":
			first = s.ID.Name
		case !copied[s.ID] && first != "" && hole == "":
			hole = s.ID.Name
		}
	}
	return nil
}
