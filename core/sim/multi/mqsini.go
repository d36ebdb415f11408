package multi

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// firstIni gives mqs.ini of an installation without queue managers. The
// defaults of a log are those of the release (reference, Multiplatforms 1.2).
func (h *Host) firstIni() []byte {
	limits := logsize.LimitsOf(h.level.String(), false)
	data := h.real(dataFolder)
	return fmt.Appendf(nil, `#*******************************************************************#
#* Module Name: mqs.ini                                            *#
#* Type       : IBM MQ Machine-wide Configuration File             *#
#* Function   : Define IBM MQ resources for an entire machine      *#
#*******************************************************************#
AllQueueManagers:
   DefaultPrefix=%[1]s
ClientExitPath:
   ExitsDefaultPath=%[1]s/exits
   ExitsDefaultPath64=%[1]s/exits64
LogDefaults:
   LogPrimaryFiles=%[2]d
   LogSecondaryFiles=%[3]d
   LogFilePages=%[4]d
   LogType=CIRCULAR
   LogBufferPages=0
   LogDefaultPath=%[1]s/log
`, data, limits.Primary, limits.Secondary, limits.Pages)
}

// machineIni is mqs.ini as it was read.
type machineIni struct {
	content []byte
	file    mqini.File
}

func (h *Host) readIni() (machineIni, error) {
	content, err := disk.ReadAll(h.disk, mqsIni)
	if err != nil {
		return machineIni{}, fmt.Errorf("reading %s: %w", h.real(mqsIni), err)
	}
	return machineIni{content, mqini.Parse(content)}, nil
}

// stanza gives the definition of a queue manager, as dspmqinf shows it too.
// DataPath stands there when crtmqm -md was given ("QueueManager stanza of the
// mqs.ini file").
func (h *Host) stanza(m *qmgr.Manager) string {
	place := fmt.Sprintf("   Prefix=%s\n   Directory=%s\n", h.real(dataFolder), path.Base(m.DataDir()))
	if path.Dir(m.DataDir()) != dataFolder+"/qmgrs" {
		place += fmt.Sprintf("   DataPath=%s\n", m.DataPath())
	}
	return fmt.Sprintf("QueueManager:\n   Name=%s\n%s   InstallationName=%s\n", m.Name(), place, installation)
}

// with gives the file with one stanza more.
func (i machineIni) with(stanza string) []byte {
	text := string(i.content)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text + stanza)
}

// errUnclear says that a stanza can't be taken out of mqs.ini alone.
var errUnclear = errors.New("mqs.ini is not clear enough to be changed: edit it")

// without gives the file without the stanzas of a kind whose Name is the given
// one. What a person wrote in the others stays as it is: where that is not
// certain it is [errUnclear].
func (i machineIni) without(kind, name string) (machineIni, error) {
	lines := strings.SplitAfter(string(i.content), "\n")
	rest := mqini.File{}
	for _, s := range i.file.Stanzas {
		if got, _ := s.Get("Name"); !strings.EqualFold(s.Name, kind) || got != name || len(s.All("Name")) != 1 {
			rest.Stanzas = append(rest.Stanzas, s)
			continue
		}
		for n := s.Line; n <= s.End && n <= len(lines); n++ {
			lines[n-1] = ""
		}
	}
	content := []byte(strings.Join(lines, ""))
	after := machineIni{content, mqini.Parse(content)}
	if !slices.EqualFunc(after.file.Stanzas, rest.Stanzas, sameStanza) {
		return i, errUnclear
	}
	return after, nil
}

// sameStanza tells whether two stanzas say the same, wherever they stand.
func sameStanza(a, b mqini.Stanza) bool {
	return a.Name == b.Name && slices.EqualFunc(a.Attributes, b.Attributes, func(x, y mqini.Attribute) bool {
		return x.Name == y.Name && x.Value == y.Value
	})
}

// withoutManager gives the file without a queue manager, and with no default one
// if it was that.
func (i machineIni) withoutManager(name string) (machineIni, error) {
	after, err := i.without("QueueManager", name)
	if err != nil {
		return i, err
	}
	return after.without("DefaultQueueManager", name)
}

// defaultManager gives the name in the DefaultQueueManager stanza; empty: none.
func (i machineIni) defaultManager() string {
	s, ok := i.file.Get("DefaultQueueManager")
	if !ok {
		return ""
	}
	name, _ := s.Get("Name")
	return name
}

// logDefaults fills in what a log is not said to be. What LogDefaults does not
// say either is the release's own.
func (i machineIni) logDefaults(log *extents.Settings) {
	s, _ := i.file.Get("LogDefaults")
	number := func(name string, to *int) {
		if text, ok := s.Get(name); ok && *to == 0 {
			*to, _ = strconv.Atoi(text) // 0, if it is none: the release's
		}
	}
	number("LogPrimaryFiles", &log.Primary)
	number("LogSecondaryFiles", &log.Secondary)
	number("LogFilePages", &log.FilePages)
	if kind, ok := s.Get("LogType"); ok && log.Kind == "" {
		log.Kind = extents.Kind(strings.ToUpper(kind))
	}
	if log.Kind == "" {
		log.Kind = extents.Circular
	}
}

// logDefaultPath gives the folder on the disk that logs are in by default.
func (h *Host) logDefaultPath(i machineIni) (string, error) {
	s, _ := i.file.Get("LogDefaults")
	text, ok := s.Get("LogDefaultPath")
	if !ok {
		return dataFolder + "/log", nil
	}
	return h.name(text)
}

// name gives the name on the disk of a real path; what is elsewhere is
// [errElsewhere].
func (h *Host) name(there string) (string, error) {
	below, ok := strings.CutPrefix(path.Clean(there), strings.TrimSuffix(h.opts.Root, "/")+"/")
	if !ok || below == "" {
		return "", fmt.Errorf("%w: %s", errElsewhere, there)
	}
	return below, nil
}

// place is where a queue manager of mqs.ini has its data.
type place struct{ name, folder string }

// places gives the queue managers of mqs.ini.
func (h *Host) places() ([]place, error) {
	ini, err := h.readIni()
	if err != nil {
		return nil, err
	}
	var all []place
	for _, m := range mqini.Managers(ini.file) {
		folder, ok := m.DataDir()
		if !ok || m.Name == "" {
			return nil, fmt.Errorf("%s, line %d: it does not say where the data of a queue manager are: %v", h.real(mqsIni), m.Line, m.Problems)
		}
		name, err := h.name(folder)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", h.real(mqsIni), m.Line, err)
		}
		all = append(all, place{m.Name, name})
	}
	return all, nil
}
