package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// On z/OS a script is a file of jobs: MQSC is the input of CSQUTIL COMMAND, the
// statements of IDCAMS are its own. Records have 80 columns, of which CSQUTIL and
// IDCAMS read 72 and JCL 71; no line here is longer than jclWidth.
const jclWidth = 71

// mostSteps is how many steps a job gets: JCL takes 255.
const mostSteps = 200

var (
	jclComment    = syntax{"//* ", ""}
	idcamsComment = syntax{" /* ", " */"} // in column 1 it would end the data
)

// zosManager is the name of a queue manager or a group on z/OS.
var zosManager = regexp.MustCompile(`^[A-Z$#@][A-Z0-9$#@]{0,3}$`)

// jobWriter writes the jobs of one plan.
type jobWriter struct {
	s      *scriptWriter
	plan   ledger.Target
	jobs   int
	steps  int
	open   string       // the queue manager whose commands the open step holds
	backed map[int]bool // BACKUP CFSTRUCT that the open job holds
}

// jclNotes say how the jobs are to be submitted.
func (s *scriptWriter) jclNotes(plan ledger.Target) {
	s.comment("Each job below is submitted on its own, from its JOB statement on, in this order, and the next only when the one before has ended well and what it says before its JOB statement is so. Before the first: adapt the JOB statements and the prefix of the MQ libraries (SET MQHLQ).")
	s.comment("A step of CSQUTIL runs where the queue manager in its PARM runs. On another image name one that runs there: TGTQMGR and CMDSCOPE say who carries the commands out.")
	if slices.ContainsFunc(plan.Actions, func(a ledger.Action) bool { return a.Language == string(observe.IDCAMS) }) {
		s.comment("The deletes are of one copy of each log and of no other: the second copy is for another run. NOPURGE leaves a data set whose retention has not ended; that step ends with 8, and those after it are left out.")
	}
}

// jclObjection says why an action can't stand in a job; empty when it can.
func jclObjection(action ledger.Action) string {
	language := observe.Language(action.Language)
	if language != observe.MQSC && language != observe.IDCAMS {
		return "statements in " + string(language) + " are not submitted in a job."
	}
	if !zosManager.MatchString(action.QueueManager) {
		return fmt.Sprintf("%q is no name of a queue manager on z/OS.", action.QueueManager)
	}
	for _, text := range statements(action) {
		lines := strings.Split(jclStatement(language, text), "\n")
		switch {
		case strings.HasPrefix(text, "/") || strings.HasPrefix(text, "*"):
			return "its statement would end the data of the job, or be a comment."
		case slices.ContainsFunc(lines, func(l string) bool { return len(l) > jclWidth }):
			return fmt.Sprintf("its statement has a part that is longer than the %d columns of a line.", jclWidth)
		case len(lines) > 1 && language == observe.IDCAMS:
			return "its statement takes more than one line."
		}
	}
	return ""
}

// jclStatement gives a statement as a job holds it: MQSC goes on behind a + with
// the first character of the next line that is no blank; IDCAMS begins in column 2.
func jclStatement(language observe.Language, text string) string {
	if language == observe.IDCAMS {
		return " " + text
	}
	return foldAt(text, jclWidth-1)
}

// jobs writes the actions of a plan, as data of jobs or as comments.
func (s *scriptWriter) jobs(plan ledger.Target, forbidden string) {
	w := &jobWriter{s: s, plan: plan, backed: map[int]bool{}}
	all := newSequence(plan)
	for n, i := range all.order() {
		action := plan.Actions[i]
		says := fmt.Sprintf("%d of %d: %s %s: %s", n+1, len(plan.Actions), action.Kind, action.Object, cmp.Or(action.Reason, "no reason given"))
		objection := cmp.Or(all.objection(i), jclObjection(action))
		if forbidden == "" && objection == "" {
			w.submit(all, i, says)
			all.settle(i, true)
			continue
		}
		w.close()
		s.comment(says)
		if forbidden == "" {
			s.comment("NOT TO BE SUBMITTED: " + objection)
		}
		all.settle(i, outcome(action) == plugins.Done)
		for _, text := range statements(action) {
			if text != "" {
				s.comment(text)
			}
		}
	}
	w.close()
}

// submit writes one action into a step: commands of one queue manager share it.
func (w *jobWriter) submit(all sequence, i int, says string) {
	action := w.plan.Actions[i]
	language := observe.Language(action.Language)
	if before := w.awaited(all, i); w.steps == 0 || w.steps >= mostSteps || len(before) > 0 {
		w.job(before)
	}
	switch language {
	case observe.MQSC:
		if w.open != action.QueueManager {
			w.close()
			w.command(action.QueueManager)
		}
	default:
		w.close()
		w.step("PGM=IDCAMS")
		w.s.line("//SYSPRINT DD SYSOUT=*")
		w.s.line("//SYSIN    DD *")
		w.open = action.QueueManager
	}
	outer := w.s.syntax
	w.s.syntax = starComment
	if language == observe.IDCAMS {
		w.s.syntax = idcamsComment
	}
	w.s.comment(says)
	w.s.syntax = outer
	for _, text := range statements(action) {
		w.s.line(jclStatement(language, text))
	}
	if language == observe.IDCAMS {
		w.close()
	}
	if isBackup(action) {
		w.backed[i] = true
	}
}

// isBackup tells whether an action only begins something: CSQ9022I for a BACKUP
// CFSTRUCT says that it was accepted.
func isBackup(action ledger.Action) bool {
	return action.Language == string(observe.MQSC) && strings.HasPrefix(strings.ToUpper(action.Command), "BACKUP ")
}

// awaited gives the backups of the open job that have to be over before action i.
func (w *jobWriter) awaited(all sequence, i int) []ledger.Action {
	var list []ledger.Action
	before, _ := all.requires(i)
	for _, j := range before {
		if w.backed[j] {
			list = append(list, w.plan.Actions[j])
		}
	}
	return list
}

// job begins a job, and says what has to be so before it is submitted.
func (w *jobWriter) job(awaited []ledger.Action) {
	w.close()
	w.jobs++
	w.steps = 0
	clear(w.backed)
	w.s.comment(strings.Repeat("=", commentWidth))
	for _, a := range awaited {
		w.s.comment(fmt.Sprintf("Submit this job only when the backup of %s on %s is over: CSQE121I on its console, or DISPLAY CFSTATUS(*) TYPE(BACKUP) with another BKUPSRBA and BKUPERBA than before. That the command ended (CSQ9022I) says nothing of it.", a.Object, a.QueueManager))
	}
	w.s.line(fmt.Sprintf("//MQHK%04d JOB (ACCOUNT),'MQHK',CLASS=A,MSGCLASS=X", w.jobs%10000))
	w.s.line("// SET MQHLQ=MQ.HLQ")
}

// step begins a step. One that is not the first is left out when one before it
// ended with another code than 0.
func (w *jobWriter) step(program string) {
	w.steps++
	if w.steps > 1 {
		program += ",COND=(0,NE)"
	}
	w.s.line(fmt.Sprintf("//S%04d    EXEC %s", w.steps, program))
}

// command begins a step of CSQUTIL. FAILURE(STOP) ends it at the first command
// that fails, with code 8.
func (w *jobWriter) command(queueManager string) {
	w.step("PGM=CSQUTIL,PARM='" + queueManager + "'")
	w.s.line("//STEPLIB  DD DISP=SHR,DSN=&MQHLQ..SCSQANLE")
	w.s.line("//         DD DISP=SHR,DSN=&MQHLQ..SCSQAUTH")
	w.s.line("//SYSPRINT DD SYSOUT=*")
	w.s.line("//SYSIN    DD *")
	w.s.line("COMMAND DDNAME(CMDS) TGTQMGR(" + queueManager + ") FAILURE(STOP)")
	w.s.line("/*")
	w.s.line("//CMDS     DD *")
	w.open = queueManager
}

// close ends the data of the open step.
func (w *jobWriter) close() {
	if w.open != "" {
		w.s.line("/*")
		w.open = ""
	}
}

// byHand prints what is never automatic, with what it would cost.
func (s *scriptWriter) byHand(plan ledger.Target) {
	for _, o := range plan.Objects {
		text, ok := o.Facts["recover_now"]
		if !ok || !strings.Contains(text, "RECOVER CFSTRUCT(") {
			continue
		}
		cost := ""
		if minutes := o.Facts["minutes"]; minutes != "" {
			cost = fmt.Sprintf(" It would read %s of log, about %s minutes.", cmp.Or(o.Facts["log_to_read"], "an unknown amount"), minutes)
		}
		s.comment(fmt.Sprintf("FOR A PERSON, NEVER AUTOMATIC: %s: %s.%s", o.Name, strings.TrimSuffix(text, "."), cost))
	}
}
