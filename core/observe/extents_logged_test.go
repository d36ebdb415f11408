package observe_test

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

// logged writes records of an error log: a UTC time and a message each.
func logged(records ...string) string {
	var b strings.Builder
	for _, r := range records {
		at, text, _ := strings.Cut(r, " ")
		b.WriteString("05/28/2026 12:00:00 AM - Process(1.1) User(mqm) Program(amqzmuc0)\n                    Host(h) Installation(Installation1)\n                    VRMF(9.1.0.0) QMgr(QM1)\n                    Time(" + at + ")\n\n" +
			text + "\n\nEXPLANATION:\nx\nACTION:\nNone.\n----- amqzmuc0.c : 1 ----------------------------------------------------------\n")
	}
	return b.String()
}

const (
	startedRecord = "2026-05-27T10:00:00.000Z AMQ8003I: IBM MQ queue manager QM1 started using V9.1.0.0."
	restartRecord = "2026-05-27T22:00:00.000Z AMQ7467I: The oldest log file required to start queue manager QM1 is\nS0000112.LOG."
	mediaRecord   = "2026-05-27T22:00:00.000Z AMQ7468I: The oldest log file required to perform media recovery of queue\nmanager QM1 is S0000104.LOG."
)

// The error log tells the points only where the queue manager does not, and only
// if what it tells is whole and of now (case 16).
func TestPointsOfErrorLog(t *testing.T) {
	u := usual().without(qmstatus)
	all := logged(startedRecord, restartRecord, mediaRecord)
	with := func(body string) script { return u.with(errorLog, body) }
	const json = "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR01.json"
	older := "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR02.LOG"
	third := "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR03.LOG"
	at := func(record, old, replacement string) string { return strings.Replace(record, old, replacement, 1) }
	late := script{"2026-05-29T02:00:00+02:00", with(all).blocks}
	dated := usual().with(qmstatus, "QMNAME(QM1) STATUS(RUNNING) CURRLOG(S0000130.LOG) STARTDA(2026-05-28) STARTTI(00.30.00)\n")
	ok := []extentCase{
		{"in one file", with(all), usualGoes, "points-from-error-log"},
		{"in the older file", with("").with(older, all), usualGoes, "points-from-error-log"},
		{"an older level shows no points", dated.with(errorLog, all).edit(t, qmstatus, "00.30.00", "00.00.00"), usualGoes, "points-from-error-log"},
		{"in JSON alone", u.with(json, `{"ibm_messageId":"AMQ7467I","ibm_datetime":"2026-05-27T22:00:00.000Z","ibm_serverName":"QM1","ibm_commentInsert2":"S0000112.LOG","loglevel":"INFO","message":"AMQ7467I: x"}`+"\n"+
			`{"ibm_messageId":"AMQ7468I","ibm_datetime":"2026-05-27T22:00:00.000Z","ibm_serverName":"QM1","ibm_commentInsert2":"S0000104.LOG","loglevel":"INFO","message":"AMQ7468I: x"}`+"\n"), usualGoes, "points-from-error-log"},
	}
	const no = "mark-missing"
	bad := []extentCase{
		{"no log", u, "", no},
		{"only restart", with(logged(startedRecord, restartRecord)), "", no},
		{"only media", with(logged(startedRecord, mediaRecord)), "", no},
		{"of before the start", with(logged(restartRecord, mediaRecord, at(startedRecord, "T10:", "T23:"))), "", no},
		{"of before the end", with(all + logged("2026-05-27T23:00:00.000Z AMQ8004I: IBM MQ queue manager QM1 ended.")), "", no},
		{"of before the start by QMSTATUS", dated.with(errorLog, all), "", no},
		{"older than a day by the clock", late, "", no},
		{"older than a day by the newest record", script{"", with(all + logged("2026-05-28T22:30:00.000Z AMQ9999I: x")).blocks}, "", no},
		{"of the future", script{"2026-05-27T18:00:00+02:00", with(all).blocks}, "", no},
		{"torn behind it", with(all + "05/28/2026 12:00:00 AM - Process(1.1) User(mqm)\n" + logged("2026-05-27T23:00:00.000Z AMQ9999I: x")), "", no},
		{"the newest record is not whole", with(all + logged(startedRecord)[:200]), "", no},
		{"of another queue manager", with(strings.ReplaceAll(all, "QM1", "QM2")), "", no},
		{"a file between is missing", with("").with(third, all), "", no},
		{"the newest file is missing", u.with(older, all), "", no},
		{"two names in one", with(logged(startedRecord, restartRecord, at(mediaRecord, "is S0000104.LOG", "is S0000104.LOG or S0000105.LOG"))), "", no},
		{"it does not run", with(all).with(dspmq, "QMNAME(QM1) STATUS(Ended normally)\n"), "", "not-this-host"},
		{"QMSTATUS answers blank", usual().with(errorLog, all).edit(t, qmstatus, "RECLOG(S0000112.LOG)", "RECLOG( )"), "", no},
		{"QMSTATUS can't be read", usual().with(errorLog, all).with(qmstatus, "QMNAME(QM1"), "", "facts-unreadable"},
	}
	promise := conservative
	promise.TrustErrorLog = true
	for _, c := range append(ok, bad...) {
		facts := c.log.read(t)
		codes := strings.TrimSuffix(openCodes(facts), " not-checked")
		if got := decided(facts, promise, recovery.Delete); got != c.goes || codes != c.open {
			t.Errorf("%s: goes %q, want %q; open %v", c.name, got, c.goes, facts.Inventory.Open)
		}
		if got := letGo(facts); got != "" {
			t.Errorf("%s: %s goes though nobody trusts an error log", c.name, got)
		}
	}
	need := ok[0].log.read(t).Inventory.Needs[0]
	if !need.Logged || need.Source != "AMQ7467 2026-05-27T22:00:00Z" {
		t.Errorf("%+v", need)
	}
}

// Case 30: the console of a container, in which AMQ7374 is no recovery point.
func TestPointsOfConsole(t *testing.T) {
	line := func(text string) string { return "2026-05-28 00:00:00.542 | 2026-05-27T22:00:00.002Z " + text + "\n" }
	body := line("AMQ7374I: x [ArithInsert1(1), CommentInsert1(a, (b)), CommentInsert3(S0000001.LOG)]") +
		line("AMQ7467I: x QM1 [CommentInsert1(QM1), CommentInsert2(S0000112.LOG)]") + line("AMQ7468I: x QM1 [CommentInsert1(QM1), CommentInsert2(S0000104.LOG)]")
	facts := usual().without(qmstatus).with(errorLog, body).read(t)
	promise := conservative
	promise.TrustErrorLog = true
	if got := decided(facts, promise, recovery.Delete); got != usualGoes || facts.Log.Restart != "S0000112.LOG" || facts.Log.Media != "S0000104.LOG" {
		t.Errorf("%s goes, %+v, %v", got, facts.Log, facts.Inventory.Open)
	}
}

// The windows of a drive: names count in any case.
func TestExtentsOnWindows(t *testing.T) {
	s := usual().without(active, above, qmini, mqsini).
		edit(t, qmstatus, "LOGPATH(/var/mqm/log/QM1/active/)", `LOGPATH(C:\ProgramData\IBM\MQ\log\QM1\active\)`).
		with(dspmqinf, "QueueManager:\n   Name=QM1\n   DataPath=C:\\ProgramData\\IBM\\MQ\\qmgrs\\QM1\n").
		with(`FILE QM1: C:\ProgramData\IBM\MQ\qmgrs\QM1\qm.ini`, "Log:\n   LogType=LINEAR\n   LogPath=c:\\programdata\\ibm\\mq\\log\\QM1\\\n").
		with(`LOGDIR QM1: C:\ProgramData\IBM\MQ\log\QM1\active`, strings.ToLower(strings.ReplaceAll(files(100, 130), " 2026-05-27T20:00:00.123456789Z mqm:mqm -rw-rw----", ""))).
		with(`LOGDIR QM1: C:\ProgramData\IBM\MQ\log\QM1`, "AMQHLCTL.LFH 4096\n")
	facts := s.read(t)
	if letGo(facts) != usualGoes || len(facts.Foreign) > 0 || facts.Extents[0].Name != "S0000100.LOG" {
		t.Errorf("%s goes, %v, open %v", letGo(facts), facts.Foreign, facts.Inventory.Open)
	}
}
