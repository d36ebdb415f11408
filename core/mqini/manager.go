package mqini

import (
	"errors"
	"fmt"
)

// Manager is a queue manager as mqs.ini or dspmqinf knows it. What is not given
// is empty.
type Manager struct {
	Name             string
	Prefix           string
	Directory        string // the folder's name, transformed from the queue manager's
	DataPath         string // where the data is, when crtmqm was told so
	InstallationName string // not in what dspmqinf -o command prints
	Line             int    // of the stanza
	Problems         []Problem

	disputed bool // an attribute that says where the data is is unclear
}

// Errors of FindManager.
var (
	ErrNoManager    = errors.New("no stanza of this queue manager")
	ErrManagerTwice = errors.New("two stanzas of this queue manager")
)

// Managers reads the QueueManager stanzas. Names of queue managers differ by
// case.
func Managers(f File) []Manager {
	var managers []Manager
	for _, stanza := range f.All("QueueManager") {
		s := &source{stanzas: []Stanza{stanza}, problems: f.within(stanza)}
		text := func(name string) Setting[string] { return settingOf(s, name, filled) }
		prefix, directory, data := text("Prefix"), text("Directory"), text("DataPath")
		manager := Manager{
			Name: text("Name").Value, Prefix: prefix.Value, Directory: directory.Value,
			DataPath: data.Value, InstallationName: text("InstallationName").Value, Line: stanza.Line,
			disputed: prefix.State == Unclear || directory.State == Unclear || data.State == Unclear,
		}
		if manager.Name == "" {
			s.tell(stanza.Line, "a queue manager without a name")
		}
		manager.Problems = s.problems
		managers = append(managers, manager)
	}
	return managers
}

// FindManager gives the one queue manager of a name. The error is
// [ErrNoManager] or [ErrManagerTwice].
func FindManager(f File, name string) (Manager, error) {
	var found Manager
	count := 0
	for _, manager := range Managers(f) {
		if manager.Name == name {
			found = manager
			count++
		}
	}
	switch count {
	case 0:
		return Manager{}, fmt.Errorf("%s: %w", name, ErrNoManager)
	case 1:
		return found, nil
	}
	return Manager{}, fmt.Errorf("%s: %w", name, ErrManagerTwice)
}

// DataDir gives the folder of the queue manager's data, in which qm.ini and the
// error logs are: DataPath, or Prefix/qmgrs/Directory ("QueueManager stanza of
// the mqs.ini file"). False when the stanza does not say enough, or when an
// attribute of the path says two things.
func (m Manager) DataDir() (string, bool) {
	switch {
	case m.disputed:
		return "", false
	case m.DataPath != "":
		return trimEnd(m.DataPath), true
	case m.Prefix != "" && m.Directory != "":
		return join(m.Prefix, "qmgrs", m.Directory), true
	}
	return "", false
}
