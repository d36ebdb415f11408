package house

import "slices"

// module is the path that starts every import of a room of this repository.
const module = "github.com/mqhk/mqhk"

// Row says what the rooms named in it may import, of this module's packages.
type Row struct {
	Rooms []string // folders, relative to the module
	May   []string // rooms; what they hold is included
	All   bool     // everything, as cmd/mqhk
}

// The sets of rooms that the rows are made of.
var (
	readers       = []string{"core/mqsc", "core/mqini", "core/cl", "core/errlog", "core/bsds", "core/idcams"}
	plugin        = []string{"plugins/journal", "plugins/archive", "plugins/cfbackup", "plugins/smdsexpand"}
	belowObserve  = join([]string{"core/recovery", "core/finding"}, readers)
	fromObserve   = join([]string{"core/observe"}, belowObserve)
	coreNoSim     = join([]string{"core/transcript", "core/collector", "core/wal", "core/logsize", "core/forecast"}, fromObserve)
	core          = join([]string{"core/sim"}, coreNoSim)
	pluginContent = []string{"plugins", "plugins/schema"}
)

// Table is the import table: one row for every room, from below to above. A
// package that no row covers is a mistake.
var Table = []Row{
	{Rooms: []string{"internal/shell"}},
	{Rooms: join([]string{"core/finding", "core/wal", "core/logsize", "core/forecast"}, readers)},
	{Rooms: []string{"core/recovery"}, May: []string{"core/finding"}},
	{Rooms: []string{"core/observe"}, May: belowObserve},
	{Rooms: []string{"core/transcript"}, May: fromObserve},
	{Rooms: []string{"core/collector"}, May: join(fromObserve, []string{"internal/shell"})},
	{Rooms: []string{"core/sim"}, May: join(fromObserve, []string{"core/wal", "core/logsize"})},

	{Rooms: []string{"internal/leave", "internal/group"}},
	{Rooms: []string{"plugins/schema"}},
	{Rooms: []string{"plugins"}, May: []string{"core/recovery", "core/finding", "core/observe", "plugins/schema"}},
	{Rooms: []string{"plugins/serve"}, May: join(pluginContent, []string{"core/recovery", "core/finding", "core/observe"})},
	{Rooms: []string{"plugins/plugintest"}, May: join(pluginContent, []string{"plugins/serve"}, coreNoSim)},
	{Rooms: []string{"plugins/points"}, May: join(pluginContent, []string{"core/recovery", "core/finding", "core/observe"})},
	{Rooms: plugin, May: join(pluginContent, []string{"plugins/points"}, coreNoSim)},

	{Rooms: []string{"policies"}, May: join(pluginContent, []string{"core/recovery", "core/observe"})},

	{Rooms: []string{"agent/schedule"}},
	{Rooms: []string{"agent/connect"}, May: join([]string{"plugins", "internal/group", "internal/leave", "internal/shell"}, core)}, // leave: its stand-ins for tests
	{Rooms: []string{"agent/ledger"}, May: join([]string{"plugins", "internal/shell"}, core)},
	{Rooms: []string{"agent/store"}, May: join([]string{"plugins", "internal/group"}, core)},
	{Rooms: []string{"agent/report"}, May: join([]string{"agent/ledger", "plugins", "internal/shell"}, core)},
	{Rooms: []string{"agent/host"}, May: join([]string{"plugins/serve", "internal/group"}, pluginContent, coreNoSim)},
	{Rooms: []string{"agent/roster"}, May: join([]string{"agent/host", "policies", "internal/shell"}, pluginContent)},
	{Rooms: []string{"agent/run"}, May: join([]string{
		"agent/connect", "agent/host", "agent/ledger", "agent/store", "policies", "plugins"}, core)},
	{Rooms: []string{"agent"}, May: join([]string{
		"agent/schedule", "agent/run", "agent/connect", "agent/host", "agent/ledger", "agent/store", "agent/report",
		"policies", "plugins"}, core)},

	{Rooms: []string{"."}}, // go.mod and go.sum, for the modules of new plugins
	{Rooms: []string{"cmd/mqhk"}, All: true},
	{Rooms: []string{"internal/house"}},
}

// TestsMay is what a test file may import beyond its room's row. A test puts
// more together than the code does: a rule is tried on a transcript, an agent
// on a simulated estate with a real plugin. It still may not look upwards out
// of its storey: no test of core imports a plugin or the agent.
var TestsMay = []Row{
	{Rooms: core, May: core},
	{Rooms: join([]string{"plugins", "plugins/schema", "plugins/serve", "plugins/plugintest", "plugins/points"}, plugin),
		May: join([]string{"plugins/serve", "plugins/plugintest", "plugins/points"}, pluginContent, core)},
	{Rooms: []string{"policies"}, May: join(pluginContent, core)},
	{Rooms: []string{"agent", "agent/connect", "agent/ledger", "agent/store", "agent/report", "agent/host", "agent/roster", "agent/run"},
		May: join([]string{"plugins/serve", "plugins/plugintest", "policies"}, pluginContent, plugin, core)},
}

func join(sets ...[]string) []string { return slices.Concat(sets...) }
