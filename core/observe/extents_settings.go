package observe

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
)

// Where a queue manager's configuration is found: mqs.ini names the directory of
// its data, as dspmqinf does. Never is a path built from the name alone, but
// where nothing else can be had, and then it is a guess (reference,
// Multiplatforms 1.4 item 24).
const (
	mqsIniFile = "/var/mqm/mqs.ini"
	dataRoot   = "/var/mqm/qmgrs/"
	logRoot    = "/var/mqm/log/"
)

// logSettings is what qm.ini says of the log.
type logSettings struct {
	mqini.LogSettings
	data   string // the directory of the queue manager's data; empty: not known
	path   string // of qm.ini; empty: not known
	read   bool   // qm.ini was answered and has a stanza Log
	refuse string // why it can't be used; empty: it can, if it was read

	hidden, hiddenJSON []string // messages of a start that the error log lacks, and those that JSON beside it does
}

// readSettings finds qm.ini and reads what it says of the log.
func (g *extentGatherer) readSettings() {
	s := &g.settings
	guessed := false
	if s.data, s.refuse = g.findData(); s.data == "" {
		if s.refuse != "" {
			return
		}
		s.data, guessed = dataRoot+mqini.MangledName(g.target.Name), true
	}
	path := joinPath(s.data, "qm.ini")
	s.path = path
	body, ok := g.try(File, path)
	if !ok {
		return
	}
	file := mqini.Parse(body)
	s.LogSettings = mqini.Log(file)
	stanza, found := file.Get("Log")
	if !found {
		s.refuse = path + " has no stanza Log"
		return
	}
	s.read = true
	if line, torn := unreadLine(stanza, s.Problems); torn {
		s.refuse = path + ": " + line
	}
	if guessed {
		g.checkGuess(path)
	}
	services := mqini.MessageServices(file)
	g.facts.Log.Suppressed = hidden(services[:1], logMessages)
	s.hidden = hidden(services[:1], lifeMessages)
	s.hiddenJSON = hidden(slices.DeleteFunc(services[1:], func(m mqini.MessageService) bool { return !m.JSON }), lifeMessages)
}

// findData gives the directory of the queue manager's data by mqs.ini or
// dspmqinf; nothing when neither was answered, and why when one of them was and
// does not tell.
func (g *extentGatherer) findData() (data, why string) {
	source := mqsIniFile
	body, ok := g.try(File, source)
	if !ok {
		source = "dspmqinf " + g.target.Name
		if body, ok = g.try(CTL, source); !ok {
			return "", ""
		}
	}
	manager, err := mqini.FindManager(mqini.Parse(body), g.target.Name)
	if err != nil {
		return "", source + ": " + err.Error()
	}
	data, ok = manager.DataDir()
	if !ok {
		return "", source + " does not tell where the data of the queue manager is"
	}
	return data, ""
}

// checkGuess believes a file that was only looked for where it usually is if
// its LogPath is the LOGPATH of the queue manager. Where one of them is not told
// nothing contradicts, and a person should know.
func (g *extentGatherer) checkGuess(path string) {
	told := g.status.logPath()
	own := g.settings.Path.Value
	switch {
	case told == "" || own == "":
		g.doubt("whether %s is that of this queue manager: it was looked for where it usually is (%s, LOGPATH of DISPLAY QMSTATUS)", path, mqsIniFile)
	case !sameLogPath(told, own):
		g.settings.LogSettings, g.settings.read = mqini.LogSettings{}, false
		g.settings.refuse = path + " is of another queue manager: LogPath=" + own + ", and LOGPATH(" + told + ")"
	}
}

// unreadLine finds a line of the stanza that is none of its attributes: half a
// file is none, since what is not given has a default.
func unreadLine(stanza mqini.Stanza, problems []mqini.Problem) (string, bool) {
	for _, p := range problems {
		ofAttribute := slices.ContainsFunc(stanza.Attributes, func(a mqini.Attribute) bool { return a.Line == p.Line })
		if p.Line != stanza.Line && !ofAttribute {
			return p.String(), true
		}
	}
	return "", false
}

// logMessages are those that tell of recovery points and of a full log
// (reference, Multiplatforms 2.1).
var logMessages = []string{"AMQ7463E", "AMQ7465E", "AMQ7466E", "AMQ7467I", "AMQ7468I", "AMQ7469E", "AMQ6709E"}

// lifeMessages tell one life of a queue manager from another: it was created,
// started, ended. Where one is kept out of the error log a recovery point in it
// may be of before the last start.
var lifeMessages = []string{"AMQ8001I", "AMQ8003I", "AMQ8004I"}

// hidden gives the messages of a list that one of some services leaves out.
func hidden(services []mqini.MessageService, list []string) []string {
	var ids []string
	for _, id := range list {
		leavesOut := func(m mqini.MessageService) bool { _, hides := m.Hides(id); return hides }
		if slices.ContainsFunc(services, leavesOut) {
			ids = append(ids, strings.TrimRight(id, "IWEST"))
		}
	}
	return ids
}

// logPath gives LOGPATH; empty where it is not told.
func (s status) logPath() string {
	value, _ := s.tells("LOGPATH")
	return value
}
