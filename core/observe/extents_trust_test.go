package observe_test

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

// runTrusting runs cases under a task that trusts an error log. What a transcript
// can't tell (not-checked) is left out.
func runTrusting(t *testing.T, cases []extentCase) {
	t.Helper()
	promise := conservative
	promise.TrustErrorLog = true
	for _, c := range cases {
		facts := c.log.read(t)
		if got := decided(facts, promise, recovery.Delete); got != c.goes || openCodes(facts) != c.open {
			t.Errorf("%s: goes %q, want %q; open %q, want %q: %v", c.name, got, c.goes, openCodes(facts), c.open, facts.Inventory.Open)
		}
	}
}

// jsonRecord is a record of AMQERR01.json.
func jsonRecord(at, id, extent string) string {
	return `{"ibm_messageId":"` + id + `","ibm_datetime":"` + at + `","ibm_serverName":"QM1","ibm_commentInsert2":"` + extent + `","loglevel":"INFO","message":"` + id + `: x"}` + "\n"
}

func jsonPair(at, restart, media string) string {
	return jsonRecord(at, "AMQ7467I", restart) + jsonRecord(at, "AMQ7468I", media)
}

const (
	jsonLog    = "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR01.json"
	secondLog  = "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR02.LOG"
	secondJSON = "FILE QM1: /var/mqm/qmgrs/QM1/errors/AMQERR02.json"
	markTime   = "2026-05-27T22:00:00.000Z"
)

// A start or a creation behind the points makes them those of an earlier life,
// whatever a clock says that went back.
func TestPointsOfEarlierLife(t *testing.T) {
	u := usual().without(qmstatus)
	pair := logged(restartRecord, mediaRecord)
	earlier := func(id string) string { return logged("2026-05-27T21:00:00.000Z " + id + "I: queue manager QM1.") }
	runTrusting(t, []extentCase{
		{"a start behind them, of an hour before", u.with(errorLog, pair+earlier("AMQ8003")), "", "mark-missing"},
		{"a creation", u.with(errorLog, pair+earlier("AMQ8001")), "", "mark-missing"},
		{"an end", u.with(errorLog, pair+earlier("AMQ8004")), "", "mark-missing"},
		{"the reading of the log at a start", u.with(errorLog, pair+earlier("AMQ7229")), "", "mark-missing"},
		{"the start is in the newer file", u.with(secondLog, pair).with(errorLog, earlier("AMQ8003")), "", "mark-missing"},
		{"the start is in the older file", u.with(secondLog, earlier("AMQ8003")).with(errorLog, pair), usualGoes, "points-from-error-log"},
	})
}

// Where an error log is there and can't be read no other stands for it, and of two
// neither may contradict.
func TestPointsOfTwoErrorLogs(t *testing.T) {
	u := usual().without(qmstatus)
	text := logged(startedRecord, restartRecord, mediaRecord)
	same, stale := jsonPair(markTime, "S0000112.LOG", "S0000104.LOG"), jsonPair("2026-05-27T12:00:00.000Z", "S0000111.LOG", "S0000103.LOG")
	both := func(json string) script { return u.with(errorLog, text).with(jsonLog, json) }
	const no, yes = "mark-missing", "points-from-error-log"
	runTrusting(t, []extentCase{
		{"the text is too long to be read", u.failing(errorLog, "the file is longer than 64MiB").with(jsonLog, same), "", no},
		{"its older file can't be read", u.with(errorLog, text).failing(secondLog, "Permission denied"), "", no},
		{"the JSON can't be read", u.with(errorLog, text).failing(jsonLog, "Permission denied"), "", no},
		{"the older JSON can't be read", both(same).failing(secondJSON, "Permission denied"), "", no},
		{"both say the same", both(same), usualGoes, yes},
		{"the JSON is an old one", both(stale), usualGoes, yes},
		{"the JSON has another extent at the same moment", both(jsonPair(markTime, "S0000110.LOG", "S0000104.LOG")), "", no},
		{"the JSON has newer ones", both(same + jsonPair("2026-05-27T23:00:00.000Z", "S0000115.LOG", "S0000110.LOG")), "", no},
		{"the JSON has a newer start", both(same + jsonRecord("2026-05-27T23:00:00.000Z", "AMQ8003I", "")), "", no},
		{"the newest text is missing, and there is JSON", u.with(secondLog, text).with(jsonLog, same), "", no},
	})
	facts := u.failing(errorLog, "the file is longer than 64MiB").with(jsonLog, same).read(t)
	if !strings.Contains(facts.Inventory.Open[0].Text, "longer than 64MiB") {
		t.Errorf("no reason: %v", facts.Inventory.Open)
	}
}

// The error log stands for DISPLAY QMSTATUS only where nobody asks, nobody may, or
// the level does not tell. A question that was asked and has no answer that can be
// used is no licence for anything else.
func TestWhenErrorLogStandsForStatus(t *testing.T) {
	u := usual().with(errorLog, logged(startedRecord, restartRecord, mediaRecord))
	const logOnly = "MQSC QM1: DISPLAY QMSTATUS LOG"
	banner := "Starting MQSC for queue manager QM1.\n"
	const yes, no = "points-from-error-log", "facts-unreadable"
	failing := func(body string) script { return u.failing(qmstatus, body) }
	runTrusting(t, []extentCase{
		{"nobody asks", u.without(qmstatus), usualGoes, yes},
		{"not authorised", failing("AMQ8135E: Not authorized.\n"), usualGoes, yes},
		{"not authorised, behind the banner", failing(banner + "     1 : DISPLAY QMSTATUS ALL\nAMQ8135E: Not authorized.\n"), usualGoes, yes},
		{"an older level", failing(banner + "AMQ8405I: Syntax error detected at or near end of command segment below:-\n"), usualGoes, yes},
		{"another queue manager does not authorise", failing("Starting MQSC for queue manager QM2.\nAMQ8135E: Not authorized.\n"), "", no},
		{"an older level of another queue manager", failing("Starting MQSC for queue manager QM2.\nAMQ8405I: Syntax error detected at or near end of command segment below:-\n"), "", no},
		{"another queue manager answers", failing(`queue manager "QM2" answered, not QM1`), "", no},
		{"not in English", failing("the answer is not in English, and its words can't be trusted"), "", no},
		{"torn", failing("the answer is not whole: the count of the commands at its end is missing"), "", no},
		{"killed", failing("exit code 137"), "", no},
		{"the program is not there", failing("mqhk collector: no such command"), "", no},
		{"no authority is spoken of in something else", failing("exit code 71\nsee AMQ8135E\n"), "", no},
		{"it fails, and the shorter form would be answered", failing("exit code 137").with(logOnly, u.body(t, qmstatus)), "", no},
		{"the shorter form fails", u.without(qmstatus).failing(logOnly, "exit code 137"), "", no},
	})
}

// What qm.ini keeps out of the error log can't show in it.
func TestStartsKeptOutOfErrorLog(t *testing.T) {
	u := usual().without(qmstatus).with(errorLog, logged(restartRecord, mediaRecord))
	json := u.without(errorLog).with(jsonLog, jsonPair(markTime, "S0000112.LOG", "S0000104.LOG"))
	ini := func(s script, stanza string) script { return s.edit(t, qmini, "Service:", stanza+"Service:") }
	const service = "DiagnosticMessages:\n   Name=J\n   Service=File\n   Format=json\n"
	const yes, no = "points-from-error-log", "mark-missing"
	runTrusting(t, []extentCase{
		{"nothing", u, usualGoes, yes},
		{"others", ini(u, "QMErrorLog:\n   ExcludeMessage=7234,9001\n"), usualGoes, yes},
		{"creations", ini(u, "QMErrorLog:\n   ExcludeMessage=8001\n"), "", no},
		{"starts", ini(u, "QMErrorLog:\n   SuppressMessage=AMQ8003\n"), "", no},
		{"ends", ini(u, "QMErrorLog:\n   ExcludeMessage=9001,8004\n"), "", no},
		{"the JSON is whole", ini(json, service), usualGoes, yes},
		{"the JSON has errors alone", ini(json, service+"   Severities=E\n"), "", no},
		{"the JSON lacks starts", ini(json, service+"   ExcludeMessage=8003\n"), "", no},
		{"the JSON lacks starts, and the text has them", ini(u, service+"   Severities=E\n"), usualGoes, yes},
	})
}

// What stands for DISPLAY QMSTATUS is read twice around the listing, too.
func TestErrorLogReadAgain(t *testing.T) {
	u := usual().without(qmstatus)
	first := logged(startedRecord, restartRecord, mediaRecord)
	again := func(second string) script { return u.with(errorLog, first, second) }
	at := func(record, old, replacement string) string { return strings.Replace(record, old, replacement, 1) }
	later := logged(at(at(restartRecord, "T22:", "T23:"), "112", "115"), at(at(mediaRecord, "T22:", "T23:"), "104", "110"))
	back := logged(at(at(restartRecord, "T22:", "T23:"), "112", "111"), at(mediaRecord, "T22:", "T23:"))
	start := logged(at(startedRecord, "T10:00", "T22:30"))
	const yes = "points-from-error-log"
	runTrusting(t, []extentCase{
		{"as before", again(first), usualGoes, yes},
		{"they moved on", again(first + later), usualGoes, yes + " mark-moved mark-moved"},
		{"one went back", again(first + back), "", yes + " mark-went-back"},
		{"it was started anew", again(first + start), "", yes + " mark-missing"},
		{"it was started anew, and tells new ones", again(first + start + later), "", yes + " mark-went-back mark-moved mark-moved"},
		{"it can't be read again", again(first[:len(first)-150]), "", yes + " mark-missing"},
		{"dspmq says that it is ending", u.with(errorLog, first).with(dspmq, u.body(t, dspmq), "QMNAME(QM1) STATUS(Ending immediately)\n"), "", yes + " not-this-host"},
		{"dspmq fails", script{u.clock, append(u.with(errorLog, first).blocks, [2]string{"ERROR " + dspmq, "killed"})}, "", yes + " not-this-host"},
		{"QMSTATUS is answered by now", func() script {
			s := usual().failing(qmstatus, "AMQ8135E: Not authorized.").with(errorLog, first)
			s.blocks = append(s.blocks, [2]string{qmstatus, usual().body(t, qmstatus)})
			return s
		}(), "", yes + " facts-unreadable"},
		{"the queue manager is down by now", func() script {
			s := usual().failing(qmstatus, "AMQ8135E: Not authorized.").with(errorLog, first)
			s.blocks = append(s.blocks, [2]string{"ERROR " + qmstatus, "AMQ8146E: not available."})
			return s
		}(), "", yes + " facts-unreadable"},
	})
}
