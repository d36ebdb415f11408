package qmgr

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Where the product keeps its files (reference, IBM i 1.1).
const (
	prefix      = "/QIBM/UserData/mqm"
	registryIni = prefix + "/mqs.ini"
	managers    = prefix + "/qmgrs"
)

// entry is the stanza of a queue manager in mqs.ini.
type entry struct{ name, library, directory string }

// List gives the names of the queue managers that mqs.ini knows, in its
// order. On a system without any there is no file and that is no error; where
// there are directories of queue managers and no file the error wraps
// fs.ErrNotExist.
func List(sys *os400.System) ([]string, error) {
	all, _, err := readRegistry(sys)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	return names, nil
}

// readRegistry gives the stanzas of queue managers, and the file as a whole.
func readRegistry(sys *os400.System) ([]entry, []stanza, error) {
	content, err := sys.ReadFile(registryIni)
	if errors.Is(err, fs.ErrNotExist) && !inUse(sys) {
		return nil, nil, nil
	}
	var all []stanza
	if err == nil {
		all, err = readIni(content)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", registryIni, err)
	}
	var found []entry
	for i := range all {
		if s := &all[i]; strings.EqualFold(s.name, "QueueManager") {
			found = append(found, entry{s.get("Name"), s.get("Library"), s.get("Directory")})
		}
	}
	return found, all, nil
}

// inUse tells whether the system has the journal of a queue manager.
func inUse(sys *os400.System) bool {
	return slices.ContainsFunc(sys.Journals(""), func(j os400.Journal) bool {
		return len(j.Name) == len("AMQAJRN") && strings.HasPrefix(j.Name, "AMQ") && strings.HasSuffix(j.Name, "JRN")
	})
}

// lookUp finds the stanza of a queue manager.
func lookUp(sys *os400.System, name string) (entry, error) {
	all, _, err := readRegistry(sys)
	if err != nil {
		return entry{}, err
	}
	if i := slices.IndexFunc(all, func(e entry) bool { return e.name == name }); i >= 0 {
		return all[i], nil
	}
	return entry{}, fmt.Errorf("queue manager %s: %w", name, ErrUnknown)
}

// register adds the stanza of a queue manager to mqs.ini. As the default one it
// takes the place of the one before.
func register(sys *os400.System, e entry, isDefault bool) error {
	_, all, err := readRegistry(sys)
	if err != nil {
		return err
	}
	all = append(all, stanza{"QueueManager", []setting{
		{"Name", e.name}, {"Prefix", prefix}, {"Library", e.library}, {"Directory", e.directory},
	}})
	if isDefault {
		all = slices.DeleteFunc(all, func(s stanza) bool { return strings.EqualFold(s.name, defaultStanza) })
		all = append(all, stanza{defaultStanza, []setting{{"Name", e.name}}})
	}
	return writeRegistry(sys, all)
}

// defaultStanza of mqs.ini names the default queue manager, as on other
// platforms.
const defaultStanza = "DefaultQueueManager"

// Default gives the name of the queue manager that was made with
// DFTQMGR(*YES), the last of them; empty: there is none.
func Default(sys *os400.System) (string, error) {
	_, all, err := readRegistry(sys)
	if err != nil {
		return "", err
	}
	for i := range all {
		if strings.EqualFold(all[i].name, defaultStanza) {
			return all[i].get("Name"), nil
		}
	}
	return "", nil
}

// firstRegistry makes mqs.ini on a system without queue managers: from then on
// one that is missing was deleted.
func firstRegistry(sys *os400.System) error {
	return writeRegistry(sys, []stanza{{"AllQueueManagers", []setting{{"DefaultPrefix", prefix}}}})
}

func writeRegistry(sys *os400.System, all []stanza) error {
	if err := sys.WriteFile(registryIni, writeIni(all)); err != nil {
		return fmt.Errorf("writing %s: %w", registryIni, err)
	}
	return nil
}
