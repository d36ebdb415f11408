// Package multi is a simulated machine with an installation of IBM MQ for
// Multiplatforms: its queue managers, mqs.ini, and the control commands.
package multi

import (
	"context"
	"errors"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Options are what a host runs with.
type Options struct {
	// Disk holds every file of the host, by names relative to Root.
	Disk disk.FS
	// Root is the real folder that the disk stands for.
	Root string
	// Now gives the time in the zone of the host.
	Now func() time.Time
	// NoSync leaves syncs out, for rehearsals.
	NoSync bool
}

// Settings are what a host is made with.
type Settings struct {
	// Name of the host.
	Name string
	// Release of the installation, V.R.M.F; empty: 9.4.0.0.
	Release string
	// Zone of its clock, Area/City.
	Zone string
	// FileSystem is the size of the file system in bytes; 0: without a limit.
	FileSystem int64
}

// Result is what a control command came to.
type Result struct {
	Out, Err []byte // standard output and standard error
	Code     int
}

// Host is a machine with its queue managers.
type Host struct {
	opts     Options
	managers []*qmgr.Manager
	// Taken tells whether a name is that of a queue manager elsewhere; nil:
	// none is. Set it before the host is used.
	Taken func(name string) bool
}

var errNotThere = errors.New("hosts of Multiplatforms can't be made yet")

// Create makes a host on a disk that is empty.
func Create(Options, Settings) (*Host, error) { return nil, errNotThere }

// Open gives a host that is there. It only reads.
func Open(Options) (*Host, error) { return nil, errNotThere }

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

// Create makes a queue manager, as crtmqm does. It is left ended.
func (h *Host) Create(context.Context, qmgr.Spec) (*qmgr.Manager, error) { return nil, errNotThere }

// DataRoot gives the real path of the folder of mqs.ini.
func (h *Host) DataRoot() string { return h.opts.Root + "/var/mqm" }

// Room gives size and free bytes of the file system, where it has a limit.
func (h *Host) Room() (size, free int64, limited bool) { return 0, 0, false }

// Limit leaves so many bytes of the file system free; negative: it has no limit.
func (h *Host) Limit(int64) error { return errNotThere }

// Reopen reads a queue manager again whose files somebody has put back.
func (h *Host) Reopen(string) error { return errNotThere }

// Tick has the running queue managers do what is due at the present time.
func (h *Host) Tick(context.Context) error { return nil }

// Suspend stops the running queue managers as they are.
func (h *Host) Suspend(context.Context) error { return nil }

// Resume goes on with the queue managers that were suspended.
func (h *Host) Resume(context.Context) error { return nil }

// Run carries out a control command.
func (h *Host) Run(context.Context, []string, []byte) Result {
	return Result{Err: []byte(errNotThere.Error() + "\n"), Code: 71}
}
