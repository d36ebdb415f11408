package cfbackup

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/plugins"
)

// firstOf gives the first action of a plan whose command begins in some way.
func firstOf(t *testing.T, plan plugins.Plan, begins string) plugins.Action {
	t.Helper()
	for _, a := range plan.Actions {
		if strings.HasPrefix(a.Command.Text, begins) {
			return a
		}
	}
	t.Fatalf("no %s in %s", begins, steps(plan))
	return plugins.Action{}
}

const (
	backupRow = "QMNAME(QMBK)\nBKUPTIME(01.57.00)\nBKUPDATE(2026-05-28)\nBKUPSIZE(0)\nBKUPSRBA(0000001C03551EAC)\nBKUPERBA(0000001C035A8504)"
	syslogEnd = ">>> HISTORY QSG1"
	inSummary = "CFSTATUS(APPSTR1)\nTYPE(SUMMARY)\nCFTYPE(APPL)\nSTATUS(ACTIVE)"
)

// message is a line of the log of QMBK.
func message(at, text string) string {
	return fmt.Sprintf("N 4000000 SYSA     2026148 %s.00 STC00123 00000090  %s\n%s", at, text, syslogEnd)
}

// What became of a backup is told by QMNAME, BKUPSRBA and BKUPERBA, with the
// messages for why it failed: never by CSQ9022I, never by BKUPTIME (traps 1 to 4).
func TestConfirmBackup(t *testing.T) {
	action := firstOf(t, planOn(t, exampleText(t), dedicated(nil)), "BACKUP CFSTRUCT(APPSTR1)")
	moved := strings.NewReplacer("01.57.00", "02.00.40", "BKUPSRBA(0000001C03551EAC)", "BKUPSRBA(0000001C03900000)", "BKUPERBA(0000001C035A8504)", "BKUPERBA(0000001C03990000)").Replace(backupRow)
	failed := "CSQE106E !QMBK CSQELBK1 Unable to backup structure APPSTR1, reason=00C50D00"
	inUse := "CSQE101I !QMBK CSQERCFT Unable to backup or recover structure APPSTR1, structure in use"
	tests := map[string]struct {
		changes  []string
		state    plugins.State
		evidence string
	}{
		"nothing has moved":            {nil, plugins.Pending, "still the one before"},
		"it was accepted only":         {[]string{syslogEnd, message("02:00:10", "CSQ9022I !QMBK CSQELRBK ' BACKUP CFSTRUCT' NORMAL COMPLETION")}, plugins.Pending, ""},
		"another time and no other":    {[]string{"BKUPTIME(01.57.00)", "BKUPTIME(02.00.40)"}, plugins.Pending, ""},
		"it moved":                     {[]string{backupRow, moved}, plugins.Done, "QMBK 0000001C03900000 to 0000001C03990000"},
		"it moved in the same second":  {[]string{backupRow, strings.Replace(moved, "02.00.40", "01.57.00", 1)}, plugins.Done, ""},
		"another member took it":       {[]string{backupRow, strings.Replace(moved, "QMBK", "QMA1", 1)}, plugins.Done, "QMA1 took it, and not QMBK"},
		"back to another member's":     {[]string{backupRow, strings.NewReplacer("QMBK", "QMA1", "01.57.00", "00.57.00").Replace(backupRow)}, plugins.Unknown, "went back"},
		"it went back":                 {[]string{backupRow, strings.NewReplacer("1C03551EAC", "1C03451EAC", "1C035A8504", "1C034A8504").Replace(backupRow)}, plugins.Unknown, "went back"},
		"it runs":                      {[]string{inSummary, strings.Replace(inSummary, "ACTIVE", "INBACKUP", 1), syslogEnd, message("02:00:10", "CSQE120I !QMBK CSQELBK1 Backup of structure APPSTR1 started at RBA=0000001C03900000")}, plugins.Pending, "QMBK is backing it up since 2026-05-28 02:00:10"},
		"it failed":                    {[]string{syslogEnd, message("02:00:10", failed)}, plugins.Failed, "START SMDSCONN(*) CFSTRUCT(APPSTR1) CMDSCOPE(QMBK)"},
		"another structure failed":     {[]string{syslogEnd, message("02:00:10", strings.Replace(failed, "APPSTR1", "CSQSYSAPPL", 1))}, plugins.Pending, ""},
		"it failed, of a reason":       {[]string{syslogEnd, message("02:00:10", strings.Replace(failed, "00C50D00", "00C5FFFF", 1))}, plugins.Failed, "00C5FFFF is to be looked up"},
		"in use, and it is no more":    {[]string{syslogEnd, message("02:00:10", inUse)}, plugins.Retry, "not in use any more"},
		"in use still":                 {[]string{syslogEnd, message("02:00:10", inUse), inSummary, strings.Replace(inSummary, "ACTIVE", "INRECOVER", 1)}, plugins.Failed, "INRECOVER"},
		"the member died":              {[]string{"QMBK   3 !QMBK    ACTIVE", "QMBK   3 !QMBK    FAILED"}, plugins.Failed, "00C510AB"},
		"nobody tells the backups":     {[]string{">>> MQSC QSG1: DISPLAY CFSTATUS(*) TYPE(BACKUP)", ">>> ERROR MQSC QSG1: DISPLAY CFSTATUS(*) TYPE(BACKUP)"}, plugins.Unknown, "does not tell"},
		"moved in spite of a message":  {[]string{backupRow, moved, syslogEnd, message("02:00:10", failed)}, plugins.Done, ""},
		"addresses of another width":   {[]string{"BKUPSRBA(0000001C03551EAC)\nBKUPERBA(0000001C035A8504)", "BKUPSRBA(001C03551EAC)\nBKUPERBA(001C035A8504)"}, plugins.Pending, ""},
		"the message has a short form": {[]string{syslogEnd, message("02:00:10", strings.ToUpper(failed))}, plugins.Failed, "00C50D00"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			script := parse(t, exampleText(t, test.changes...))
			got, err := Plugin{}.Confirm(t.Context(), action, played{script.Player()})
			if err != nil || got.State != test.state || !strings.Contains(got.Evidence, test.evidence) || got.Action != action.ID {
				t.Errorf("%+v, %v", got, err)
			}
			if got.State == plugins.Pending && got.After <= 0 {
				t.Error("it does not say when to ask again")
			}
		})
	}
}

// A message that was there when it was planned is not of this backup. It travels
// in the items, so that an unknown outcome is not sent again before anything has
// changed, and may be once it has.
func TestOldFailureIsNoNewOne(t *testing.T) {
	old := message("01:59:00", "CSQE106E !QMBK CSQELBK1 Unable to backup structure APPSTR1, reason=00C50006")
	before := exampleText(t, syslogEnd, old)
	action := firstOf(t, planOn(t, before, dedicated(nil)), "BACKUP CFSTRUCT(APPSTR1)")
	got, err := Plugin{}.Confirm(t.Context(), action, played{parse(t, before).Player()})
	if err != nil || got.State != plugins.Pending {
		t.Errorf("%+v, %v", got, err)
	}
	first := firstOf(t, planOn(t, exampleText(t), dedicated(nil)), "BACKUP CFSTRUCT(APPSTR1)")
	again := firstOf(t, planOn(t, exampleText(t, "CLOCK 2026-05-28T02:00:00", "CLOCK 2026-05-28T02:20:00"), dedicated(nil)), "BACKUP CFSTRUCT(APPSTR1)")
	if fmt.Sprint(first.Items) != fmt.Sprint(again.Items) {
		t.Errorf("%v\n%v", first.Items, again.Items)
	}
	if fmt.Sprint(first.Items) == fmt.Sprint(action.Items) {
		t.Error("the failure does not show in the items")
	}
}

// ARCHIVE LOG is done when the log was switched and what was full is archived.
func TestConfirmArchiveLog(t *testing.T) {
	plan := planOn(t, exampleText(t), dedicated(map[string]any{"recovery_set": true}))
	action := firstOf(t, plan, "ARCHIVE LOG CMDSCOPE(QMA1)")
	one, two := "MQP.QMA1.LOGCOPY1.DS01\n", "MQP.QMA1.LOGCOPY2.DS01\n"
	next := []string{"   " + one, "   " + strings.Replace(one, "DS01", "DS02", 1), "   " + two, "   " + strings.Replace(two, "DS01", "DS02", 1)}
	for name, test := range map[string]struct {
		changes []string
		state   plugins.State
	}{
		"not switched": {nil, plugins.Pending},
		"switched":     {next, plugins.Done},
		"not archived": {append([]string{"Full logs to offload - 0 of 4", "Full logs to offload - 1 of 4"}, next...), plugins.Pending},
		"nobody tells": {[]string{">>> MQSC QSG1: DISPLAY LOG CMDSCOPE(*)", ">>> ERROR MQSC QSG1: DISPLAY LOG CMDSCOPE(*)"}, plugins.Unknown},
	} {
		got, err := Plugin{}.Confirm(t.Context(), action, played{parse(t, exampleText(t, test.changes...)).Player()})
		if err != nil || got.State != test.state {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// What is no action of this plugin, or says not of which group it is, is an error.
func TestConfirmRefuses(t *testing.T) {
	good := firstOf(t, planOn(t, exampleText(t), dedicated(nil)), "BACKUP")
	for name, spoil := range map[string]func(*plugins.Action){
		"another command": func(a *plugins.Action) { a.Command.Text = "ALTER SMDS(QMA1) CFSTRUCT(APPSTR1) DSBUFS(10)" },
		"no command":      func(a *plugins.Action) { a.Command.Text = "" },
		"another kind":    func(a *plugins.Action) { a.Kind = plugins.KindDelete },
		"no group":        func(a *plugins.Action) { a.Items = a.Items[1:] },
		"a torn address": func(a *plugins.Action) {
			a.Items = []string{"group QSG1", "qmname QMBK", "bkupsrba 1C0", "bkuperba 1C1"}
		},
	} {
		a := good
		spoil(&a)
		if got, err := (Plugin{}).Confirm(t.Context(), a, played{parse(t, exampleText(t)).Player()}); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
