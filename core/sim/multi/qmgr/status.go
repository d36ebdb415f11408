package qmgr

import (
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
)

// Status is what DISPLAY QMSTATUS ALL shows (reference, Multiplatforms 3.1).
type Status struct {
	Name    string
	State   State
	Release string
	// Started is when the queue manager was started last, in the system's
	// zone; zero: never.
	Started time.Time
	// Connections is CONNS.
	Connections int
	// Host and installation: HOSTNAME, INSTNAME, INSTPATH.
	Host, Installation, InstallationPath string
	// CurrLog, RecLog and MediaLog are extents, as they were published last;
	// empty on a circular log, and before the first checkpoint.
	CurrLog, RecLog, MediaLog string
	// LogPath is the real path of the folder of the extents, with active.
	LogPath string
	// Log is what the log itself knows: ARCHLOG, sizes in MB, and so on.
	Log extents.Status
	// DiskLSN is DISKLSN. LogStart and LogStartTime are LOGSTRL, LOGSTRDA and
	// LOGSTRTI: where and when logging began, which is when the log was made
	// (reference, Multiplatforms 3.1).
	DiskLSN, LogStart wal.LSN
	LogStartTime      time.Time
	// Checkpoints, CheckpointOperations and CheckpointBytes are CHKPTCNT,
	// CHKPTOPS and CHKPTSZ: checkpoints since the start, operations and bytes
	// since the last one. What they count exactly is not documented.
	Checkpoints, CheckpointOperations, CheckpointBytes int64
	// Data is the data folder's real path; DataSize and DataUsed are its file
	// system in bytes, QMFSSZ and QMFSUSE; 0: not known.
	DataPath           string
	DataSize, DataUsed int64
}

// Connection is one of DISPLAY CONN: an application with its unit of work.
type Connection struct {
	ID          string // CONN: 16 hexadecimal digits
	Application string // APPLTAG
	User        string // USERID
	PID, TID    int
	// Unit of work; 0: none. URType is QMGR or XA, UnitState NONE, ACTIVE or
	// PREPARED, QMURID and EXTURID its identifiers.
	Unit      uint64
	UnitState string
	URType    string
	QMURID    string
	XID       []byte
	// Since is when the unit of work was begun (UOWSTDA, UOWSTTI).
	Since time.Time
	// UOWLog is the extent of its first record; empty: none, or a circular
	// log, which shows none. UOWLogTime is that record's time (UOWLOGDA,
	// UOWLOGTI).
	UOWLog     string
	UOWLogTime time.Time
	Changes    int
}

// QueueStatus is one of DISPLAY QSTATUS TYPE(QUEUE).
type QueueStatus struct {
	Name        string
	Depth       int // messages whose put is committed
	Current     int // CURDEPTH: with those put and without those got in units of work
	Uncommitted int // UNCOM is YES when there are any
	// Putting and Getting are OPPROCS and IPPROCS: of the handles that
	// applications have, those that units of work use.
	Putting, Getting int
	// FileBytes is the length of the queue's file; CURFSIZE shows it in MB.
	// MaxFile is CURMAXFS, the most MB that it may have.
	FileBytes, MaxFile int64
	// MediaLog is the extent of the queue's media recovery record; empty on a
	// circular log, and of a queue that is not media-recoverable.
	MediaLog       string
	MediaTime      time.Time
	Damaged        bool
	MediaRecovered bool
}

// Transaction is a unit of work as dspmqtrn shows it.
type Transaction struct {
	Number      uint64
	Prepared    bool
	Application string
	XID         []byte
	// Ours: the queue manager itself coordinates it. Another one's is for
	// rsvmqtrn.
	Ours    bool
	Started time.Time
	UOWLog  string
	Changes int
}

// point shows where in the log a mark is: an extent and a time.
type point struct {
	LSN    wal.LSN
	Extent string
	Time   time.Time
}

// points are what was published last.
type points struct {
	Restart, Media point
	Published      time.Time
}

// EngineStatus gives what the engine knows of log and marks at this moment,
// published or not. It is for tests of properties.
func (m *Manager) EngineStatus() (engine.Status, error) {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.engine == nil {
		return engine.Status{}, ErrNotRunning
	}
	return m.engine.Status(), nil
}
