package local

import (
	"strings"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/mqsc"
)

// machine is where a queue manager runs. Readers and the writer of one
// connection share it.
type machine struct {
	settings Settings
	files    files

	mu       sync.Mutex
	readings map[string]reading // the newest, by queue manager
}

func newMachine(s Settings) *machine {
	m := &machine{settings: s, readings: map[string]reading{}}
	m.files = native{}
	if len(s.Prefix) > 0 {
		m.files = contained{m}
	}
	return m
}

func (*machine) now() time.Time { return time.Now() }

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
		m.mu.Lock()
		m.readings[queueManager] = r
		m.mu.Unlock()
	}
}

// newest gives the newest reading of a queue manager's log; that of one that was
// never read tells nothing.
func (m *machine) newest(queueManager string) reading {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.readings[queueManager]
}
