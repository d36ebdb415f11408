package observe_test

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Each point that is blank, missing, torn or of another is unknown, and never
// "nothing is needed".
func TestPointsOfStatus(t *testing.T) {
	u := usual()
	named := func(old, replacement string) script { return u.edit(t, qmstatus, old, replacement) }
	runExtentCases(t, []extentCase{
		{"all told", u, usualGoes, ""},
		{"the form for the log alone", u.without(qmstatus).with("MQSC QM1: DISPLAY QMSTATUS LOG", u.body(t, qmstatus)), usualGoes, ""},
		{"RECLOG blank", named("RECLOG(S0000112.LOG)", "RECLOG( )"), "", "mark-missing"},
		{"MEDIALOG blank", named("MEDIALOG(S0000104.LOG)", "MEDIALOG( )"), "", "mark-missing"},
		{"both blank", named("MEDIALOG(S0000104.LOG)", "MEDIALOG( )").edit(t, qmstatus, "RECLOG(S0000112.LOG)", "RECLOG( )"), "", "mark-missing mark-missing"},
		{"CURRLOG blank", named("CURRLOG(S0000130.LOG)", "CURRLOG( )"), "", "attached-unknown"},
		{"CURRLOG missing", named("CURRLOG(S0000130.LOG)", ""), "", "attached-unknown"},
		{"RECLOG missing", named("RECLOG(S0000112.LOG)", ""), "", "mark-missing"},
		{"an R extent", named("RECLOG(S0000112.LOG)", "RECLOG(R0000112.LOG)"), "", "mark-unreadable"},
		{"no name of an extent", named("RECLOG(S0000112.LOG)", "RECLOG(S112.LOG)"), "", "mark-unreadable"},
		{"a receiver", named("MEDIALOG(S0000104.LOG)", "MEDIALOG(AMQA000104)"), "", "mark-unreadable"},
		{"still to come", named("RECLOG(S0000112.LOG)", "RECLOG(S0000131.LOG)"), "", "mark-unreadable"},
		{"half way around", named("RECLOG(S0000112.LOG)", "RECLOG(S5000131.LOG)"), "", "mark-unreadable"},
		{"torn", u.with(qmstatus, u.body(t, qmstatus)[:strings.Index(u.body(t, qmstatus), "0112.LOG")]), "", "facts-unreadable"},
		{"torn between two values, in one of the readings", u.with(qmstatus, strings.Split(u.body(t, qmstatus), "   MEDIALOG")[0], u.body(t, qmstatus)), "", "mark-missing mark-went-back mark-went-back facts-unreadable facts-unreadable"},
		{"twice", named("STANDBY(NOPERMIT)", "RECLOG(S0000129.LOG)"), "", "facts-unreadable"},
		{"two queue managers", u.with(qmstatus, u.body(t, qmstatus)+"AMQ8705I: Display Queue Manager Status Details.\n"+strings.ReplaceAll(u.body(t, qmstatus)[48:], "QM1", "QM2")), "", "facts-unreadable"},
		{"another queue manager", named("QMNAME(QM1)", "QMNAME(QM2)"), "", "facts-unreadable"},
		{"another by case", named("QMNAME(QM1)", "QMNAME(qm1)"), "", "facts-unreadable"},
		{"nothing of it", u.with(qmstatus, "AMQ8135E: Not authorized.\n"), "", "facts-unreadable"},
		{"not available", u.with(qmstatus, "AMQ8146E: IBM MQ queue manager not available.\n"), "", "not-this-host"},
		{"not available, as an error", u.failing(qmstatus, "AMQ8146E: IBM MQ queue manager not available.\n"), "", "not-this-host"},
		{"a level that can't read it", u.with(qmstatus, "AMQ8405I: Syntax error detected at or near end of command segment below:-\nDISPLAY QMSTATUS ALL\n"), "", "mark-missing"},
		{"nobody answers", u.without(qmstatus), "", "mark-missing"},
	})
}

// The second reading must be of the same incarnation, and no point may have gone
// back; forward is fine, and the first decides.
func TestSecondReading(t *testing.T) {
	u := usual()
	wrapped := linear(files(9999995, 3), "S0000003.LOG", "S9999999.LOG", "S9999998.LOG")
	runExtentCases(t, []extentCase{
		{"CURRLOG went on", u.again(t, "CURRLOG(S0000130.LOG)", "CURRLOG(S0000133.LOG)"), usualGoes, ""},
		{"the points went on", u.again(t, "MEDIALOG(S0000104.LOG)", "MEDIALOG(S0000110.LOG)"), usualGoes, "mark-moved"},
		{"over the end of the numbers", wrapped.again(t, "RECLOG(S9999999.LOG)", "RECLOG(S0000001.LOG)"), "S9999995-S9999997", "mark-moved"},
		{"RECLOG went back", u.again(t, "RECLOG(S0000112.LOG)", "RECLOG(S0000111.LOG)"), "", "mark-went-back"},
		{"MEDIALOG went back", u.again(t, "MEDIALOG(S0000104.LOG)", "MEDIALOG(S0000103.LOG)"), "", "mark-went-back"},
		{"back over the end of the numbers", wrapped.again(t, "CURRLOG(S0000003.LOG)", "CURRLOG(S9999999.LOG)"), "", "mark-went-back"},
		{"CURRLOG went back", u.again(t, "CURRLOG(S0000130.LOG)", "CURRLOG(S0000129.LOG)"), "", "mark-went-back"},
		{"a point is blank", u.again(t, "RECLOG(S0000112.LOG)", "RECLOG( )"), "", "mark-went-back"},
		{"a point is not shown", u.again(t, "RECLOG(S0000112.LOG)", ""), "", "facts-unreadable"},
		{"started anew", u.again(t, "STARTTI(08.00.00)", "STARTTI(08.00.01)"), "", "mark-went-back"},
		{"another log", u.again(t, "LOGSTRDA(2024-01-01)", "LOGSTRDA(2026-05-28)"), "", "mark-went-back"},
		{"ending", u.again(t, "STATUS(RUNNING)", "STATUS(QUIESCING)"), "", "not-this-host"},
		{"another queue manager", u.again(t, "QMNAME(QM1)", "QMNAME(QM2)"), "", "facts-unreadable"},
		{"torn", u.with(qmstatus, u.body(t, qmstatus), "QMNAME(QM1) CURRLOG(S0"), "", "facts-unreadable"},
		{"not available", u.with(qmstatus, u.body(t, qmstatus), "AMQ8146E: not available.\n"), "", "facts-unreadable"},
	})
}

// Kind of log and who removes its extents: both given and different, or neither,
// is unknown.
func TestLogKind(t *testing.T) {
	u := usual()
	ini := func(old, replacement string) script { return u.edit(t, qmini, old, replacement) }
	managed := func(how string) script {
		return ini("   LogBufferPages", "   LogManagement="+how+"\n   LogBufferPages")
	}
	runExtentCases(t, []extentCase{
		{"only qm.ini tells", u.edit(t, qmstatus, "LOGTYPE(LINEAR)", ""), usualGoes, ""},
		{"only QMSTATUS tells", ini("   LogType=LINEAR\n", ""), usualGoes, ""},
		{"they differ", ini("LogType=LINEAR", "LogType=REPLICATED"), "", "log-kind-unknown"},
		{"one says circular", ini("LogType=LINEAR", "LogType=CIRCULAR"), "", "log-kind-unknown"},
		{"circular, and extents are named", ini("LogType=LINEAR", "LogType=CIRCULAR").edit(t, qmstatus, "LOGTYPE(LINEAR)", "LOGTYPE(CIRCULAR)"), "", "log-kind-unknown"},
		{"a type that is not known", u.edit(t, qmstatus, "LOGTYPE(LINEAR)", "LOGTYPE(SPIRAL)"), "", "log-kind-unknown"},
		{"a type that is not known, in qm.ini", ini("LogType=LINEAR", "LogType=SPIRAL"), "", "log-kind-unknown"},
		{"two types in qm.ini", ini("LogType=LINEAR", "LogType=LINEAR\n   LogType=CIRCULAR"), "", "log-kind-unknown"},
		{"Manual, by word", managed("manual"), usualGoes, ""},
		{"Automatic", managed("Automatic"), "", ""},
		{"Archive", managed("Archive"), "", ""},
		{"a management that is not known", managed("Sometimes"), "", "log-kind-unknown"},
		{"Manual, and one waits to be archived", u.edit(t, qmstatus, "ARCHLOG( )", "ARCHLOG(S0000101.LOG)"), "", "log-kind-unknown"},
		{"Manual, and there are R files", u.with(active, u.body(t, active)+file("R0000099.LOG")), usualGoes, "not-checked"},
		{"Manual by word, and there are R files", managed("Manual").with(active, u.body(t, active)+file("R0000099.LOG")), usualGoes, "not-checked"},
		{"Manual, and extents are held for reuse", u.edit(t, qmstatus, "STANDBY(NOPERMIT)", "REUSESZ(16)"), "", "log-kind-unknown"},
		{"Manual, and none is held for reuse", u.edit(t, qmstatus, "STANDBY(NOPERMIT)", "REUSESZ(0)"), usualGoes, ""},
		{"Manual, and nothing is told of reuse", u.edit(t, qmstatus, "STANDBY(NOPERMIT)", "REUSESZ( )"), usualGoes, ""},
		{"Automatic, and there are R files", managed("Automatic").with(active, u.body(t, active)+file("R0000099.LOG")), "", ""},
		{"Archive, and there are R files", managed("Archive").with(active, u.body(t, active)+file("R0000099.LOG")), "", ""},
		{"no qm.ini", u.without(qmini), "", "log-kind-unknown"},
		{"no stanza Log", ini("Log:", "Logs:"), "", "log-kind-unknown"},
		{"a stanza that is torn", u.with(qmini, "Log:\n   LogType=LINEAR\n   LogManag"), "", "log-kind-unknown"},
		{"an indented stanza and carriage returns", u.with(qmini, "   Log:\r\n      LogType = linear\r\n LogPath= /var/mqm/log/QM1\r\n"), usualGoes, ""},
	})
}

// Of a circular log nothing may go, whatever is planned, and nothing is wrong
// with it.
func TestCircular(t *testing.T) {
	u := usual().edit(t, qmini, "LogType=LINEAR", "LogType=CIRCULAR").edit(t, qmstatus, "LOGTYPE(LINEAR)", "LOGTYPE(CIRCULAR)").
		edit(t, qmstatus, "CURRLOG(S0000130.LOG)", "CURRLOG( )").edit(t, qmstatus, "RECLOG(S0000112.LOG)", "RECLOG( )").edit(t, qmstatus, "MEDIALOG(S0000104.LOG)", "MEDIALOG( )")
	for name, s := range map[string]script{"both say so": u, "without LOGTYPE": u.edit(t, qmstatus, "LOGTYPE(CIRCULAR)", ""), "it does not run": u.without(qmstatus, dspmq)} {
		facts := s.read(t)
		if openCodes(facts) != "log-not-pruned" || len(facts.Inventory.Segments) > 0 || facts.Inventory.Remover != recovery.ByManager {
			t.Errorf("%s: %+v", name, facts.Inventory)
		}
		if decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, conservative); len(decision.Findings) > 0 {
			t.Errorf("%s: %v", name, decision.Findings)
		}
	}
}

// Case 36: who removes, and which extents wait to be archived.
func TestRemover(t *testing.T) {
	u := usual()
	managed := func(how string) script {
		return u.edit(t, qmini, "   LogBufferPages", "   LogManagement="+how+"\n   LogBufferPages")
	}
	waiting := func(text string) script { return managed("Archive").edit(t, qmstatus, "ARCHLOG( )", text) }
	ahead := linear(files(9999995, 3), "S0000003.LOG", "S0000001.LOG", "S9999998.LOG").
		edit(t, qmini, "   LogBufferPages", "   LogManagement=Archive\n   LogBufferPages").edit(t, qmstatus, "ARCHLOG( )", "ARCHLOG(S9999999.LOG)")
	replicated := managed("Archive").edit(t, qmini, "LogType=LINEAR", "LogType=REPLICATED").edit(t, qmstatus, "LOGTYPE(LINEAR)", "LOGTYPE(REPLICATED)")
	for _, c := range []struct {
		name     string
		log      script
		remover  recovery.Remover
		archives string
		open     string
	}{
		{"Manual", u, recovery.ByHousekeeper, "", ""},
		{"Automatic", managed("Automatic"), recovery.ByManager, "", ""},
		{"replicated, whatever LogManagement says", replicated, recovery.ByManager, "", ""},
		{"none waits", waiting("ARCHLOG( )"), recovery.OnceReported, "", ""},
		{"some wait, needed or not", waiting("ARCHLOG(S0000102.LOG)"), recovery.OnceReported, "S0000102-S0000129", ""},
		{"over the end of the numbers", ahead, recovery.OnceReported, "S9999999-S0000002", ""},
		{"the one that is written is the only one", waiting("ARCHLOG(S0000130.LOG)"), recovery.OnceReported, "", ""},
		{"not shown", waiting(""), recovery.OnceReported, "", "facts-unreadable"},
		{"no extent", waiting("ARCHLOG(R0000102.LOG)"), recovery.OnceReported, "", "facts-unreadable"},
		{"ahead", waiting("ARCHLOG(S0000131.LOG)"), recovery.OnceReported, "", "facts-unreadable"},
		{"not there", waiting("ARCHLOG(S0000098.LOG)"), recovery.OnceReported, "S0000100-S0000129", "extent-gap"},
	} {
		facts := c.log.read(t)
		if got := decided(facts, conservative, recovery.Archive); got != c.archives || letGo(facts) != "" && c.remover != recovery.ByHousekeeper {
			t.Errorf("%s: archives %q, want %q; lets go %q", c.name, got, c.archives, letGo(facts))
		}
		if facts.Inventory.Remover != c.remover || openCodes(facts) != c.open {
			t.Errorf("%s: remover %d, open %v", c.name, facts.Inventory.Remover, facts.Inventory.Open)
		}
	}
}

// Only the host on which the queue manager plainly runs may act.
func TestOnlyWhereItRuns(t *testing.T) {
	u := usual()
	says := func(word string) script { return u.edit(t, dspmq, "STATUS(Running)", "STATUS("+word+")") }
	cases := []extentCase{
		{"dspmq is not answered", u.without(dspmq), usualGoes, ""},
		{"in a language that is not known, and it answers", says("Läuft"), usualGoes, ""},
		{"in a language that is not known, and it does not answer", says("Läuft").without(qmstatus), "", "not-this-host"},
		{"neither is answered", u.without(qmstatus, dspmq), "", "not-this-host"},
		{"QMSTATUS without a state", u.edit(t, qmstatus, "STATUS(RUNNING)", "").without(dspmq), usualGoes, "not-checked"},
		{"QMSTATUS without a state, and dspmq has it", u.edit(t, qmstatus, "STATUS(RUNNING)", ""), usualGoes, ""},
		{"QMSTATUS without a state, and dspmq in another language", says("Läuft").edit(t, qmstatus, "STATUS(RUNNING)", ""), "", "not-this-host"},
		{"QMSTATUS without a state, and dspmq without one", u.with(dspmq, "QMNAME(QM1)\n").edit(t, qmstatus, "STATUS(RUNNING)", ""), "", "not-this-host"},
		{"QMSTATUS without a state, and dspmq fails", u.failing(dspmq, "killed").edit(t, qmstatus, "STATUS(RUNNING)", ""), "", "not-this-host"},
		{"dspmq of another", u.with(dspmq, "QMNAME(QM2) STATUS(Running)\n"), "", "not-this-host"},
		{"dspmq of none", u.with(dspmq, "AMQ7048E: The queue manager name is either not valid or not known.\n"), "", "not-this-host"},
		{"starting", u.edit(t, qmstatus, "STATUS(RUNNING)", "STATUS(STARTING)"), "", "not-this-host"},
		{"starting, and running a moment later", u.with(qmstatus, u.edit(t, qmstatus, "STATUS(RUNNING)", "STATUS(STARTING)").body(t, qmstatus), u.body(t, qmstatus)), "", "not-this-host"},
		{"standbys are permitted", u.edit(t, qmstatus, "STANDBY(NOPERMIT)", "STANDBY(PERMIT)"), usualGoes, ""},
	}
	for _, word := range []string{"Running as standby", "Running elsewhere", "Running as secondary", "Replica", "Starting", "Quiescing", "Ending immediately", "Ended normally", "Ended unexpectedly"} {
		cases = append(cases, extentCase{word, says(word), "", "not-this-host"})
	}
	runExtentCases(t, cases)
}

// Of a queue manager that does not run the facts are there all the same, with the
// points that earlier runs saw, so that a restore can be told what is missing.
func TestFactsOfAStoppedOne(t *testing.T) {
	s := usual().with(qmstatus, "AMQ8146E: not available.\n").with(active, files(115, 132)).
		with(seen, "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-26T02:00:00Z,restart,,S0000109.LOG,\n2026-05-27T02:00:00Z,restart,,S0000112.LOG,\n2026-05-27T02:00:00Z,media,,S0000111.LOG,\n").
		with(manifests, manifestColumns+manifestOf(110)+manifestOf(111)+manifestOf(113)+manifestOf(114)+manifestOf(133))
	facts := s.read(t)
	if openCodes(facts) != "not-this-host" || letGo(facts) != "" {
		t.Errorf("%s goes, open %v", letGo(facts), facts.Inventory.Open)
	}
	if got := decided(facts, conservative, recovery.Archived); got != "S0000111 S0000113-S0000114 S0000133" {
		t.Errorf("archived %s", got)
	}
	if got := decided(facts, conservative, recovery.Lost); got != "S0000112" {
		t.Errorf("lost %s", got)
	}
	if n := facts.Inventory.Needs; len(n) != 2 || n[0].Source != "seen 2026-05-27T02:00:00Z" || n[0].Name != "S0000112.LOG" || n[1].Kind != recovery.Media {
		t.Errorf("%+v", n)
	}
	empty := s.with(active, "").read(t)
	if got := decided(empty, conservative, recovery.Archived, recovery.Lost); got != "S0000111-S0000133" {
		t.Errorf("of an empty directory %s, %v", got, empty.Inventory.Segments)
	}
}

// Points that earlier runs saw and that lie ahead of every extent on the system
// are of a later state of the log: it was put back, and they tell nothing of what
// it needs now.
func TestSeenAheadOfAll(t *testing.T) {
	down := usual().with(qmstatus, "AMQ8146E: not available.\n").with(active, files(100, 110))
	history := func(restart, media string) script {
		return down.with(seen, "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T02:00:00Z,restart,,"+restart+",\n2026-05-27T02:00:00Z,media,,"+media+",\n")
	}
	for _, c := range []struct {
		name  string
		log   script
		needs int
		open  string
	}{
		{"both within", history("S0000105.LOG", "S0000104.LOG"), 2, "not-this-host"},
		{"in the newest", history("S0000110.LOG", "S0000104.LOG"), 2, "not-this-host"},
		{"the restart point ahead", history("S0000111.LOG", "S0000104.LOG"), 0, "not-this-host mark-went-back"},
		{"both ahead", history("S0000130.LOG", "S0000125.LOG"), 0, "not-this-host mark-went-back mark-went-back"},
		{"before the numbers began anew", history("S9999999.LOG", "S9999998.LOG"), 2, "not-this-host"},
		{"over the end of the numbers", history("S0000001.LOG", "S9999998.LOG").with(active, files(9999990, 9999999)), 0, "not-this-host mark-went-back"},
		{"the points are told", usual().with(seen, "AT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-27T02:00:00Z,restart,,S0000110.LOG,\n"), 2, ""},
	} {
		facts := c.log.read(t)
		if len(facts.Inventory.Needs) != c.needs || openCodes(facts) != c.open {
			t.Errorf("%s: needs %+v, open %v", c.name, facts.Inventory.Needs, facts.Inventory.Open)
		}
	}
}

// Pins of either platform.
func TestReadPinsOfExtents(t *testing.T) {
	s := usual().with("MQSC QM1: DISPLAY CONN(*) ALL", "CONN(A1) APPLTAG(amqsput) UOWLOG(S0000112.LOG) UOWLOGDA(2026-05-27) UOWLOGTI(12.30.00)\nCONN(A2) UOWLOG( )\n").
		with("MQSC QM1: DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", "QUEUE(DEEP.Q) CURDEPTH(500) MEDIALOG(S0000104.LOG)\nQUEUE(Q2) CURDEPTH(0) MEDIALOG( )\nQUEUE(Q3) CURDEPTH(0) MEDIALOG(AMQA000001)\n")
	pins := observe.ReadPins(t.Context(), s.player(t), observe.Target{Name: "QM1", Platform: observe.Multiplatforms})
	if len(pins) != 2 || pins[0].Segment != "S0000112.LOG" || pins[0].Kind != recovery.Restart || pins[1] != (observe.Pin{Kind: recovery.Media, Segment: "S0000104.LOG", What: "queue DEEP.Q (depth 500)", Depth: 500}) {
		t.Errorf("%+v", pins)
	}
}
