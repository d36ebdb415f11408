package observe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/recovery"
)

// Receiver is one journal receiver as the system lists it.
type Receiver struct {
	ID             recovery.SegmentID
	Status         string // as the system words it
	State          recovery.State
	Attach, Detach Stamp
	Saved          Stamp  // when it was saved last; zero: never, or not said
	Doubt          string // why its status is not believed; empty: it is
	ASP            int    // number of the auxiliary storage pool it lies in, 1 for the system's; 0: not said
	Bytes          int64
	First, Last    uint64 // sequence numbers; they may start again at 1 within a chain; 0: not known
	Previous, Next recovery.SegmentID
}

// columnsMissing says that an answer lacks columns without which it is of no
// use.
type columnsMissing struct{ columns []string }

func (e *columnsMissing) Error() string {
	return "the answer has no column " + strings.Join(e.columns, ", ")
}

// receiverStates maps the words of JOURNAL_RECEIVER_INFO and the codes of
// the journal API to states (reference, IBM i 1.5). Any other word is
// unknown, and such a receiver is never deleted.
var receiverStates = map[string]recovery.State{
	"ATTACHED": recovery.Current, "1": recovery.Current,
	"ONLINE": recovery.Online, "2": recovery.Online,
	"SAVED": recovery.Saved, "3": recovery.Saved,
	"FREED": recovery.Freed, "4": recovery.Freed,
	"PARTIAL": recovery.Partial, "5": recovery.Partial,
	"EMPTY": recovery.Empty, "6": recovery.Empty,
}

// readReceivers reads the receivers of one journal from an answer to
// JOURNAL_RECEIVER_INFO, in the order of the answer.
func readReceivers(t *Table, queueManager, library, journal string) ([]Receiver, error) {
	if missing := t.Missing("JOURNAL_RECEIVER_LIBRARY", "JOURNAL_RECEIVER_NAME", "STATUS", "ATTACH_TIMESTAMP"); len(missing) > 0 {
		return nil, &columnsMissing{missing}
	}
	var receivers []Receiver
	seen := make(map[recovery.SegmentID]int)
	for _, row := range t.Rows() {
		if !row.Is("JOURNAL_LIBRARY", library) || !row.Is("JOURNAL_NAME", journal) {
			continue
		}
		r, err := readReceiver(row, queueManager)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", row.Line, err)
		}
		if line, twice := seen[r.ID]; twice {
			return nil, fmt.Errorf("line %d: receiver %s stands in line %d too", row.Line, r.ID, line)
		}
		seen[r.ID] = row.Line
		receivers = append(receivers, r)
	}
	return receivers, nil
}

func readReceiver(row Row, queueManager string) (Receiver, error) {
	library, name := row.Text("JOURNAL_RECEIVER_LIBRARY"), row.Text("JOURNAL_RECEIVER_NAME")
	if !objectName(library) || !objectName(name) {
		return Receiver{}, fmt.Errorf("%q in %q is no name of a receiver", name, library)
	}
	r := Receiver{
		ID:       recovery.SegmentID{QueueManager: queueManager, Library: library, Name: name},
		Status:   row.Text("STATUS"),
		Previous: link(row, "PREVIOUS_JOURNAL_RECEIVER", queueManager, library),
		Next:     link(row, "NEXT_JOURNAL_RECEIVER", queueManager, library),
		ASP:      poolOf(row),
	}
	r.State = receiverStates[strings.ToUpper(strings.TrimPrefix(r.Status, "*"))]
	var err error
	if r.Attach, err = ParseStamp(row.Text("ATTACH_TIMESTAMP")); err != nil {
		return r, fmt.Errorf("attach time of %s: %w", name, err)
	}
	if r.Detach, err = ParseStamp(row.Text("DETACH_TIMESTAMP")); err != nil {
		return r, fmt.Errorf("detach time of %s: %w", name, err)
	}
	if r.Attach.IsZero() && r.State != recovery.Empty {
		return r, fmt.Errorf("%s has no attach time: the list was read in the middle of a change", name)
	}
	r.checkSaved(row)
	if r.First, err = readNumber(row, "FIRST_SEQUENCE_NUMBER"); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	if r.Last, err = readNumber(row, "LAST_SEQUENCE_NUMBER"); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	kilobytes, err := readNumber(row, "SIZE")
	if err != nil || kilobytes > 1<<50 {
		return r, fmt.Errorf("size of %s: %q is no number of kilobytes", name, row.Text("SIZE"))
	}
	r.Bytes = int64(kilobytes) << 10 // SIZE is in units of 1024 bytes
	return r, nil
}

// checkSaved reads the save time and holds the word SAVED or FREED against it
// where the answer has one. Only a save after the detach is one of the whole
// receiver (reference, IBM i, trap 16); one in the second of the detach may have
// begun before it, since nothing finer can be compared (case 2). What is not
// proved so counts as never saved: plan and guard both read it here.
func (r *Receiver) checkSaved(row Row) {
	saved, err := ParseStamp(row.Text("SAVE_TIMESTAMP"))
	r.Saved = saved
	if !row.table.Has("SAVE_TIMESTAMP") || r.State != recovery.Saved && r.State != recovery.Freed {
		return
	}
	switch {
	case err != nil:
		r.Doubt = fmt.Sprintf("%s with the save time %q, which can't be read", r.Status, row.Text("SAVE_TIMESTAMP"))
	case saved.IsZero():
		r.Doubt = r.Status + " without a save time"
	case r.Detach.IsZero():
		r.Doubt = r.Status + " at " + saved.String() + ", and nothing tells when it was detached"
	case !saved.Second().After(r.Detach.Second().Time):
		r.Doubt = r.Status + " at " + saved.String() + ", not after it was detached at " + r.Detach.String()
	default:
		return
	}
	if r.State == recovery.Saved {
		r.State = recovery.Online
	} else {
		r.State = recovery.Partial // freed, and nobody knows whether it was saved whole
	}
}

// poolOf gives the number of the pool that a receiver lies in: 1 is that of
// the system, 2 to 32 are user pools, 33 to 255 independent ones; 0: not said.
func poolOf(row Row) int {
	number, err := readNumber(row, "JOURNAL_RECEIVER_ASP_NUMBER")
	if err != nil || number > mostPools {
		return 0
	}
	return int(number)
}

// link reads the name of a neighbour. The special values with an asterisk
// (*NONE) stand for none; a blank library is that of the receiver itself.
func link(row Row, column, queueManager, library string) recovery.SegmentID {
	name := row.Text(column)
	if name == "" || strings.HasPrefix(name, "*") {
		return recovery.SegmentID{}
	}
	if other := row.Text(column + "_LIBRARY"); other != "" {
		library = other
	}
	return recovery.SegmentID{QueueManager: queueManager, Library: library, Name: name}
}

// readNumber reads a whole number; 0 when the cell is null or the column is
// missing. Trailing zeros after a point, as DECIMAL columns print them, are
// accepted.
func readNumber(row Row, column string) (uint64, error) {
	text, ok := row.Get(column)
	if !ok {
		return 0, nil
	}
	whole, fraction, _ := strings.Cut(text, ".")
	number, err := strconv.ParseUint(whole, 10, 64)
	if err != nil || strings.Trim(fraction, "0") != "" {
		return 0, fmt.Errorf("%s: %q is no whole number", column, text)
	}
	return number, nil
}
