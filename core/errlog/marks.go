package errlog

import (
	"errors"
	"fmt"
	"io"
)

// maxListed bounds how many places of damage and unreadable messages are listed
// one by one. All are counted.
const maxListed = 100

// File is one error log of a queue manager. The name tells how old it is:
// AMQERR01 is the newest of its folder and kind, AMQERR03 the oldest.
type File struct {
	Name string
	Log  io.Reader
	// Shared: the log is not of one queue manager, as /var/mqm/errors. There a
	// record that names no queue manager is nobody's.
	Shared bool
}

// Sighting is a record and the file it was seen in.
type Sighting struct {
	File string
	Record
}

// String says where the record can be looked up.
func (s Sighting) String() string { return fmt.Sprintf("%s in %s, line %d", s.ID, s.File, s.Line) }

// Mark is a recovery point as the newest message about it tells it.
type Mark struct {
	Extent string
	Seen   Sighting
	// Rivals are other messages that may be the newest one, with other extents:
	// a clock went back, or two files can't be put in order. The oldest extent
	// of all is the one that holds under every reading.
	Rivals []Rival
	// Damaged: behind the message its log is damaged, so a newer one may be lost.
	Damaged bool
	// Unread: there is, or may be, a newer message of the kind that names no
	// extent, or two.
	Unread bool
	// Outlived is a sign that the queue manager was created, started or ended
	// that is not older than the message in every reading, by its place and by its
	// time: a clock may have gone back. The message may be of an earlier life.
	Outlived *Sighting
}

// Rival is another reading of a mark.
type Rival struct {
	Extent string
	Seen   Sighting
}

// Rejected is a message that names a recovery point and can't be used.
type Rejected struct {
	Seen Sighting
	Err  error
}

// Place is damage and the file it is in.
type Place struct {
	File string
	*Damage
}

// Notice is a message that a person should know of: the newest of its kind,
// and how many there were.
type Notice struct {
	Meaning Meaning
	Newest  Sighting
	Count   int
}

// Statistics is what the newest AMQ7490 counts.
type Statistics struct {
	Created, Reused, Deleted int64
	Seen                     Sighting
}

// FileSystem is what the newest AMQ5782 says of the file system of a path.
type FileSystem struct {
	Path    string
	Percent float64
	Seen    Sighting
}

// Marks is what the error logs of a queue manager tell. Whether it is too old
// to be used the caller decides.
type Marks struct {
	Restart *Mark // AMQ7467; nil: no message tells it
	Media   *Mark // AMQ7468; nil: no message tells it

	Newest  *Sighting // the newest record, of whatever message
	Created *Sighting // AMQ8001: marks before it are of an earlier queue manager of the name
	Started *Sighting // AMQ8003
	Ended   *Sighting // AMQ8004

	Statistics  *Statistics
	FileSystems []FileSystem
	Notices     []Notice

	Records    int        // read, of this queue manager or of none
	Foreign    int        // of other queue managers, passed over
	Rejected   []Rejected // at most 100
	Rejects    int
	Damage     []Place // at most 100
	Damages    int
	Complete   bool     // the logs go back to the first record there ever was: nothing was rotated away
	Gaps       []string // files that must be there and were not given: a newer one, or one between
	Unfinished bool     // the newest file of a kind ends within a record
}

// Missing names the messages of the pair that no log has: a missing mark is
// never zero, and never equal to the other (case 16).
func (m Marks) Missing() []string {
	var ids []string
	if m.Restart == nil {
		ids = append(ids, "AMQ7467")
	}
	if m.Media == nil {
		ids = append(ids, "AMQ7468")
	}
	return ids
}

// Watermarks reads the error logs of a queue manager, given in any order, and
// gives its newest recovery points. The newest message counts, by its time and
// then by its place, never the largest extent. The same record may stand in two
// files: a log that was rotated while it was read, or that is written as text
// and as JSON.
//
// Damage is no error. An error says that a log could not be read to its end:
// what is given then must not be relied on.
func Watermarks(queueManager string, files ...File) (Marks, error) {
	if queueManager == "" {
		return Marks{}, errors.New("reading error logs: no queue manager is named")
	}
	c := newCollector(queueManager)
	var problems []error
	for _, file := range files {
		if err := c.file(file); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", file.Name, err))
		}
	}
	return c.marks(), errors.Join(problems...)
}
