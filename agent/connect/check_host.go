package connect

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// The questions of a plan on Multiplatforms, in the words in which core/observe
// asks them, so that a transcript answers (docs/multiplatforms.md, "What it
// asks").
const (
	statusText      = "DISPLAY QMSTATUS ALL"
	statusOfLogText = "DISPLAY QMSTATUS LOG"
	unitsText       = "DISPLAY CONN(*) ALL"
	queuesText      = "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL"
	sizesText       = "DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE"
	managersFile    = "/var/mqm/mqs.ini"
	defaultData     = "/var/mqm/qmgrs/"
	defaultLog      = "/var/mqm/log/"
)

// running is the state in which a queue manager's log may be worked on. Other
// words are other states, or this one in another language, which is not trusted.
const running = "RUNNING"

// hostCheck checks a queue manager on Multiplatforms.
type hostCheck struct {
	*checker
	rows    []Checked
	answers map[observe.Question]told

	who        identity
	status     mqsc.Object // of DISPLAY QMSTATUS; no attributes: not told
	data       string      // directory of its data
	dataFrom   string      // what names it; empty: it is a guess
	ini        mqini.LogSettings
	iniRead    bool
	directory  string // of the extents
	extents    []file // S files in it, and
	itself     file   // its own entry in the one above
	controlled bool   // amqhlctl.lfh is there
}

// told is what became of a question.
type told struct {
	body []byte
	err  error
}

// multiplatforms checks a queue manager on Multiplatforms: who asks, the facts,
// the authorities.
func (c *checker) multiplatforms() []Checked {
	h := &hostCheck{checker: c, answers: map[observe.Question]told{}}
	h.learn()
	h.facts()
	h.authorities()
	return h.rows
}

// look asks a question, once for all rows that want to know.
func (h *hostCheck) look(row *Checked, language observe.Language, text string) ([]byte, error) {
	q := observe.Question{Language: language, QueueManager: h.target.Name, Text: text}
	row.Questions = append(row.Questions, q.String())
	if known, ok := h.answers[q]; ok {
		return known.body, known.err
	}
	answer, err := h.reader.Ask(h.ctx, q)
	h.answers[q] = told{answer.Body, err}
	return answer.Body, err
}

// test adds a row, unless it is for no use that is checked.
func (h *hostCheck) test(what string, wanted bool, uses []Use, test func(*Checked)) {
	row := Checked{What: what, Wanted: wanted, Verdict: Unknown}
	for _, u := range uses {
		if h.needs.uses(u) {
			row.For = append(row.For, u)
		}
	}
	if len(row.For) == 0 {
		return
	}
	test(&row)
	h.rows = append(h.rows, row)
}

// learn finds out what the rows speak of.
func (h *hostCheck) learn() {
	var none Checked
	if body, err := h.look(&none, observe.CTL, "id"); err == nil {
		h.who = readIdentity(string(body))
	}
	h.status, _ = h.readStatus(&none)
	h.data, h.dataFrom, _ = h.findData(&none)
	if body, err := h.look(&none, observe.File, h.qmIni()); err == nil {
		h.ini, h.iniRead = mqini.Log(mqini.Parse(body)), true
	}
	h.directory = h.findLog()
	if body, err := h.look(&none, observe.LogDir, h.directory); err == nil {
		h.extents, h.controlled = extentsOf(body)
	}
	if body, err := h.look(&none, observe.LogDir, above(h.directory)); err == nil {
		for _, f := range readFiles(body) {
			h.controlled = h.controlled || f.name == logControl
			if f.name == h.directory[strings.LastIndexByte(h.directory, '/')+1:] {
				h.itself = f
			}
		}
	}
}

// readStatus reads DISPLAY QMSTATUS, where it is not answered for all for the
// log alone.
func (h *hostCheck) readStatus(row *Checked) (mqsc.Object, error) {
	var failed error
	for _, text := range []string{statusText, statusOfLogText} {
		body, err := h.look(row, observe.MQSC, text)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		answer, err := mqsc.ParseAnswer(body)
		switch {
		case err != nil:
			return mqsc.Object{}, err
		case len(answer.Objects) != 1:
			return mqsc.Object{}, errors.New("it does not show one queue manager: " + firstLine(body))
		}
		if name, ok := answer.Objects[0].Get("QMNAME"); ok && name != h.target.Name {
			return mqsc.Object{}, errors.New("it shows the queue manager " + name)
		}
		return answer.Objects[0], nil
	}
	return mqsc.Object{}, failed
}

// findData gives the directory of the queue manager's data, and which file or
// command names it; by its usual place when none does. The error says why none
// did.
func (h *hostCheck) findData(row *Checked) (data, from string, failed error) {
	for _, source := range []struct {
		language observe.Language
		text     string
	}{{observe.File, managersFile}, {observe.CTL, "dspmqinf " + h.target.Name}} {
		body, err := h.look(row, source.language, source.text)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		manager, err := mqini.FindManager(mqini.Parse(body), h.target.Name)
		if err != nil {
			failed = err
			break
		}
		if data, ok := manager.DataDir(); ok {
			return data, source.text, nil
		}
		failed = errors.New(source.text + " does not say where the data is")
		break
	}
	return defaultData + mqini.MangledName(h.target.Name), "", failed
}

func (h *hostCheck) qmIni() string { return h.data + "/qm.ini" }

// findLog gives the directory of the extents: as the queue manager tells it, by
// qm.ini, or where it usually is.
func (h *hostCheck) findLog() string {
	if path, _ := h.status.Get("LOGPATH"); path != "" {
		return strings.TrimRight(path, "/")
	}
	if h.ini.Path.Known() {
		return mqini.ActiveFolder(h.ini.Path.Value)
	}
	return defaultLog + mqini.MangledName(h.target.Name) + "/active"
}

// above gives the directory that a directory is in.
func above(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// kind gives the type of log and who removes its extents, and what is wrong
// with what was learned of them (case 24).
func (h *hostCheck) kind() (mqini.LogType, mqini.LogManagement, string) {
	said, _ := h.status.Get("LOGTYPE")
	kind, management := mqini.LogType(strings.ToUpper(strings.TrimSpace(said))), h.ini.Management.Value
	switch written := h.ini.Type; {
	case kind == "" && !written.Known():
		return "", "", "neither LOGTYPE of the queue manager nor LogType of qm.ini tells it"
	case kind == "":
		kind = written.Value
	case written.Known() && written.Value != kind:
		return "", "", "the queue manager says " + string(kind) + ", qm.ini " + string(written.Value)
	}
	switch {
	case kind == mqini.Circular || kind == mqini.Replicated:
		return kind, management, ""
	case kind != mqini.Linear:
		return "", "", string(kind) + " is no kind of log that is known"
	case !h.iniRead:
		return kind, "", "it is LINEAR, and without qm.ini nobody knows who removes extents (LogManagement)"
	case h.ini.Management.State == mqini.Unclear:
		return kind, "", "LogManagement in qm.ini is unclear"
	case management == "":
		management = mqini.Manual // the default
	}
	return kind, management, ""
}

// removes tells whether mqhk may remove extents there.
func (h *hostCheck) removes() bool {
	kind, management, wrong := h.kind()
	return wrong != "" || kind == mqini.Linear && management == mqini.Manual
}

// archives tells whether the queue manager waits for word of copies.
func (h *hostCheck) archives() bool {
	kind, management, wrong := h.kind()
	return wrong == "" && kind == mqini.Linear && management == mqini.Archive
}

// stateText is the question for the state of the queue manager.
func (h *hostCheck) stateText() string { return "dspmq -m " + h.target.Name + " -o status -x" }

// plainly tells whether the queue manager runs on this host, as far as an answer
// tells: by its own status, else by dspmq (reference, Multiplatforms, trap 18).
func (h *hostCheck) plainly(row *Checked) {
	body, err := h.look(row, observe.CTL, h.stateText())
	state, ok := h.status.Get("STATUS")
	if ok {
		row.Verdict = verdictOf(state == running)
		row.Detail = "STATUS(" + state + ")"
		return
	}
	if err != nil {
		_, row.Detail = hostReason(err)
		return
	}
	answer, err := mqsc.ParseAnswer(body)
	if err != nil || len(answer.Objects) == 0 {
		row.Detail = firstLine(body)
		return
	}
	at := slices.IndexFunc(answer.Objects, func(o mqsc.Object) bool { name, _ := o.Get("QMNAME"); return name == h.target.Name })
	if at < 0 {
		row.Verdict, row.Detail = No, "dspmq does not show it"
		return
	}
	state, _ = answer.Objects[at].Get("STATUS")
	row.Verdict, row.Detail = verdictOf(state == "Running"), "STATUS("+state+")"
}

func verdictOf(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}
