package multi

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// backupFile says that a queue manager is a backup of another one, or was
// activated. It is in the data folder: a new copy of the other's data has none.
const backupFile = "sim-backup"

// What it says.
const (
	isBackup    = "backup"
	isActivated = "activated"
)

// backupState gives what the file says; empty: it is an ordinary one.
func (h *Host) backupState(m *qmgr.Manager) (string, error) {
	content, err := disk.ReadAll(h.disk, path.Join(m.DataDir(), backupFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(content)), err
}

func (h *Host) setBackupState(m *qmgr.Manager, state string) error {
	return h.write(path.Join(m.DataDir(), backupFile), []byte(state+"\n"))
}

// backup is strmqm -r and strmqm -a (reference, Multiplatforms 7 item 119). The
// first reads the log that was copied and makes the queue manager a backup,
// which does not start. The second makes it one that does, and is updated no
// more. Unlike a real one it keeps the data as they were copied, so that every
// extent since has to stay; what it is at the takeover is the same.
func (c *call) backup(m *qmgr.Manager) int {
	state, err := c.backupState(m)
	switch {
	case err != nil:
		return c.failed(err)
	case m.State() == qmgr.Running:
		return c.refuse(alreadyRuns, "AMQ7005", amqerr.Inserts{})
	case c.flags.has("a"):
		return c.activate(m, state)
	case state == isActivated:
		fmt.Fprintf(&c.err, "Queue manager '%s' was activated, and is updated no more.\n", m.Name())
		return unexpected
	}
	set := m.LogSettings()
	if set.Kind != extents.Linear || set.Management == extents.Automatic {
		fmt.Fprintln(&c.err, "A backup queue manager needs a linear log whose extents nobody reuses before they are copied.")
		return unexpected
	}
	records, err := c.replay(m, set)
	if err != nil {
		defer fmt.Fprintf(&c.err, "   %v\n", err)
		return c.refuse(logNotAvailable, "AMQ7017", amqerr.Inserts{})
	}
	if err := c.setBackupState(m, isBackup); err != nil {
		return c.failed(err)
	}
	c.say("AMQ7229", amqerr.Inserts{A1: records, C1: m.Name()})
	c.say("AMQ7230", amqerr.Inserts{C1: m.Name()})
	return done
}

// activate is strmqm -a.
func (c *call) activate(m *qmgr.Manager, state string) int {
	if state != isBackup {
		fmt.Fprintf(&c.err, "Queue manager '%s' is no backup queue manager.\n", m.Name())
		return unexpected
	}
	if err := c.setBackupState(m, isActivated); err != nil {
		return c.failed(err)
	}
	c.print("Queue manager '%s' activated.", m.Name())
	return done
}

// replay reads the log from its head to its end, as a start would, and counts
// the records.
func (c *call) replay(m *qmgr.Manager, set extents.Settings) (records int64, err error) {
	log, err := extents.Open(disk.ReadOnly(c.disk), m.LogDir(), set)
	if err != nil {
		return 0, err
	}
	restart, _ := log.Marks()
	for _, err := range engine.Entries(c.ctx, log.Open, log.Segments(), restart, 0) {
		if err != nil {
			return records, err
		}
		records++
	}
	return records, nil
}
