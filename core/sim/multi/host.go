package multi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/sim/multi/quota"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Options are what a host runs with.
type Options struct {
	// Disk holds every file of the host, by names relative to Root.
	Disk disk.FS
	// Root is the real folder that the disk stands for. Empty: files have the
	// names that they have on a machine of its own, and no owners.
	Root string
	// Now gives the time in the zone of the host; nil: the real one.
	Now func() time.Time
	// NoSync leaves syncs out, for rehearsals.
	NoSync bool
}

// Settings are what a host is made with.
type Settings struct {
	// Name of the host; empty: localhost.
	Name string
	// Release of the installation, V.R.M.F; empty: 9.4.0.0.
	Release string
	// Zone of its clock, Area/City.
	Zone string
	// FileSystem is the size of the file system in bytes; 0: without a limit.
	FileSystem int64
}

// Where things are on the disk of a host. One file system holds all that a
// queue manager writes.
const (
	dataFolder   = "var/mqm"
	mqsIni       = dataFolder + "/mqs.ini"
	installation = "Installation1"
)

// Host is a machine with its queue managers. It is for one goroutine at a time.
type Host struct {
	opts     Options
	disk     *quota.Disk
	level    level.Level
	state    hostState
	managers []*qmgr.Manager
	lost     []lostManager
	// Taken tells whether a name is that of a queue manager elsewhere; nil:
	// none is. Set it before the host is used.
	Taken func(name string) bool
}

// Modes are those of the product's files and folders: of mqm and its group, and
// of nobody else. What is made in a folder is of its group.
var Modes = disk.Modes{File: 0o660, Folder: fs.ModeSetgid | 0o770}

// ErrTaken says that a queue manager elsewhere has the name.
var ErrTaken = errors.New("the name is that of a queue manager elsewhere")

// Create makes a host on a disk that is empty: an installation without queue
// managers.
func Create(o Options, s Settings) (*Host, error) {
	h := newHost(o, hostState{Format: hostFormat, Settings: s.withDefaults(), Root: o.Root})
	err := h.setLevel()
	for _, folder := range []string{"qmgrs", "log", "errors", "trace", "exits", "exits64", "sockets"} {
		if err == nil {
			err = h.disk.MkdirAll(path.Join(dataFolder, folder))
		}
	}
	if err == nil {
		err = h.write(mqsIni, h.firstIni())
	}
	if err == nil {
		err = h.saveState()
	}
	if err != nil {
		return nil, fmt.Errorf("making host %s: %w", h.state.Name, err)
	}
	return h, nil
}

func (s Settings) withDefaults() Settings {
	if s.Name == "" {
		s.Name = "localhost"
	}
	if s.Release == "" {
		s.Release = "9.4.0.0"
	}
	return s
}

// Open gives a host that is there, with the queue managers of its mqs.ini. It
// only reads, but for one whose folder was moved: its configuration files name
// others by their real paths, and are written anew. On a disk that can't be
// written they are read as if they had been.
func Open(o Options) (*Host, error) {
	h := newHost(o, hostState{})
	if err := h.open(); err != nil {
		return nil, fmt.Errorf("opening the host in %s: %w", o.Root, err)
	}
	return h, nil
}

func (h *Host) open() error {
	if err := h.readState(); err != nil {
		return err
	}
	h.disk.Resize(h.state.FileSystem)
	if err := h.setLevel(); err != nil {
		return err
	}
	if roots := h.roots(); len(roots) > 0 {
		if err := h.moved(); err != nil {
			return fmt.Errorf("it was moved from %s: %w", roots[0], err)
		}
	}
	places, err := h.places()
	if err != nil {
		return err
	}
	for _, p := range places {
		if m, err := qmgr.Open(h.site(), p.name, p.folder); err == nil {
			h.managers = append(h.managers, m)
		} else { // somebody has removed its files, and may put them back
			h.lost = append(h.lost, lostManager{p, err})
		}
	}
	return nil
}

func newHost(o Options, s hostState) *Host {
	if o.Now == nil {
		o.Now = time.Now
	}
	h := &Host{opts: o, state: s}
	h.disk = h.fileSystem(o.Disk)
	return h
}

// fileSystem gives a disk the host's limit. What only the simulator has takes
// nothing of it, so that a host whose file system is full can be left.
func (h *Host) fileSystem(d disk.FS) *quota.Disk {
	limited := quota.New(d, dataFolder, h.state.FileSystem)
	limited.Except(qmgr.OwnFile)
	return limited
}

func (h *Host) setLevel() (err error) {
	h.level, err = level.Parse(h.state.Release)
	return err
}

// site is where the queue managers live.
func (h *Host) site() qmgr.Site {
	s := qmgr.Site{
		Disk: h.disk, Root: h.opts.Root, Data: dataFolder, Now: h.opts.Now, Release: h.level.String(),
		NoSync: h.opts.NoSync, Host: h.state.Name, Installation: installation,
	}
	// A disk in memory has no owners and permissions to look at.
	if _, err := os.Stat(filepath.Join(filepath.FromSlash(h.opts.Root), hostFile)); h.opts.Root != "" && err == nil {
		s.Stat = qmgr.StatBelow(h.opts.Root)
	}
	return s
}

// Managers gives the queue managers in the order in which they were created.
func (h *Host) Managers() []*qmgr.Manager { return h.managers }

// Manager gives a queue manager by its name; nil: there is none.
func (h *Host) Manager(name string) *qmgr.Manager {
	for _, m := range h.managers {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

// Name gives the name of the host.
func (h *Host) Name() string { return h.state.Name }

// DataRoot gives the real path of the folder of mqs.ini.
func (h *Host) DataRoot() string { return h.real(dataFolder) }

// real gives the real path of a name on the disk.
func (h *Host) real(name string) string { return h.opts.Root + "/" + name }

// write gives a file a new content as a whole.
func (h *Host) write(name string, content []byte) error {
	if h.opts.NoSync {
		return disk.ReplaceNoSync(h.disk, name, content)
	}
	return disk.Replace(h.disk, name, content)
}

// Create makes a queue manager, as crtmqm does: what its log is not said to be
// is taken from LogDefaults of mqs.ini. It is left ended.
func (h *Host) Create(ctx context.Context, spec qmgr.Spec) (*qmgr.Manager, error) {
	return h.create(ctx, spec, parents{})
}

func (h *Host) create(ctx context.Context, spec qmgr.Spec, below parents) (*qmgr.Manager, error) {
	switch {
	case h.Manager(spec.Name) != nil || h.lostOf(spec.Name) != nil:
		return nil, fmt.Errorf("creating queue manager %s: %w", spec.Name, qmgr.ErrExists)
	case h.Taken != nil && h.Taken(spec.Name):
		return nil, fmt.Errorf("creating queue manager %s: %w", spec.Name, ErrTaken)
	}
	ini, err := h.readIni()
	if err != nil {
		return nil, err
	}
	ini.logDefaults(&spec.Log)
	if err := h.place(&spec, below, ini); err != nil {
		return nil, fmt.Errorf("creating queue manager %s: %w", spec.Name, err)
	}
	m, err := qmgr.Create(ctx, h.site(), spec)
	if err == nil {
		err = h.write(mqsIni, ini.with(h.stanza(m)))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("creating queue manager %s: %w", spec.Name, err), h.removeTree(spec.LogDir), h.removeTree(spec.DataDir))
	}
	h.managers = append(h.managers, m)
	return m, nil
}

// Room gives size and free bytes of the file system, where it has a limit.
func (h *Host) Room() (size, free int64, limited bool) {
	size, used, limited := h.disk.Space(dataFolder)
	return size, max(0, size-used), limited
}

// Limit leaves so many bytes of the file system free; negative: it has no limit.
func (h *Host) Limit(free int64) error {
	size := int64(0)
	if free >= 0 {
		h.disk.Resize(1) // so that it counts
		size = max(1, h.disk.Used()+free)
	}
	h.disk.Resize(size)
	h.state.FileSystem = size
	return h.saveState()
}

// Tick has the running queue managers do what is due at the present time, and
// ends those that were told to once their work is done. What one can't do does
// not hold up the others.
func (h *Host) Tick(ctx context.Context) error {
	var failed error
	for _, m := range h.managers {
		failed = errors.Join(failed, m.Tick(ctx))
	}
	return errors.Join(failed, h.quiesce(ctx))
}

// Suspend stops the running queue managers as they are.
func (h *Host) Suspend(ctx context.Context) error {
	var failed error
	for _, m := range h.managers {
		if m.Engine() != nil {
			failed = errors.Join(failed, m.Suspend(ctx))
		}
	}
	return failed
}

// Resume goes on with the queue managers that were suspended.
func (h *Host) Resume(ctx context.Context) error {
	var failed error
	for _, m := range h.managers {
		if m.Suspended() {
			failed = errors.Join(failed, m.Resume(ctx))
		}
	}
	return failed
}
