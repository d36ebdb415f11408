package observe

import (
	"errors"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqini"
)

// The files that a queue manager keeps beside its extents, in their directory or
// in the one above (reference, Multiplatforms 1.4 item 15).
const (
	controlFile = "amqhlctl.lfh"
	haFile      = "nativeha.ini"
)

// products are those of others whose log files lie in such directories, some with the
// very same names: how they are known, in capitals.
var products = []struct {
	product          string
	begins, contains string
}{
	{"Db2", "SQLOGCTL", ""}, {"Db2", "SQLOGMIR", ""}, {"Db2", "SQLOGDIR", ""}, {"Db2", "SQLLPATH.TAG", ""},
	{"Db2", "", ".LFH."}, {"Db2", "", ".GLFH."},
	{"Domino", "NLOGCTRL.LFH", ""}, {"Domino", "", ".TXN"},
}

// readDirectory lists the directory of the extents and proves whose it is.
func (g *extentGatherer) readDirectory() {
	path, told := g.logDirectory()
	g.facts.Log.Directory, g.identity.folder = path, mqini.LogFolder(path)
	files, ok := g.list(path)
	if !ok {
		return
	}
	if _, name := splitPath(path); name != "active" && !slices.ContainsFunc(files, ListedFile.isExtent) {
		// LOGPATH of some levels may be written without active.
		if inner, answered := g.list(joinPath(path, "active")); answered {
			path, files = joinPath(path, "active"), inner
		}
	}
	g.facts.Log.Directory = path
	g.sortFiles(files)
	g.proveDirectory(files, told)
}

// logDirectory gives the directory of the extents, and whether anybody told it.
func (g *extentGatherer) logDirectory() (path string, told bool) {
	own, ini := cleanPath(g.status.logPath()), cleanPath(g.settings.Path.Value)
	switch {
	case own != "" && ini != "" && !sameLogPath(own, ini):
		g.open(finding.DirectoryNotProven, "DISPLAY QMSTATUS says LOGPATH(%s), and qm.ini LogPath=%s", own, ini)
		return own, true
	case own != "":
		return own, true
	case ini != "":
		return mqini.ActiveFolder(ini), true
	}
	return logRoot + mqini.MangledName(g.target.Name) + "/active", false
}

func (g *extentGatherer) list(path string) ([]ListedFile, bool) {
	body, ok := g.ask(LogDir, path)
	if !ok {
		return nil, false
	}
	files, err := ParseListing(body)
	if err != nil {
		g.open(finding.FactsUnreadable, "LOGDIR %s: %v", path, err)
		return nil, false
	}
	return files, true
}

// isExtent tells whether a file has the name and the form of an extent.
func (f ListedFile) isExtent() bool {
	_, _, err := ParseExtent(f.Name)
	return err == nil && f.Regular()
}

// named reads the name of an extent as the system of the directory tells names
// apart: on Windows case does not matter, elsewhere s0000001.log is another file
// than the extent.
func (l Log) named(name string) (ExtentKind, int, bool) {
	kind, number, err := ParseExtent(name)
	exact := name == strings.ToUpper(name) || windowsDrive.MatchString(l.Directory)
	return kind, number, err == nil && exact
}

// sortFiles tells extents from what else lies there. Names count as they are
// listed, but on Windows, where case does not matter. A link or a directory with
// the name of an extent is none: what it leads to belongs to somebody else.
func (g *extentGatherer) sortFiles(files []ListedFile) {
	windows := windowsDrive.MatchString(g.facts.Log.Directory)
	g.numbered, g.listed = make(map[int]int, len(files)), make([]Extent, 0, len(files))
	for _, f := range files {
		e := Extent{f.Name, 0, f.Bytes, f.Modified, f.Owner, f.Mode}
		kind, number, exact := g.facts.Log.named(f.Name)
		e.Number = number
		switch {
		case isControl(f.Name, windows):
		case !exact || !f.Regular():
			e.Number = 0
			g.facts.Foreign = append(g.facts.Foreign, e)
		case kind == ReuseExtent:
			g.facts.Reuse = append(g.facts.Reuse, e)
		default:
			e.Name = ExtentName(number)
			if _, twice := g.numbered[number]; twice {
				g.open(finding.FactsUnreadable, "LOGDIR %s lists %s twice", g.facts.Log.Directory, e.Name)
				continue
			}
			g.numbered[number] = len(g.listed)
			g.listed = append(g.listed, e)
		}
	}
	byName := func(a, b Extent) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(g.facts.Reuse, byName)
	slices.SortFunc(g.facts.Foreign, byName)
}

// isControl tells whether a file is one that the queue manager keeps beside its
// extents (case 13).
func isControl(name string, windows bool) bool {
	if windows {
		name = strings.ToLower(name)
	}
	return name == controlFile || name == haFile || name == "." || name == ".."
}

// proveDirectory proves that the directory holds the log of this queue manager.
// Db2 gives its log files the same names.
func (g *extentGatherer) proveDirectory(files []ListedFile, told bool) {
	directory := g.facts.Log.Directory
	if product, name := otherProduct(files); product != "" {
		g.open(finding.DirectoryNotProven, "%s holds a log of %s: %s lies in it", directory, product, name)
	}
	here := slices.ContainsFunc(files, func(f ListedFile) bool { return isLogControl(f, directory) })
	g.proveControl(here, told)
	g.checkForeign()
}

func isLogControl(f ListedFile, directory string) bool {
	return f.Regular() && (f.Name == controlFile || windowsDrive.MatchString(directory) && strings.EqualFold(f.Name, controlFile))
}

// proveControl finds the log control file in the directory or in the one above,
// which tells too who owns the directory.
func (g *extentGatherer) proveControl(here, told bool) {
	parent, name := splitPath(g.facts.Log.Directory)
	q := Question{Language: LogDir, QueueManager: g.target.Name, Text: parent}
	answer, err := g.asker.Ask(g.ctx, q)
	files, unread := ParseListing(answer.Body)
	switch {
	case errors.As(err, new(*NotAnswered)):
		if !here && told {
			g.doubt("whether %s lies beside the extents (LOGDIR %s)", controlFile, parent)
		} else if !here {
			g.doubt("whether %s holds the log of this queue manager: it is where a log usually is, and nothing else tells (LOGPATH of DISPLAY QMSTATUS, LogPath in qm.ini, LOGDIR %s)", g.facts.Log.Directory, parent)
		}
		return
	case here && (err != nil || unread != nil):
	case err != nil:
		g.openError(q, err)
	case unread != nil:
		g.open(finding.FactsUnreadable, "%s: %v", q, unread)
	case !here && !slices.ContainsFunc(files, func(f ListedFile) bool { return isLogControl(f, parent) }):
		g.open(finding.DirectoryNotProven, "%s lies neither in %s nor in %s", controlFile, g.facts.Log.Directory, parent)
	}
	for _, f := range files {
		if f.Name == name {
			g.facts.Log.Owner, g.facts.Log.Mode = f.Owner, f.Mode
		}
	}
}

// otherProduct finds a file of another product.
func otherProduct(files []ListedFile) (product, name string) {
	for _, f := range files {
		upper := strings.ToUpper(f.Name)
		for _, o := range products {
			if o.begins != "" && strings.HasPrefix(upper, o.begins) || o.contains != "" && strings.Contains(upper, o.contains) {
				return o.product, f.Name
			}
		}
	}
	return "", ""
}

// mostNames is how many files are named in a finding.
const mostNames = 5

// checkForeign names the files that are not the queue manager's.
func (g *extentGatherer) checkForeign() {
	if len(g.facts.Foreign) > 0 {
		g.open(finding.ForeignFiles, "%s holds what is no file of the queue manager and is never touched: %s", g.facts.Log.Directory, namesOf(g.facts.Foreign))
	}
}

// namesOf lists files by name, some of them where there are many.
func namesOf(files []Extent) string {
	var names []string
	for _, f := range files[:min(len(files), mostNames)] {
		names = append(names, f.Name)
	}
	if more := len(files) - len(names); more > 0 {
		return strings.Join(names, ", ") + " and " + counted(more, "other")
	}
	return strings.Join(names, ", ")
}
