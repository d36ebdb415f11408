package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// What files are called: a folder for each queue manager, in it for each copy
// a manifest and a content that share the beginning of their names.
const (
	folderSuffix   = ".qm"
	manifestSuffix = ".json"
	partSuffix     = ".part" // of what is not whole yet
	lockName       = "lock"
)

// identity is what makes two copies copies of the same segment. Names come
// again (case 5, case 17): it is the attach and detach times that tell
// receivers of one name apart, to the second as attach times have no more
// (case 2), and the entries and what the log belonged to where a platform has
// no such times: an extent of a queue manager that was made anew, or whose log
// was begun anew, is another one of the same name and number.
type identity struct {
	segment                  recovery.SegmentID
	opened, closed           observe.Stamp
	first, last, incarnation string
}

func (m Manifest) identity() identity {
	return newIdentity(m.ID(), m.Opened, m.Closed, m.First, m.Last, m.Incarnation)
}

func identityOf(c recovery.Copy) identity {
	return newIdentity(c.Segment, c.Opened, c.Closed, c.From, c.To, c.Incarnation)
}

// newIdentity takes a time that can't be read for none: no manifest has such a
// time, so that nothing is found.
func newIdentity(id recovery.SegmentID, opened, closed, first, last, incarnation string) identity {
	from, _ := observe.ParseStamp(opened)
	to, _ := observe.ParseStamp(closed)
	i := identity{segment: id, opened: from.Second(), closed: to.Second()}
	if from.IsZero() {
		i.first, i.last, i.incarnation = first, last, incarnation
	}
	return i
}

// folder is where everything of a queue manager lies.
func folderOf(queueManager string) string { return encode(queueManager) + folderSuffix }

// stem is the beginning of the names of a copy's files:
// QMORDERS.AMQA000008.20260527135900.6F1E2A3B4C5D6E7F.
func (i identity) stem() string {
	opened := "="
	if !i.opened.IsZero() {
		opened = i.opened.Format("20060102150405")
	}
	parts := []string{i.segment.QueueManager, i.segment.Library, i.segment.Name, i.opened.String(), i.closed.String(), i.first, i.last}
	if i.incarnation != "" { // without one the name is that of copies which know of none
		parts = append(parts, i.incarnation)
	}
	text := strings.Join(parts, "\x00")
	return strings.Join([]string{encode(i.segment.Library), encode(i.segment.Name), opened, shortDigest(text)}, ".")
}

func (i identity) manifestPath() string {
	return folderOf(i.segment.QueueManager) + "/" + i.stem() + manifestSuffix
}

// contentPath is where the content of a copy lies. Its digest is in the name:
// a manifest never stands beside a content of another one, whatever a crash
// left of either.
func (m Manifest) contentPath() string {
	path := folderOf(m.QueueManager) + "/" + m.identity().stem() + "." + strings.ToUpper(m.SHA256[:16]) + "." + string(m.Form)
	if m.Encoding == Zstd {
		path += ".zst"
	}
	return path
}

// shortDigest gives 64 bits of a SHA-256 in upper-case digits: enough to tell
// apart what already shares its names.
func shortDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return strings.ToUpper(hex.EncodeToString(sum[:8]))
}
