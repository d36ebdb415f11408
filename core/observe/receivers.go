package observe

import (
	"fmt"
	"slices"
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
	Bytes          int64
	First, Last    uint64 // sequence numbers; they may start again at 1 within a chain; 0: not known
	Previous, Next recovery.SegmentID
	line           int
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
		line:     row.Line,
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
	for column, number := range map[string]*uint64{"FIRST_SEQUENCE_NUMBER": &r.First, "LAST_SEQUENCE_NUMBER": &r.Last} {
		if *number, err = readNumber(row, column); err != nil {
			return r, err
		}
	}
	kilobytes, err := readNumber(row, "SIZE")
	if err != nil || kilobytes > 1<<50 {
		return r, fmt.Errorf("size of %s: %q is no number of kilobytes", name, row.Text("SIZE"))
	}
	r.Bytes = int64(kilobytes) << 10 // SIZE is in units of 1024 bytes
	return r, nil
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

// chainOf is a set of receivers in the order in which they were attached,
// and the breaks in it.
type chainOf struct {
	receivers []Receiver // oldest first
	breaks    []int      // receivers[i-1] and receivers[i] do not join, for each i of breaks
	empty     []Receiver // never attached: outside the chain
}

// errOrder says that the order can't be told.
type errOrder struct{ why string }

func (e *errOrder) Error() string { return "the order of the receivers can't be told: " + e.why }

// orderChain puts receivers in chain order: by their links where the answer
// has any, else by the answer's own order if attach times rise along it.
// Names do not count: they wrap, and a restore raises a digit (case 5).
func orderChain(receivers []Receiver) (chainOf, error) {
	var c chainOf
	for _, r := range receivers {
		if r.State == recovery.Empty {
			c.empty = append(c.empty, r)
		} else {
			c.receivers = append(c.receivers, r)
		}
	}
	if !slices.ContainsFunc(c.receivers, func(r Receiver) bool { return r.Previous.Name != "" || r.Next.Name != "" }) {
		return c, rising(c.receivers)
	}
	fragments, err := fragmentsOf(c.receivers)
	if err != nil {
		return c, err
	}
	c.receivers, c.breaks, err = joinFragments(fragments)
	return c, err
}

func rising(receivers []Receiver) error {
	for i := 1; i < len(receivers); i++ {
		if receivers[i].Attach.Before(receivers[i-1].Attach.Time) {
			return &errOrder{fmt.Sprintf("without links, and %s was attached before %s by the clock", receivers[i].ID, receivers[i-1].ID)}
		}
	}
	return nil
}

// fragmentsOf follows the links. Each fragment is whole; between two of them
// something is missing.
func fragmentsOf(receivers []Receiver) ([][]Receiver, error) {
	next, err := successors(receivers)
	if err != nil {
		return nil, err
	}
	hasPrevious := make([]bool, len(receivers))
	for _, to := range next {
		if to >= 0 {
			if hasPrevious[to] {
				return nil, &errOrder{"two receivers say that " + receivers[to].ID.String() + " follows them"}
			}
			hasPrevious[to] = true
		}
	}
	var fragments [][]Receiver
	placed := 0
	for head := range receivers {
		if hasPrevious[head] {
			continue
		}
		var fragment []Receiver
		for at := head; at >= 0; at = next[at] {
			fragment = append(fragment, receivers[at])
		}
		placed += len(fragment)
		fragments = append(fragments, fragment)
	}
	if placed != len(receivers) {
		return nil, &errOrder{"the links run in a circle"}
	}
	return fragments, nil
}

// successors gives the index of each receiver's next one in the list, -1 for
// none, from both kinds of link. Links that contradict each other are an
// error.
func successors(receivers []Receiver) ([]int, error) {
	at := make(map[recovery.SegmentID]int, len(receivers))
	next := make([]int, len(receivers))
	for i, r := range receivers {
		at[r.ID], next[i] = i, -1
	}
	for i, r := range receivers {
		if to, ok := at[r.Next]; ok {
			next[i] = to
		}
	}
	for i, r := range receivers {
		from, ok := at[r.Previous]
		switch {
		case !ok:
		case next[from] == i:
		case next[from] < 0 && (receivers[from].Next.Name == "" || receivers[from].Next == r.ID):
			next[from] = i
		default:
			return nil, &errOrder{fmt.Sprintf("%s names %s as its previous one, which names another next one", r.ID, r.Previous)}
		}
	}
	return next, nil
}

// joinFragments orders whole fragments by the times of their ends, which must
// not overlap.
func joinFragments(fragments [][]Receiver) ([]Receiver, []int, error) {
	slices.SortStableFunc(fragments, func(a, b []Receiver) int { return a[0].Attach.Compare(b[0].Attach.Time) })
	var receivers []Receiver
	var breaks []int
	for i, fragment := range fragments {
		if i > 0 {
			before := receivers[len(receivers)-1]
			if fragment[0].Attach.Before(before.Attach.Time) {
				return nil, nil, &errOrder{fmt.Sprintf("%s and %s belong to pieces of the chain that overlap in time", before.ID, fragment[0].ID)}
			}
			breaks = append(breaks, len(receivers))
		}
		receivers = append(receivers, fragment...)
	}
	return receivers, breaks, nil
}
