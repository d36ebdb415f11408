package observe

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// inquiry is a message on a queue that waits for a reply, as far as the queue
// tells.
type inquiry struct {
	message
	queue recovery.SegmentID
	sure  bool // the answer has the columns that would show a reply
}

// unanswered gives the inquiries among messages to which the queue shows no
// reply: a message of its own, which has the key of the inquiry.
func unanswered(t *Table, found []message, queue recovery.SegmentID) []inquiry {
	replied := make(map[string]bool)
	for _, row := range t.Rows() {
		key := strings.ToUpper(row.Text("ASSOCIATED_MESSAGE_KEY"))
		if key != "" && row.Is("MESSAGE_QUEUE_LIBRARY", queue.Library) && row.Is("MESSAGE_QUEUE_NAME", queue.Name) {
			replied[key] = true
		}
	}
	sure := t.Has("ASSOCIATED_MESSAGE_KEY") && t.Has("MESSAGE_KEY")
	var waiting []inquiry
	for _, m := range found {
		kind := word(m.row, "MESSAGE_TYPE") // INQUIRY, REPLY, or SENDER: the sender's own copy
		if m.id == clashMessage || kind != "" && kind != "INQUIRY" || replied[strings.ToUpper(m.row.Text("MESSAGE_KEY"))] {
			continue
		}
		waiting = append(waiting, inquiry{m, queue, sure})
	}
	return waiting
}

// openStopped says that journaling has stopped: CPA7090, with no recovery
// point after it that would show that entries are written again. It keeps
// nothing: deleting what no recovery needs may be what helps.
func (g *gatherer) openStopped(waiting []inquiry) {
	var newest inquiry
	count := 0
	for _, q := range waiting {
		if q.id != stoppedMessage || !q.names(g.facts.Journal.Library, g.facts.Journal.Name) || !g.clock.mayFollow(q.sent, g.lastWritten()) {
			continue
		}
		if count++; count == 1 || q.sent.After(newest.sent.Time) {
			newest = q
		}
	}
	if count == 0 {
		return
	}
	g.open(finding.JournalingStopped, "no entry could be written to %s/%s%s: %s%s",
		g.facts.Journal.Library, g.facts.Journal.Name, newest.reason(), newest.where(), others(count))
}

// lastWritten gives the newest time at which the journal is known to have
// taken entries.
func (g *gatherer) lastWritten() Stamp {
	newest := g.published
	for _, m := range g.marks {
		if m.entry.After(newest.Time) {
			newest = m.entry
		}
	}
	return newest
}

// openWaiting says which jobs wait with a receiver of the journal in their
// hands. Their lock makes every later delete of it fail (reference, IBM i,
// trap 12).
func (g *gatherer) openWaiting(waiting []inquiry) {
	newest := make(map[recovery.SegmentID]inquiry)
	counts := make(map[recovery.SegmentID]int)
	for _, q := range waiting {
		id, ok := g.askedAbout(q)
		if !ok {
			continue
		}
		if counts[id]++; counts[id] == 1 || q.sent.After(newest[id].sent.Time) {
			newest[id] = q
		}
	}
	for _, r := range g.chain.receivers {
		if q, ok := newest[r.ID]; ok {
			g.open(finding.JobWaits, "%s waits about %s, which %s; reply I deletes it, C leaves it: %s%s",
				cmp.Or(q.job(), "a job"), r.ID, inquiries[q.id], q.where(), others(counts[r.ID]))
		}
	}
}

// inquiries are those that a delete of a receiver raises, with what they say
// of it (reference, IBM i 3.4).
var inquiries = map[string]string{
	unsavedMessage:  "was never saved",
	inactiveMessage: "an inactive remote journal may lack",
}

// askedAbout gives the receiver of the journal that an inquiry is about. One
// of the name that was attached later is another.
func (g *gatherer) askedAbout(q inquiry) (recovery.SegmentID, bool) {
	if inquiries[q.id] == "" {
		return recovery.SegmentID{}, false
	}
	for _, r := range g.chain.receivers {
		if q.names(r.ID.Library, r.ID.Name) && g.clock.mayFollow(q.sent, r.Attach) {
			return r.ID, true
		}
	}
	return recovery.SegmentID{}, false
}

func others(count int) string {
	if count == 1 {
		return ""
	}
	return fmt.Sprintf("; %d more wait like it", count-1)
}

// job gives the job that asks; empty when no column tells.
func (q inquiry) job() string {
	if name := q.row.Text("FROM_JOB"); name != "" {
		return "job " + name
	}
	return ""
}

// where says which message it is, for a person to answer, and what is not
// known of it.
func (q inquiry) where() string {
	text := fmt.Sprintf("%s on %s, sent %s", q.id, q.queue, q.sent)
	if job := q.job(); job != "" && q.id == stoppedMessage {
		text += " by " + job
	}
	if !q.sure {
		text += " (it may have been answered: the columns that would show that are missing)"
	}
	return text
}

// names tells whether a message names an object and its library: as words of
// its text, or as values of ten characters in its substitution data.
func (m message) names(library, name string) bool {
	words := strings.FieldsFunc(m.row.Raw("MESSAGE_TEXT")+" "+m.row.Raw("MESSAGE_SECOND_LEVEL_TEXT"), func(c rune) bool {
		return c != '.' && c != '_' && !strings.ContainsRune("$#@", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z')
	})
	for i := range words {
		words[i] = strings.TrimRight(words[i], ".") // a library may have one within
	}
	for tokens := m.row.Raw("MESSAGE_TOKENS"); tokens != ""; {
		size := min(len(tokens), 10)
		words = append(words, strings.TrimSpace(tokens[:size]))
		tokens = tokens[size:]
	}
	return slices.Contains(words, name) && slices.Contains(words, library)
}

// reasonPattern finds the reason code in an English text; in any other it is
// not read.
var reasonPattern = regexp.MustCompile(`(?i)\breason(?: code)?(?: is)?:? (\d{1,2})\b`)

// reasons are those of CPA7090 (reference, IBM i 3.4).
var reasons = map[string]string{
	"1": "there is no space", "2": "the journal is damaged", "3": "a receiver is damaged", "4": "the sequence numbers are used up",
	"9": "a new receiver is needed", "10": "the journal is inactive", "12": "the entry is too long",
	"13": "there is no large space", "14": "the journal is in standby state",
}

// reason gives the reason of a CPA7090, where it can be read.
func (q inquiry) reason() string {
	for _, column := range []string{"MESSAGE_TEXT", "MESSAGE_SECOND_LEVEL_TEXT"} {
		if found := reasonPattern.FindStringSubmatch(q.row.Raw(column)); found != nil {
			return fmt.Sprintf(" (reason %s: %s)", found[1], cmp.Or(reasons[found[1]], "not known to mqhk"))
		}
	}
	return ""
}
