package os400

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// state is what the system knows. One that was published is never changed:
// [System.update] makes the next one of a copy.
type state struct {
	Settings  Settings
	Libraries []string // sorted
	Exits     []string // sorted
	Replies   []ReplyEntry
	Jobs      []waiting
	// Reclaim are files that no object has any more.
	Reclaim []string

	journals  map[ID]journal
	receivers catalogue
	locks     map[ID][]string // by receiver: the jobs that hold one
}

// journal is what is kept of one.
type journal struct {
	JournalSpec
	Remote    bool     `json:",omitzero"`
	Attached  ID       `json:",omitzero"`
	Suspended bool     `json:",omitzero"`
	Next      uint64   `json:",omitzero"` // sequence number at the last change
	Remotes   []remote `json:",omitempty"`
	// Directory lists its receivers, oldest first, the attached one last.
	Directory []ID
	// Pending is a receiver that the writer was told to go on in. It is in
	// the directory when it was begun, not before: until then the one before
	// it is written.
	Pending pending `json:",omitzero"`
	// Restored: RSTOBJ made it, from a save of one with the same log.
	Restored bool `json:",omitzero"`
	// Warned is the receiver whose threshold a person was told of.
	Warned ID `json:",omitzero"`
	// Retry is when automatic deletion is tried again.
	Retry time.Time `json:",omitzero"`
}

// pending is the receiver that comes next.
type pending struct {
	ID      ID
	Made    bool // for this: it goes if another one is to come
	Reset   bool // SEQOPT(*RESET)
	Ordered bool // by a person
}

// remote is what is kept of a remote journal. Entries are counted from the
// first that the local journal ever had.
type remote struct {
	Remote
	Has       uint64 // entries that it has received
	Following bool   // it has them all, and receives each new one
}

// receiver is what is kept of one. Two can be compared: what did not change is
// not encoded anew.
type receiver struct {
	ID
	Journal    ID        `json:",omitzero"`
	Number     Number    `json:",omitzero"`
	Status     Status    `json:",omitzero"`
	Damaged    bool      `json:",omitzero"`
	Threshold  int64     `json:",omitzero"`
	Attach     time.Time `json:",omitzero"`
	Detach     time.Time `json:",omitzero"`
	Save       time.Time `json:",omitzero"`
	Previous   ID        `json:",omitzero"`
	Next       ID        `json:",omitzero"`
	Associated bool      `json:",omitzero"`
	Start      wal.LSN   `json:",omitzero"`
	End        wal.LSN   `json:",omitzero"`
	Size       int64     `json:",omitzero"` // zero: ask the disk
	// Granted is who may do what with it.
	Granted accessList `json:",omitzero"`

	Sequence uint64 `json:",omitzero"` // number of its first entry
	Reset    bool   `json:",omitzero"` // Sequence began anew
	Before   uint64 `json:",omitzero"` // entries of the journal before it
	Count    uint64 `json:",omitzero"` // its entries
	Counted  bool   `json:",omitzero"` // Count is right
}

// waiting is a job in MSGW and the message that it waits for.
type waiting struct {
	WaitingJob
	Message  string
	Answered []string `json:",omitempty"` // inquiries that were answered with I before
}

// clone copies as much as a change may touch. Slices within journals and
// receivers, and Reclaim, are replaced by who changes them, or grow: what is
// behind the end of a list is in no state that anybody reads.
func (st *state) clone() *state {
	next := *st
	next.Libraries, next.Exits = slices.Clone(st.Libraries), slices.Clone(st.Exits)
	next.Replies, next.Jobs = slices.Clone(st.Replies), slices.Clone(st.Jobs)
	next.journals, next.receivers = maps.Clone(st.journals), st.receivers.copy()
	next.locks = maps.Clone(st.locks)
	return &next
}

// check says what makes no sense in a state.
func (st *state) check() error {
	if err := CheckSystemName(st.Settings.Name); err != nil {
		return err
	}
	for _, library := range st.Libraries {
		if err := checkName(library); err != nil {
			return err
		}
	}
	for r := range st.receivers.all() {
		if err := errors.Join(r.ID.check(), r.Granted.check()); err != nil {
			return fmt.Errorf("receiver %s: %w", r.ID, err)
		}
	}
	for id := range st.locks {
		if !st.receivers.has(id) {
			return fmt.Errorf("receiver %s is locked and not there", id)
		}
	}
	for _, name := range st.Reclaim {
		id, ok := receiverOf(name)
		if r, there := st.receivers.find(id); !ok || id.check() != nil || there && r.Status != Freed {
			return fmt.Errorf("file %s can't be without a receiver", name)
		}
	}
	for id, j := range st.journals {
		if err := errors.Join(id.check(), st.checkDirectory(&j)); err != nil {
			return fmt.Errorf("journal %s: %w", id, err)
		}
	}
	return nil
}

// checkDirectory holds a journal to its rules: exactly one receiver is
// attached, it is the last of the directory, and positions go up.
func (st *state) checkDirectory(j *journal) error {
	if j.Remote {
		return nil
	}
	var at wal.LSN
	for i, id := range j.Directory {
		r, ok := st.receivers.find(id)
		last := i == len(j.Directory)-1
		switch {
		case !ok || r.Journal != j.ID:
			return fmt.Errorf("receiver %s is not its own", id)
		case (r.Status == Attached) != last, last && id != j.Attached:
			return fmt.Errorf("receiver %s can't be %s there", id, r.Status)
		case r.Associated && r.Start != 0 && r.Start < at:
			return fmt.Errorf("receiver %s begins at %s, behind one that begins at %s", id, r.Start, at)
		}
		if r.Associated {
			at = max(at, r.Start)
		}
	}
	if len(j.Directory) == 0 {
		return errors.New("no receiver is attached")
	}
	if p := j.Pending.ID; p != (ID{}) && st.receivers.of(p).Status != Empty {
		return fmt.Errorf("receiver %s can't come next", p)
	}
	return nil
}
