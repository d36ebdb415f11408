package sim

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Multi is a queue manager of Multiplatforms as it is added to an estate.
type Multi struct {
	qmgr.Spec
	// System that it is to be on: one that the estate has, or a new one of
	// this name. Empty: a new one with a name of its own.
	System string
	// Settings of a new system; its name is System, its zone that of the estate.
	Settings multi.Settings
}

var _ Spec = Multi{}

func (m Multi) manager() string            { return m.Name }
func (m Multi) on() string                 { return m.System }
func (m Multi) platform() observe.Platform { return observe.Multiplatforms }

func (m Multi) makeSystem(e *Estate, name string) (*system, error) {
	opts, c := e.multiOptions(systemState{Name: name})
	set := m.Settings
	set.Name, set.Zone = strings.ToLower(name), e.state.Zone
	host, err := multi.Create(opts, set)
	if err != nil {
		return nil, err
	}
	return e.multiSystem(name, c, host, opts.Disk), nil
}

func (m Multi) create(ctx context.Context, s *system, _ bool) (func(context.Context) error, error) {
	on, ok := s.platform.(multiSystem)
	if !ok {
		return nil, fmt.Errorf("%w: system %s is not of Multiplatforms", ErrUsage, s.name)
	}
	made, err := on.Create(ctx, m.Spec)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { _, err := made.Start(ctx); return err }, nil
}

// multiSystem is a machine with an installation of IBM MQ.
type multiSystem struct {
	*multi.Host
	disk disk.FS
}

var _ machine = multiSystem{}

func (h multiSystem) run(ctx context.Context, argv []string, stdin []byte) Ended {
	result := h.Run(ctx, argv, stdin)
	return Ended{result.Out, result.Err, result.Code}
}

func (h multiSystem) dataRoot() string                       { return h.DataRoot() }
func (h multiSystem) room() (size, free int64, limited bool) { return h.Room() }

// multiOptions gives what a machine runs with. Its files name each other by
// their real paths.
func (e *Estate) multiOptions(s systemState) (multi.Options, *clock) {
	c := e.clockOf(s)
	root := e.folderOf(s.Name)
	if absolute, err := filepath.Abs(root); err == nil {
		root = absolute
	}
	d := disk.AtWith(root, multi.Modes)
	if e.looked {
		d = disk.ReadOnly(d)
	}
	if e.state.NoSync { // not everything below can be told
		d = disk.NoSync(d)
	}
	return multi.Options{Disk: d, Root: filepath.ToSlash(root), Now: c.Now, NoSync: e.state.NoSync}, c
}

func openMulti(e *Estate, found systemState) (*system, error) {
	opts, c := e.multiOptions(found)
	host, err := multi.Open(opts)
	if err != nil {
		return nil, err
	}
	return e.multiSystem(found.Name, c, host, opts.Disk), nil
}

func (e *Estate) multiSystem(name string, c *clock, host *multi.Host, d disk.FS) *system {
	host.Taken = e.elsewhere(name)
	return &system{name: name, clock: c, platform: multiSystem{host, d}}
}

func (h multiSystem) managers() []manager {
	var all []manager
	for _, m := range h.Managers() {
		all = append(all, multiManager{m, h})
	}
	return all
}

func (h multiSystem) lost() map[string]error { return h.Lost() }

func (h multiSystem) tick(ctx context.Context) error    { return h.Tick(ctx) }
func (h multiSystem) suspend(ctx context.Context) error { return h.Suspend(ctx) }
func (h multiSystem) force() error                      { return nil }

// ask answers nothing: who asks a queue manager of Multiplatforms runs commands
// ([Site.Display]) and reads files.
func (h multiSystem) ask(_ context.Context, _ string, q observe.Question) (observe.Answer, error) {
	return observe.Answer{}, &observe.NotAnswered{Question: q}
}

// multiManager is a queue manager of Multiplatforms with its system.
type multiManager struct {
	*qmgr.Manager
	host multiSystem
}

func (m multiManager) Crash(context.Context) error { return m.Manager.Crash() }

// memoryOnly counts the messages that are not persistent, as far as their
// queues can be read.
func (m multiManager) memoryOnly() int {
	n := 0
	for _, q := range m.QueueStatus() {
		_ = m.Browse(q.Name, func(msg engine.Message) bool { // a damaged queue has none
			if !msg.Persistent {
				n++
			}
			return true
		})
	}
	return n
}

func (m multiManager) state() (string, bool) {
	state := m.State()
	return string(state), state == qmgr.Running
}

func (m multiManager) target() observe.Target {
	return observe.Target{Name: m.Name(), Platform: observe.Multiplatforms}
}

func (m multiManager) work(now func() time.Time) workload.QueueManager {
	return applications[*qmgr.Unit]{m.Manager, now, m.Define}
}

func (m multiManager) show(st *ManagerStatus) {
	status := m.Status()
	set := m.LogSettings()
	l := &LogStatus{
		Path: m.LogPath(), Type: string(set.Kind), Management: string(set.Management),
		Current: status.CurrLog, Restart: status.RecLog, Media: status.MediaLog,
	}
	st.Log = l
	l.Extents, l.Reusable, st.Bytes = m.host.extents(m.LogDir())
	if _, free, limited := m.host.Room(); limited {
		st.Free = &free
	}
	if _, running := m.state(); running {
		st.Work = m.showWork()
	}
}

// showWork shows queues and units of work. The queues of the queue manager
// itself do not count.
func (m multiManager) showWork() *Work {
	w := &Work{}
	for _, q := range m.QueueStatus() {
		if strings.HasPrefix(q.Name, "SYSTEM.") {
			continue
		}
		w.Queues++
		w.Messages += q.Depth
		if q.Damaged {
			w.Damaged++
		}
	}
	for _, t := range m.Transactions() {
		w.UnitsOfWork++
		if !t.Started.IsZero() && (w.Oldest.IsZero() || t.Started.Before(w.Oldest)) {
			w.Oldest = t.Started
		}
	}
	return w
}

// extents counts the extents in the folder of a log, and their bytes.
func (h multiSystem) extents(logDir string) (used, reusable int, bytes int64) {
	folder := path.Join(logDir, extents.ActiveName)
	names, err := h.disk.List(folder)
	if err != nil {
		return 0, 0, 0 // a log that is gone has none
	}
	for _, name := range names {
		kind, _, err := observe.ParseExtent(name)
		if err != nil {
			continue
		}
		if kind == observe.ReuseExtent {
			reusable++
		} else {
			used++
		}
		if size, err := sizeOf(h.disk, path.Join(folder, name)); err == nil {
			bytes += size
		}
	}
	return used, reusable, bytes
}

// sizeOf gives the length of a file.
func sizeOf(d disk.FS, name string) (int64, error) {
	f, err := d.Open(name)
	if err != nil {
		return 0, err
	}
	size, err := f.Size()
	return size, errors.Join(err, f.Close())
}

// Multi gives a queue manager of Multiplatforms by its name; nil: the estate has
// none of it.
func (e *Estate) Multi(name string) *qmgr.Manager {
	if _, m, err := e.find(name); err == nil {
		if m, ok := m.(multiManager); ok {
			return m.Manager
		}
	}
	return nil
}
