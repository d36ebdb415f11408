package connect

import (
	"fmt"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/observe"
)

// facts adds what has to be learned, and what is wanted.
func (h *hostCheck) facts() {
	plan := []Use{ForPlan}
	h.test("user"+spaced(h.who.name), true, plan, h.testWho)
	h.test("the queue manager tells its status", false, plan, h.testStatus)
	h.test("the queue manager runs here", false, plan, h.plainly)
	h.test("it tells its recovery points", false, plan, h.testPoints)
	h.test("mqs.ini or dspmqinf names the directory of its data", true, plan, h.testData)
	h.test("qm.ini "+h.qmIni(), false, plan, func(row *Checked) { h.testRead(row, h.qmIni()) })
	h.test("kind of log", false, plan, h.testKind)
	h.test("directory of the extents "+h.directory, false, plan, h.testList)
	h.test("it is proven to be that of a queue manager ("+logControl+")", false, plan, h.testControl)
	h.test("error log "+h.data+"/errors", true, plan, func(row *Checked) { h.testRead(row, h.data+"/errors/AMQERR01.LOG") })
	h.test("room in the file system of the log", true, plan, h.testAnswer(observe.Space, h.directory))
	h.test("what units of work hold the restart point", true, plan, h.testAnswer(observe.MQSC, unitsText))
	h.test("which queues hold the media recovery point", true, plan, h.testAnswer(observe.MQSC, queuesText))
	images := []Use{ForImages}
	h.test("the queues tell their depth", false, images, h.testAnswer(observe.MQSC, queuesText))
	h.test("how long the messages of the queues may be", true, images, h.testAnswer(observe.MQSC, sizesText))
	h.test("room in the file system of the log for images", false, images, h.testAnswer(observe.Space, h.directory))
}

func spaced(word string) string {
	if word == "" {
		return ""
	}
	return " " + word
}

func (h *hostCheck) testWho(row *Checked) {
	body, err := h.look(row, observe.CTL, "id")
	switch {
	case err != nil:
		_, row.Detail = hostReason(err)
	case !h.who.known:
		row.Detail = "it is not known who asks: " + firstLine(body)
	default:
		row.Verdict = Yes
	}
}

func (h *hostCheck) testStatus(row *Checked) {
	if _, err := h.readStatus(row); err != nil {
		h.failed(row, err, h.mayAsk)
		return
	}
	row.Verdict = Yes
}

// mayAsk gives what lets a user who is no member of mqm ask the queue manager
// ("Granting access to resources on a queue manager").
func (h *hostCheck) mayAsk() []string {
	return []string{
		shellLine("setmqaut", "-m", h.target.Name, "-t", "qmgr", "-g", h.who.ownGroup(), "+connect", "+inq", "+dsp"),
		shellLine("setmqaut", "-m", h.target.Name, "-n", "**", "-t", "queue", "-g", h.who.ownGroup(), "+dsp"),
	}
}

// failed judges a question that failed.
func (h *hostCheck) failed(row *Checked, err error, grant func() []string) {
	var why reason
	why, row.Detail = hostReason(err)
	if why != noReason {
		row.Verdict = No
	}
	if why == forbidden && grant != nil {
		row.Grant = grant()
	}
}

// testAnswer tests that a question is answered.
func (h *hostCheck) testAnswer(language observe.Language, text string) func(*Checked) {
	return func(row *Checked) {
		grant := h.mayAsk
		if language != observe.MQSC {
			grant = h.joinAdministrators
		}
		if _, err := h.look(row, language, text); err != nil {
			h.failed(row, err, grant)
			return
		}
		row.Verdict = Yes
	}
}

// testPoints looks for RECLOG and MEDIALOG. A circular log has none.
func (h *hostCheck) testPoints(row *Checked) {
	_, err := h.readStatus(row)
	kind, _, _ := h.kind()
	restart, _ := h.status.Get("RECLOG")
	media, _ := h.status.Get("MEDIALOG")
	switch {
	case kind == mqini.Circular:
		row.Verdict, row.Detail = Yes, "a circular log has none"
	case err != nil:
		row.Detail = "its status was not told"
	case restart == "" || media == "":
		row.Verdict = No
		row.Detail = fmt.Sprintf("RECLOG(%s) MEDIALOG(%s): without both nothing goes, unless the task trusts the error log", restart, media)
	default:
		row.Verdict = Yes
	}
}

func (h *hostCheck) testData(row *Checked) {
	_, from, err := h.findData(row)
	switch {
	case err == nil:
		row.Verdict, row.Detail = Yes, from
	default:
		h.failed(row, err, h.joinAdministrators)
		row.Detail += ": looked for at " + h.data
	}
}

// testRead tests that a file can be read.
func (h *hostCheck) testRead(row *Checked, path string) {
	if _, err := h.look(row, observe.File, path); err != nil {
		h.failed(row, err, h.joinAdministrators)
		return
	}
	row.Verdict = Yes
}

func (h *hostCheck) testKind(row *Checked) {
	_, _ = h.readStatus(row)
	_, _ = h.look(row, observe.File, h.qmIni())
	kind, management, wrong := h.kind()
	row.Detail = wrong
	switch {
	case wrong != "" && !h.iniRead:
		row.Verdict = Unknown
	case wrong != "":
		row.Verdict = No
	default:
		row.Verdict = Yes
		row.What += " " + string(kind)
		if kind == mqini.Linear {
			row.What += ", LogManagement=" + string(management)
		}
	}
}

func (h *hostCheck) testList(row *Checked) {
	_, err := h.look(row, observe.LogDir, h.directory)
	switch {
	case err != nil:
		h.failed(row, err, h.joinAdministrators)
	case len(h.extents) == 0:
		row.Verdict, row.Detail = No, "there is no log extent in it"
	default:
		row.Verdict, row.Log = Yes, h.directory
	}
}

// testControl looks for the log control file, beside the directory or in it
// (reference, Multiplatforms 1.4 item 15).
func (h *hostCheck) testControl(row *Checked) {
	_, err := h.look(row, observe.LogDir, above(h.directory))
	switch {
	case h.controlled:
		row.Verdict = Yes
	case err != nil:
		h.failed(row, err, h.joinAdministrators)
	default:
		row.Verdict, row.Detail = No, "it is neither there nor in the directory above"
	}
}
