package main

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/policies"
)

// madeMulti is what the flags for Multiplatforms ask for.
type madeMulti struct {
	sim.Multi
	log, management, fileSystem, first string
}

func (m *madeMulti) flags(flags *pflag.FlagSet) {
	flags.StringVar(&m.log, "log", "linear", "`KIND` of the log: linear or circular")
	flags.StringVar(&m.management, "management", "", "LogManagement of a linear log: `manual`, automatic or archive (default manual)")
	flags.IntVar(&m.Log.Primary, "primaries", 0, "`NUMBER` of primary log files (default that of the release)")
	flags.IntVar(&m.Log.Secondary, "secondaries", 0, "`NUMBER` of secondary log files (default that of the release)")
	flags.IntVar(&m.Log.FilePages, "pages", 0, "`NUMBER` of pages of 4 KB in each log file (default that of the release)")
	flags.StringVar(&m.first, "first-extent", "", "`NAME` of a linear log's first extent (default S0000000.LOG)")
	flags.StringVar(&m.Settings.Release, "release", "9.4.0.0", "`V.R.M.F` of a new system's installation")
	flags.BoolVar(&m.JSON, "json-log", false, "write the error log as JSON beside the text")
	flags.StringVar(&m.fileSystem, "file-system", "", "`SIZE` of a new system's file system (default without a limit)")
}

func (m *madeMulti) spec(name, system string) (sim.Spec, error) {
	m.Name, m.System = name, system
	kinds := map[string]extents.Kind{"linear": extents.Linear, "circular": extents.Circular}
	managements := map[string]extents.Management{"": "", "manual": extents.Manual, "automatic": extents.Automatic, "archive": extents.Archive}
	var known bool
	if m.Log.Kind, known = kinds[strings.ToLower(m.log)]; !known {
		return nil, usage("--log %q is neither linear nor circular", m.log)
	}
	if m.Log.Management, known = managements[strings.ToLower(m.management)]; !known {
		return nil, usage("--management %q is none of manual, automatic, archive", m.management)
	}
	if m.Log.Kind == extents.Circular && (m.management != "" || m.first != "") {
		return nil, usage("--management and --first-extent are of a linear log")
	}
	if m.first != "" {
		kind, number, err := observe.ParseExtent(m.first)
		if err != nil || kind != observe.LogExtent {
			return nil, usage("--first-extent %q: write it as S0000000.LOG", m.first)
		}
		m.Log.First = number
	}
	if m.fileSystem != "" {
		var err error
		if m.Settings.FileSystem, err = policies.ParseSize(m.fileSystem); err != nil {
			return nil, usage("--file-system: %v", err)
		}
	}
	return m.Multi, nil
}

func (m *madeMulti) mistake(err error) bool {
	return errors.Is(err, qmgr.ErrName) || errors.Is(err, extents.ErrSettings) || errors.Is(err, sim.ErrUsage)
}
