package observe

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// ExtentFacts are what is known of the log of one queue manager on
// Multiplatforms: the inventory that core/recovery decides from, and what a
// person should know beside it.
type ExtentFacts struct {
	Inventory recovery.Inventory
	Log       Log
	Extents   []Extent   // S files, oldest first, those beyond the current one last
	Reuse     []Extent   // R files, by name
	Foreign   []Extent   // other files in the directory that no queue manager makes, by name
	Seen      []Sighting // recovery points that earlier runs saw, oldest first
	PutBack   bool       // the log was put back to an older state, and no run that applies has stopped for it yet
}

// LogType says how the log of a queue manager is kept.
type LogType string

// The types of log. The zero value is not known.
const (
	Circular   LogType = "CIRCULAR"
	Linear     LogType = "LINEAR"
	Replicated LogType = "REPLICATED" // linear, of Native HA
)

// LogManagement says who removes the extents of a linear log.
type LogManagement string

// The kinds of log management. The zero value is not known.
const (
	Manual    LogManagement = "Manual"
	Automatic LogManagement = "Automatic"
	Archiving LogManagement = "Archive"
)

// Log is the log of a queue manager, as far as it is told.
type Log struct {
	Directory  string // of the extents, without a slash at its end
	Owner      string // of the directory; empty: not told
	Mode       string // of the directory, drwxrws---; empty: not told
	Type       LogType
	Management LogManagement
	Host       HostState // where the queue manager runs
	NotHere    string    // why it does not plainly run on this host; empty: it does

	Current, Restart, Media string // CURRLOG, RECLOG, MEDIALOG; empty: not told
	Waiting                 string // ARCHLOG: the oldest that waits for word that it is archived; empty: none, or not told

	Primary, Secondary int   // files, by qm.ini or QMSTATUS; 0: not told
	InUse, Utilised    int   // LOGINUSE and LOGUTIL in per cent; -1: not told
	Size, Free         int64 // of the file system in bytes; Size 0: not told

	// Suppressed are the ids of messages about the log that qm.ini keeps out of
	// the error log.
	Suppressed []string
}

// Extent is one file in the directory of the extents.
type Extent struct {
	Name        string
	Number      int // of an extent
	Bytes       int64
	Modified    time.Time // zero: not told; says nothing of age (case 21)
	Owner, Mode string    // empty: not told
}

// Fingerprint is what must be unchanged when the extent is deleted.
func (e Extent) Fingerprint() string {
	text := fmt.Sprintf("bytes=%d", e.Bytes)
	if !e.Modified.IsZero() {
		text += " modified=" + e.Modified.UTC().Format(time.RFC3339Nano)
	}
	return text
}

// ReadExtents asks for the facts of the log of one queue manager.
//
// It reads the recovery points, then lists the directory, then reads the points
// again: the first reading decides, the second must not be older. What can't be
// learned becomes a critical finding in Inventory.Open, which keeps everything;
// an error is returned only when ctx ends.
//
// Of a circular log there are no segments: nothing in it may go. Of a queue
// manager that does not run here the facts are those that earlier runs saw, and
// nothing goes either.
func ReadExtents(ctx context.Context, asker Asker, target Target) (ExtentFacts, error) {
	g := &extentGatherer{gathering: newGathering(ctx, asker, target)}
	g.facts.Inventory = recovery.Inventory{QueueManager: target.Name, Ordered: true, Weakest: recovery.FastStartup}
	g.facts.Log.InUse, g.facts.Log.Utilised = -1, -1
	g.inventory = &g.facts.Inventory
	g.setZone()
	g.status = g.readStatus(statusQuestion, statusOfLogQuestion)
	g.readSettings()
	g.findKind()
	if g.facts.Log.Type == Circular {
		g.facts.Inventory.Remover = recovery.ByManager
		g.open(finding.LogNotPruned, "the log is circular: all of its files are in use, and nobody may delete one")
	} else {
		g.readLog()
	}
	g.facts.Inventory.Observed = g.observed
	if err := ctx.Err(); err != nil {
		return g.facts, fmt.Errorf("reading the log of %s: %w", target.Name, err)
	}
	return g.facts, nil
}

// readLog reads all of a log that is not circular.
func (g *extentGatherer) readLog() {
	g.checkRunning()
	g.readIdentity()
	g.readPoints()
	g.readDirectory()
	g.checkManual()
	g.readPointsAgain()
	g.readHost(extentCopies)
	g.facts.Seen = g.seen
	g.readNotes()
	g.buildLine()
	g.readFileSystem()
	g.noteUnlooked()
}

// extentGatherer collects the facts of one log.
type extentGatherer struct {
	gathering
	facts ExtentFacts

	status   status      // the first reading of DISPLAY QMSTATUS
	settings logSettings // of qm.ini
	runs     bool        // the queue manager plainly runs here, as far as anything tells
	identity identity    // of the log

	current, restart, media extentPoint // as the first reading tells them

	logged errlog.Marks // of the error log, where it tells the points
	word   string       // that dspmq printed at first

	listed   []Extent      // files of the directory that have the form of extents
	numbered map[int]int   // of listed: number to index
	kept     []keptExtent  // copies that count, by distance
	others   []int         // distances of copies of another log of the name
	former   []int         // distances of copies of this log that were made before it was put back
	notes    []noteRow     // what the site's own jobs did
	needs    []extentNeed  // all but holds
	gaps     []extentRange // what is missing and nothing needs
	doubts   []string      // what was not checked
	zero     int           // the number from which distances are counted: CURRLOG, or what stands for it
	certain  bool          // it is CURRLOG, or the error log tells what comes to the same
}
