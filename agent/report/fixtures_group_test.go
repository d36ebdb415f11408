package report

import (
	"fmt"
	"math"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

var groupNow = time.Date(2026, 5, 28, 2, 0, 0, 0, time.FixedZone("", 7200))

func groupAt(hours float64) string {
	return groupNow.Add(time.Duration(hours * float64(time.Hour))).Format(time.RFC3339)
}

// qsg1 is a queue-sharing group: its backups, and the archive data sets of one
// copy that may go.
func qsg1() ledger.Record {
	backup := groupTarget("structures", "cfbackup")
	backup.Actions = []ledger.Action{
		groupCommand("1", "APPSTR1", "QMBK", "BACKUP CFSTRUCT(APPSTR1) CMDSCOPE(QMBK) EXCLINT(30)", "the last backup is 61 minutes old"),
		groupCommand("2", "CSQSYSAPPL", "QMBK", "BACKUP CFSTRUCT(CSQSYSAPPL) CMDSCOPE(QMBK) EXCLINT(30)", "the last backup is 60 minutes old", "1"),
		groupCommand("3", "QMA1", "QMA1", "ARCHIVE LOG CMDSCOPE(QMA1)", "of the daily recovery set", "2"),
		groupCommand("4", "QMBK", "QMBK", "ARCHIVE LOG CMDSCOPE(QMBK)", "of the daily recovery set", "2", "3"),
	}
	backup.Objects = []ledger.Object{{
		Kind: "structure", Name: "APPSTR1", Verdict: "yes", Reason: "every log that RECOVER reads is there",
		Facts: map[string]string{"recover_now": "the data sets of QMA1 have failed: RECOVER CFSTRUCT(APPSTR1) TYPE(NORMAL) sets the whole structure FAILED first and throws its nonpersistent messages away", "minutes": "12", "log_to_read": "5.4 GiB"},
	}}
	backup.Findings = []finding.Finding{{Severity: finding.Warning, Code: "needed-logs-expire", Text: "QMA1 keeps its archives for one day (ARCRETN)."}}
	backup.Pictures = []ledger.Picture{groupWindow(), groupSeries()}
	archive := groupTarget("archives", "archive")
	for i, name := range []string{"MQP.A1.ARC1.A0000001", "MQP.A1.ARC1.A0000002"} {
		archive.Actions = append(archive.Actions, ledger.Action{
			ID: fmt.Sprint(i + 1), Kind: "delete", Object: name, QueueManager: "QMA1", Language: "IDCAMS",
			Command: "DELETE '" + name + "' NONVSAM NOPURGE", After: []string{}, Reason: "no recovery needs it", Outcome: "planned",
		})
	}
	return record(backup, archive)
}

func groupTarget(task, plugin string) ledger.Target {
	return ledger.Target{
		Name: "QSG1", Platform: "zos", Policy: "conservative", Task: task, Plugin: plugin, Strategy: "conservative",
		Observed: groupNow.Format(time.RFC3339), Actions: []ledger.Action{},
	}
}

func groupCommand(id, object, member, text, reason string, after ...string) ledger.Action {
	return ledger.Action{ID: id, Kind: "command", Object: object, QueueManager: member, Language: "MQSC", Command: text, Reason: reason, After: after, Outcome: "planned"}
}

func groupWindow() ledger.Picture {
	return ledger.Picture{
		Kind: "window", Title: "What a recovery would read", From: groupAt(-2), To: groupAt(0), Points: []ledger.Dot{}, Marks: []ledger.Mark{},
		Rows: []ledger.Row{
			{Kind: "structure", Name: "APPSTR1", Text: "yes; logs of QMA1 and QMBK", Spans: []ledger.Span{
				{From: groupAt(-1.1), To: groupAt(-1), State: "image"}, {From: groupAt(-1), State: "needed"}}},
			{Kind: "structure", Name: "CSQSYSAPPL", Text: "no: QMA1's log of 01:05 was not found", Spans: []ledger.Span{
				{From: groupAt(-1), To: groupAt(-0.95), State: "image"}, {From: groupAt(-0.95), State: "needed"}}},
			{Kind: "log", Name: "QMA1", Spans: []ledger.Span{
				{To: groupAt(-1), State: "archive"}, {From: groupAt(-1), To: groupAt(-0.9), State: "missing"}, {From: groupAt(-0.9), State: "active"}}},
			{Kind: "log", Name: "QMBK", Spans: []ledger.Span{
				{To: groupAt(-1.5), State: "archive"}, {From: groupAt(-1.5), To: groupAt(-0.5), State: "expiring"}, {From: groupAt(-0.5), State: "active"}}},
		},
	}
}

// groupSeries is fourteen days of a growing wave, and a forecast of four.
func groupSeries() ledger.Picture {
	picture := ledger.Picture{Kind: "series", Title: "APPSTR1 of QMA1: blocks in use", Unit: "blocks", Points: []ledger.Dot{}, Marks: []ledger.Mark{},
		Limits: []ledger.Limit{{Name: "expands", Value: 3600}, {Name: "full", Value: 4000}}}
	value := func(hour float64) float64 { return math.Round(2400 + 2*hour + 300*math.Sin(hour*math.Pi/12)) }
	for hour := -14 * 24; hour <= 0; hour += 6 {
		picture.Values = append(picture.Values, ledger.Value{At: groupAt(float64(hour)), Value: value(float64(hour))})
	}
	for hour := 12; hour <= 96; hour += 12 {
		middle, wide := value(float64(hour)), float64(100+4*hour)
		low, high := middle-wide, middle+wide
		picture.Values = append(picture.Values, ledger.Value{At: groupAt(float64(hour)), Value: middle, Low: &low, High: &high})
	}
	return picture
}
