package observe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/recovery"
)

// findKind finds out what kind of log it is and who removes its extents. What
// two sources say differently, or what none says, is not known: then nothing
// goes, and never is it guessed (case 24).
func (g *extentGatherer) findKind() {
	log := &g.facts.Log
	kind, why := g.typeTold()
	if why != "" {
		g.open(finding.LogKindUnknown, "%s", why)
	}
	log.Type = kind
	if kind == Circular {
		return
	}
	management, why := g.managementTold()
	if why != "" {
		g.open(finding.LogKindUnknown, "%s", why)
	}
	log.Management = management
	g.setRemover()
	g.readWaiting()
	g.readUse()
}

// typeTold compares LOGTYPE of the queue manager, where its level has one, with
// LogType of qm.ini.
func (g *extentGatherer) typeTold() (LogType, string) {
	value, told := g.status.tells("LOGTYPE")
	kind := LogType(strings.ToUpper(value))
	if told && kind != Circular && kind != Linear && kind != Replicated {
		return "", fmt.Sprintf("LOGTYPE(%s) of DISPLAY QMSTATUS is not known", value)
	}
	ini := g.settings.Type
	switch {
	case ini.State == mqini.Unclear:
		return "", fmt.Sprintf("qm.ini does not tell the type of the log clearly, in line %d", ini.Line)
	case !told && !ini.Known():
		return "", "neither LOGTYPE of DISPLAY QMSTATUS nor LogType in qm.ini tells what kind of log it is" + g.whyNoSettings()
	case told && ini.Known() && string(ini.Value) != string(kind):
		return "", fmt.Sprintf("DISPLAY QMSTATUS says LOGTYPE(%s), and qm.ini LogType=%s", value, ini.Value)
	case !told:
		kind = LogType(ini.Value)
	}
	if kind == Circular && g.status.tellsAny("CURRLOG", "RECLOG", "MEDIALOG") {
		return "", "the log is said to be circular, and DISPLAY QMSTATUS names extents, which only a linear log has"
	}
	return kind, ""
}

// whyNoSettings says, where qm.ini was of no use, why.
func (g *extentGatherer) whyNoSettings() string {
	switch {
	case g.settings.refuse != "":
		return " (" + g.settings.refuse + ")"
	case !g.settings.read:
		return " (" + g.whyNot(mqsIniFile, "dspmqinf "+g.target.Name, g.settings.path) + ")"
	}
	return ""
}

// managementTold gives LogManagement, which only qm.ini tells. A stanza without
// it means Manual, as at every level before 9.0.2; no stanza means nothing.
// ARCHLOG is only there under Archive.
func (g *extentGatherer) managementTold() (LogManagement, string) {
	s := g.settings
	switch {
	case s.refuse != "" || !s.read:
		return "", "nothing tells who removes the extents (LogManagement)" + g.whyNoSettings()
	case s.Management.State == mqini.Unclear:
		return "", fmt.Sprintf("qm.ini does not tell LogManagement clearly, in line %d", s.Management.Line)
	}
	management := Manual
	if s.Management.Known() {
		management = LogManagement(s.Management.Value)
	}
	if waiting, _ := g.status.tells("ARCHLOG"); waiting != "" && management != Archiving {
		return "", fmt.Sprintf("qm.ini means LogManagement=%s, and DISPLAY QMSTATUS names an extent that waits to be archived: ARCHLOG(%s)", management, waiting)
	}
	return management, ""
}

// checkManual holds LogManagement=Manual against what only a queue manager makes
// that removes extents itself: R files, which it has emptied and uses again
// ("What logs look like"). Where the queue manager says itself that it holds
// some (REUSESZ), qm.ini was edited and it was not started since, or the line
// with LogManagement is cut off: then two would remove. Files alone may be of
// earlier times, and are a doubt.
func (g *extentGatherer) checkManual() {
	log := &g.facts.Log
	if log.Type != Linear || log.Management != Manual {
		return
	}
	held, _ := g.status.tells("REUSESZ")
	size, err := strconv.Atoi(held)
	files := ""
	if len(g.facts.Reuse) > 0 {
		files = fmt.Sprintf(", %s in %s (%s)", counted(len(g.facts.Reuse), "R file"), log.Directory, namesOf(g.facts.Reuse))
	}
	if held == "" || err == nil && size == 0 {
		if files != "" {
			g.doubts = append(g.doubts, "whether the queue manager removes extents itself, since there are some for reuse and qm.ini means LogManagement=Manual"+files)
		}
		return
	}
	g.open(finding.LogKindUnknown, "qm.ini means LogManagement=Manual, and the queue manager has extents for reuse, as one has that removes them itself: REUSESZ(%s) of DISPLAY QMSTATUS%s. If qm.ini was edited restart the queue manager; if they are of earlier times take them away: RESET QMGR TYPE(REDUCELOG)", held, files)
	log.Management = ""
	g.setRemover()
}

// setRemover says who lets extents go. A log that nobody can tell the kind of
// is left to the queue manager.
func (g *extentGatherer) setRemover() {
	log := g.facts.Log
	switch {
	case log.Type == Linear && log.Management == Manual:
		g.inventory.Remover = recovery.ByHousekeeper
	case log.Type == Linear && log.Management == Archiving:
		g.inventory.Remover = recovery.OnceReported
	default:
		g.inventory.Remover = recovery.ByManager
	}
}

// readWaiting reads ARCHLOG, the oldest extent that waits for word that it is
// archived. Blank means that none does.
func (g *extentGatherer) readWaiting() {
	if g.inventory.Remover != recovery.OnceReported || g.status.kind != statusShown {
		return
	}
	value, told := g.status.tells("ARCHLOG")
	kind, _, err := ParseExtent(value)
	switch {
	case !told:
		g.open(finding.FactsUnreadable, "LogManagement=Archive, and %s does not show ARCHLOG: which extents wait to be archived is not known", g.status.text)
	case value == "":
	case err != nil || kind != LogExtent:
		g.open(finding.FactsUnreadable, "ARCHLOG(%s) of DISPLAY QMSTATUS is no name of a log extent", value)
	default:
		g.facts.Log.Waiting = value
	}
}

// readUse reads how much of the log is in use. What is missing is not told.
func (g *extentGatherer) readUse() {
	log := &g.facts.Log
	log.Primary, log.Secondary = int(g.settings.PrimaryFiles.Value), int(g.settings.SecondaryFiles.Value)
	for name, field := range map[string]*int{"LOGPRIM": &log.Primary, "LOGSEC": &log.Secondary, "LOGINUSE": &log.InUse, "LOGUTIL": &log.Utilised} {
		value, _ := g.status.tells(name)
		if number, err := strconv.Atoi(value); err == nil && number >= 0 {
			*field = number
		}
	}
}
