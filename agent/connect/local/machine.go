package local

import (
	"strings"
	"sync"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/mqsc"
)

// machine is where a queue manager runs. Readers and the writer of one
// connection share what it said of its log.
type machine struct {
	settings Settings
	files    files
	runner   connect.Runner // of a simulated one; nil: commands are processes
	said     *readings
}

// readings are the newest of each queue manager.
type readings struct {
	mu     sync.Mutex
	newest map[string]reading
}

func newMachine(s Settings) *machine {
	m := &machine{settings: s, said: &readings{newest: map[string]reading{}}}
	m.files = native{}
	if len(s.Prefix) > 0 {
		m.files = contained{m}
	}
	return m
}

// over gives the machine as one reader or writer has it, whose commands are
// answered by a runner.
func (m *machine) over(runner connect.Runner) *machine {
	own := *m
	own.runner, own.files = runner, native{}
	own.settings.Prefix, own.settings.Bin, own.settings.DataRoot = nil, "", runner.DataRoot()
	return &own
}

// now gives the machine's time.
func (m *machine) now() time.Time {
	if m.runner != nil {
		return m.runner.Now()
	}
	return time.Now()
}

// Close lets go of what answered the commands, where that was no process.
func (m *machine) Close() error {
	if m.runner != nil {
		return m.runner.Close()
	}
	return nil
}

// reading is what a queue manager last said of its log. Empty: not told.
type reading struct {
	path                    string // LOGPATH
	logType                 string
	current, restart, media string // names of extents
	// ARCHLOG: the oldest that waits to be reported, and whether it was shown.
	waiting  string
	archives bool
}

// notice remembers what an answer says of the log, whoever asked: a writer goes
// by the newest that anybody got.
func (m *machine) notice(queueManager string, said mqsc.Answer) {
	for _, object := range said.Objects {
		if !aboutManager(object) {
			continue
		}
		if _, ok := object.Get("CURRLOG"); !ok {
			continue
		}
		text := func(name string) string { value, _ := object.Get(name); return value }
		r := reading{
			path: text("LOGPATH"), logType: strings.ToUpper(text("LOGTYPE")),
			current: text("CURRLOG"), restart: text("RECLOG"), media: text("MEDIALOG"),
		}
		r.waiting, r.archives = object.Get("ARCHLOG")
		m.said.mu.Lock()
		m.said.newest[queueManager] = r
		m.said.mu.Unlock()
	}
}

// newest gives the newest reading of a queue manager's log; that of one that was
// never read tells nothing.
func (m *machine) newest(queueManager string) reading {
	m.said.mu.Lock()
	defer m.said.mu.Unlock()
	return m.said.newest[queueManager]
}
