package store

import (
	"context"
	"io"
	"iter"

	"github.com/mqhk/mqhk/core/recovery"
)

// Store keeps segments. Its methods may be called from several goroutines and
// several processes at once.
type Store interface {
	// Name is what the policy calls the store; [recovery.Copy] carries it.
	Name() string
	// Put keeps a segment that is read from content to its end. It returns
	// when the copy is durable and was read back. A segment that is there
	// already is not kept twice.
	Put(ctx context.Context, segment recovery.Segment, facts Facts, content io.Reader) (recovery.Copy, error)
	// Verify reads a copy whole and compares it with its manifest. What is
	// found damaged is listed as not verified from then on.
	Verify(ctx context.Context, c recovery.Copy) error
	// Open reads a copy as it was put. The read that would end it fails with
	// ErrDamaged when it was not what the manifest says.
	Open(ctx context.Context, c recovery.Copy) (io.ReadCloser, error)
	// List gives the copies of one queue manager; of all when none is named.
	// A manifest that can't be read is an error in the sequence, after which
	// the sequence goes on. A copy whose content is gone or known to be
	// damaged is not verified.
	List(ctx context.Context, queueManager string) iter.Seq2[recovery.Copy, error]
}

// Catalogue is a store with manifests: a [Directory] or a [Command].
type Catalogue interface {
	Store
	// Entries is List with all that the manifests say, and with the reason
	// why a copy is not verified.
	Entries(ctx context.Context, queueManager string) iter.Seq2[Entry, error]
}

// Form says what the content of a copy is.
type Form string

// The forms.
const (
	Plain    Form = "segment" // the bytes of the segment
	SaveFile Form = "savf"    // an IBM i save file that holds the segment
)

// Facts is what a manifest says of a segment beside its name.
type Facts struct {
	// Opened and Closed are attach and detach time as the system's own clock
	// showed them, in any form that core/observe reads. Empty where the
	// platform has none; a segment with the first and without the second may
	// still be written, and is refused.
	Opened, Closed string
	// First and Last are the first and the last entry as the platform numbers
	// them; empty: not known.
	First, Last string
	// Incarnation says what the log belongs to, as recovery.Inventory has it:
	// queue manager id, log start, path. Extents of one name are told apart by
	// it; empty: not known.
	Incarnation string
	// Mode, Owner and Group are those of the segment's file, as text, so that
	// what is restored can be given the same; empty: not known.
	Mode, Owner, Group string
	// Bytes is the exact length of the content; 0: not known. With it a read
	// that ended early is noticed. The size that IBM i lists is not exact.
	Bytes int64
	// Form says what is read; empty: Plain, or what the store is made for.
	Form Form
	// Origin says where the content was fetched from, for people: the save
	// file LIBRARY/NAME, or a path.
	Origin string
	// Log is a path on this machine's file system of the log; empty: the log
	// is on another machine. A log of this machine is read at low priority.
	Log string
	// Marks are the recovery points as they stood when the copy was made.
	Marks []Mark
	// Run is the run that made the copy.
	Run string
}

// Mark is a recovery point at the moment of a copy.
type Mark struct {
	Kind    string `json:"kind"`              // restart, media, published, ...
	Segment string `json:"segment,omitempty"` // where MQ named one
	Entry   string `json:"entry,omitempty"`   // the time of the oldest entry, as MQ gave it
	Source  string `json:"source"`            // where to check it by hand
}

// MarksOf gives the recovery points among the needs of an inventory. Holds are
// none.
func MarksOf(needs []recovery.Need) []Mark {
	var marks []Mark
	for _, need := range needs {
		if need.Kind != recovery.Hold {
			marks = append(marks, Mark{need.Kind.String(), need.Name, need.Entry, need.Source})
		}
	}
	return marks
}
