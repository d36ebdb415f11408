package mqsc

import (
	"regexp"
	"strings"
)

// Setting is a parameter of a DISPLAY LOG, ARCHIVE or SYSTEM report: its initial
// value, and the one that a SET command gave it, if there is one.
type Setting struct {
	Name         string // in capitals
	Initial, Set string
	Changed      bool // Set was printed
}

// Value gives the value that holds.
func (s Setting) Value() string {
	if s.Changed {
		return s.Set
	}
	return s.Initial
}

var (
	// settingRow is a name and its values. A value may hold single blanks.
	settingRow = regexp.MustCompile(`^[ \t]*([A-Z][A-Z0-9]{2,11})(?:[ \t]+(\S+(?: \S+)*))?(?:[ \t]{2,}(\S+(?: \S+)*))?[ \t]*$`)
	setHeading = regexp.MustCompile(`(?i)\bSET[ \t]+VALUE`)
)

// Settings reads the report below CSQJ322I. In which column a single value
// stands says whether it is the initial one: a SET value that stands alone is
// one of which the initial value is blank.
func (m Message) Settings() []Setting {
	var settings []Setting
	set := -1 // where the second column of values begins
	for _, line := range m.Lines {
		if at := setHeading.FindStringIndex(line); at != nil {
			set = at[0]
			continue
		}
		if tableEnd.MatchString(line) {
			break
		}
		parts := settingRow.FindStringSubmatchIndex(line)
		if parts == nil || dashes.MatchString(line) || parts[4] < 0 {
			continue
		}
		found := Setting{Name: line[parts[2]:parts[3]], Initial: line[parts[4]:parts[5]]}
		switch {
		case parts[6] >= 0:
			found.Set, found.Changed = line[parts[6]:parts[7]], true
		case set >= 0 && parts[4] >= set:
			found.Initial, found.Set, found.Changed = "", found.Initial, true
		}
		settings = append(settings, found)
	}
	return settings
}

// LogStatus is the report below CSQJ370I, as printed; what it lacks is empty.
type LogStatus struct {
	Copies     []LogCopy
	Restarted  string // local date and time
	RestartRBA string
	LatestRBA  string
	Offload    string // AVAILABLE, BUSY, ...
	ToOffload  string // full logs that are not archived
	Total      string
	Suspended  bool // logging is suspended, by SUSPEND QMGR LOG
}

// LogCopy is one copy of the log that is being written. A copy that is inactive
// has no data set.
type LogCopy struct{ Copy, Full, DataSet string }

var (
	restartedAt   = regexp.MustCompile(`(?i)\bRESTARTED AT ([0-9-]{10}[ T-][0-9:.]{8})(?:.*\bRBA=([0-9A-F]{12,16})\b)?`)
	latestRBA     = regexp.MustCompile(`(?i)\bLATEST RBA=([0-9A-F]{12,16})\b`)
	usingRBA      = regexp.MustCompile(`(?i)^[ \t]*(?:USING )?RBA=([0-9A-F]{12,16})\b`)
	offloadTask   = regexp.MustCompile(`(?i)\bOFFLOAD TASK IS ([A-Z][A-Z ]*?)[.,]?[ \t]*$`)
	fullLogs      = regexp.MustCompile(`(?i)\bFULL LOGS TO OFFLOAD *-? *([0-9]+) OF ([0-9]+)`)
	logsSuspended = regexp.MustCompile(`(?i)\bLOGGING\b.*\bSUSPENDED\b|\bSUSPENDED\b.*\bLOGGING\b`)
	logCopyRow    = regexp.MustCompile(`^[ \t]*([12])[ \t]+([0-9]{1,3})\b[ \t]*(.*)$`)
)

// LogStatus reads the report.
func (m Message) LogStatus() LogStatus {
	var s LogStatus
	for _, line := range m.Lines {
		if parts := restartedAt.FindStringSubmatch(line); parts != nil {
			s.Restarted, s.RestartRBA = parts[1], parts[2]
		} else if parts := usingRBA.FindStringSubmatch(line); parts != nil && s.Restarted != "" && s.RestartRBA == "" {
			s.RestartRBA = parts[1] // of a line that was folded
		}
		if parts := latestRBA.FindStringSubmatch(line); parts != nil {
			s.LatestRBA = parts[1]
		}
		if parts := offloadTask.FindStringSubmatch(line); parts != nil {
			s.Offload = strings.ToUpper(parts[1])
		}
		if parts := fullLogs.FindStringSubmatch(line); parts != nil {
			s.ToOffload, s.Total = parts[1], parts[2]
		}
		s.Suspended = s.Suspended || logsSuspended.MatchString(line)
		if parts := logCopyRow.FindStringSubmatch(line); parts != nil && s.Restarted == "" {
			s.Copies = append(s.Copies, LogCopy{parts[1], parts[2], logDataSet(parts[3])})
		}
	}
	return s
}

// logDataSet gives the last word of a row that is a data set's name; newer
// releases print zHyperWrite and encryption in front of it.
func logDataSet(rest string) string {
	words := strings.Fields(rest)
	if len(words) == 0 || !strings.Contains(words[len(words)-1], ".") {
		return ""
	}
	return words[len(words)-1]
}

// DataSetUse is a row below CSQI070I: the oldest log that something needs.
type DataSetUse struct {
	From    string // an RBA, or an LRSN; empty: nothing was printed
	DataSet string
}

// The rows below CSQI070I ("DISPLAY USAGE", TYPE(DATASET)).
const (
	OldestUnit      = "unit of work"
	OldestPageSet   = "page set"
	OldestStructure = "structure"
)

var (
	oldestRow = []struct {
		kind string
		form *regexp.Regexp
	}{
		{OldestUnit, regexp.MustCompile(`(?i)\bOLDEST\b.*\b(UNIT OF WORK|UNIT OF RECOVERY|UOW)\b`)},
		{OldestPageSet, regexp.MustCompile(`(?i)\bOLDEST\b.*\bPAGE ?SET\b`)},
		{OldestStructure, regexp.MustCompile(`(?i)\bOLDEST\b.*\bCF\b.*\bSTRUCTURE\b`)},
	}
	usePlace   = regexp.MustCompile(`\b([0-9A-Fa-f]{16}|[0-9A-Fa-f]{12})\b`)
	restartRBA = regexp.MustCompile(`=[ \t]*([0-9A-Fa-f]{16}|[0-9A-Fa-f]{12})\b`)
)

// DataSetUses reads the report, by kind. A row may be folded: then its place
// stands in the next line.
func (m Message) DataSetUses() map[string]DataSetUse {
	uses := map[string]DataSetUse{}
	current := ""
	for _, line := range m.Lines {
		if tableEnd.MatchString(line) {
			break
		}
		rest := line
		for _, row := range oldestRow {
			if at := row.form.FindStringIndex(line); at != nil {
				current, rest = row.kind, line[at[1]:]
				uses[current] = DataSetUse{}
			}
		}
		at := usePlace.FindStringIndex(rest)
		if at == nil || current == "" || uses[current].From != "" {
			continue
		}
		uses[current] = DataSetUse{From: rest[at[0]:at[1]], DataSet: logDataSet(rest[at[1]:])}
	}
	return uses
}

// RestartRBA gives the RBA of CSQI024I or CSQI025I, which stands behind an equal
// sign, perhaps in a line that was folded; empty when there is none.
func (m Message) RestartRBA() string {
	parts := restartRBA.FindStringSubmatch(m.Text + " " + strings.Join(m.Lines, " "))
	if parts == nil {
		return ""
	}
	return parts[1]
}
