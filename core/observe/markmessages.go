package observe

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

// The messages that this room reads (reference, IBM i 2.1, 2.2, 3.4): on
// QMQMMSG, and on the queues of the operator and of the journal.
const (
	startupMessage = "AMQ7460" // oldest entry needed to start
	mediaMessage   = "AMQ7462" // oldest entry needed to rebuild any object
	missingMessage = "AMQ7432" // an entry that was needed was not available
	damageMessage  = "AMQ7472" // an object is damaged

	clashMessage    = "CPI70E3" // no new receiver could be attached
	stoppedMessage  = "CPA7090" // an entry could not be journaled
	unsavedMessage  = "CPA7025" // a receiver to be deleted was never saved
	inactiveMessage = "CPA705E" // a receiver to be deleted is attached to an inactive remote journal
)

// pairWindow is how far apart the two messages of one publication may be:
// they are sent one after the other.
const pairWindow = time.Minute

// message is one row of a message queue.
type message struct {
	id   string // without the severity letter that text logs have from 9.1 on
	sent Stamp
	row  Row
}

// messages gives the rows of a message queue that carry one of the ids,
// oldest first.
func messages(t *Table, library, queue string, ids ...string) ([]message, error) {
	if missing := t.Missing("MESSAGE_ID", "MESSAGE_TIMESTAMP"); len(missing) > 0 {
		return nil, &columnsMissing{missing}
	}
	var found []message
	for _, row := range t.Rows() {
		id := row.Text("MESSAGE_ID")
		if !slices.Contains(ids, id) {
			id = strings.TrimRight(id, "ISEWT") // the E of CPA705E is a digit
		}
		if !slices.Contains(ids, id) || !row.Is("MESSAGE_QUEUE_LIBRARY", library) || !row.Is("MESSAGE_QUEUE_NAME", queue) {
			continue
		}
		sent, err := ParseStamp(row.Text("MESSAGE_TIMESTAMP"))
		if err != nil || sent.IsZero() {
			return nil, fmt.Errorf("line %d: %s has no time: %q", row.Line, id, row.Text("MESSAGE_TIMESTAMP"))
		}
		found = append(found, message{id, sent, row})
	}
	slices.SortStableFunc(found, func(a, b message) int { return a.sent.Compare(b.sent.Time) })
	return found, nil
}

// newestPair gives the marks of the newest publication: the newest AMQ7460
// and AMQ7462 that were sent together. A newer one without its partner adds
// its mark to those of the pair; the older of all counts.
func newestPair(found []message, library string) ([]mark, error) {
	startup := last(found, startupMessage)
	media := last(found, mediaMessage)
	if startup == nil || media == nil {
		return marksOf(library, startup, media)
	}
	if startup.sent.Sub(media.sent.Time).Abs() <= pairWindow {
		return marksOf(library, startup, media)
	}
	for i := len(found) - 1; i > 0; i-- {
		a, b := &found[i-1], &found[i]
		if isPair(a, b) {
			return marksOf(library, a, b, startup, media)
		}
	}
	return nil, fmt.Errorf("the newest %s (%s) and %s (%s) were not sent together", startupMessage, startup.sent, mediaMessage, media.sent)
}

func isPair(a, b *message) bool {
	kinds := []string{a.id, b.id}
	return slices.Contains(kinds, startupMessage) && slices.Contains(kinds, mediaMessage) &&
		b.sent.Sub(a.sent.Time) <= pairWindow
}

func last(found []message, id string) *message {
	for i := len(found) - 1; i >= 0; i-- {
		if found[i].id == id {
			return &found[i]
		}
	}
	return nil
}

// marksOf reads the marks of messages, each once.
func marksOf(library string, list ...*message) ([]mark, error) {
	var marks []mark
	seen := make(map[*message]bool)
	for _, m := range list {
		if m == nil || seen[m] {
			continue
		}
		seen[m] = true
		parsed, err := m.mark(library)
		if err != nil {
			return nil, err
		}
		marks = append(marks, parsed)
	}
	return marks, nil
}

// mark reads a recovery point from AMQ7460 or AMQ7462, in the old form (a
// time alone) or the later one (a receiver, and a time). The layout of the
// substitution data and the wording are not documented, and the wording
// depends on the language: names and times are found by their form, in the
// substitution data first. Texts that contradict each other are an error; of
// ten asterisks only the first text counts, since further ones may explain
// them.
func (m message) mark(library string) (mark, error) {
	found := mark{kind: recovery.Restart, source: m.source(library)}
	if m.id == mediaMessage {
		found.kind = recovery.Media
	}
	for _, column := range []string{"MESSAGE_TOKENS", "MESSAGE_TEXT", "MESSAGE_SECOND_LEVEL_TEXT"} {
		if err := found.read(m.row.Raw(column)); err != nil {
			return mark{}, fmt.Errorf("line %d: %s: %w", m.row.Line, m.id, err)
		}
	}
	if found.name == "" && found.entry.IsZero() {
		return mark{}, fmt.Errorf("line %d: %s sent %s names neither a receiver nor a time that can be read", m.row.Line, m.id, m.sent)
	}
	return found, nil
}

// read adds what a further text of the same message says.
func (m *mark) read(text string) error {
	names := receiversIn(text)
	if m.name == "" && strings.Contains(text, goneName) {
		names = append(names, goneName)
	}
	if len(names) > 1 {
		return fmt.Errorf("it names %s: which one is meant can't be told", strings.Join(names, " and "))
	}
	if len(names) == 1 {
		if err := m.setName(names[0], text); err != nil {
			return err
		}
	}
	times := timesIn(text)
	if len(times) != 1 {
		return nil // none, or which one is meant can't be told
	}
	if m.entry.IsZero() {
		m.entry = times[0]
	} else if !m.entry.Second().Equal(times[0].Second().Time) {
		return fmt.Errorf("it gives the times %s and %s", m.entry, times[0])
	}
	return nil
}

// setName takes the name of a receiver, or the asterisks, as a text gives it.
func (m *mark) setName(name, text string) error {
	known := m.name
	if m.gone {
		known = goneName
	}
	switch {
	case known != "" && known != name:
		return fmt.Errorf("it names %s and %s: which one is meant can't be told", known, name)
	case name == goneName:
		m.gone = true
	case known == "":
		m.name, m.library = name, libraryAfter(text, name)
	}
	return nil
}

func (m message) source(library string) string {
	return fmt.Sprintf("%s in %s/QMQMMSG, sent %s", m.id, library, m.sent.Format("2006-01-02 15.04.05"))
}

// receiversIn gives the different names of receivers in a text.
func receiversIn(text string) []string {
	names := receiverPattern.FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// libraryAfter gives the library that follows a receiver's name directly, as
// two char(10) values stand in substitution data; empty when none does.
func libraryAfter(text, name string) string {
	_, rest, _ := strings.Cut(text, name)
	if len(rest) > 10 {
		rest = rest[:10]
	}
	field, _, _ := strings.Cut(rest, " ")
	if strings.HasPrefix(rest, " ") || !objectName(field) {
		return ""
	}
	return field
}

// The forms of an unambiguous time in a text. Dates in the job's format
// (03/12/24) are not among them: day and month can't be told. A run of digits
// is a time only as a whole.
var (
	writtenTime = regexp.MustCompile(`\d{4}-\d{2}-\d{2}[- T]\d{2}[.:]\d{2}[.:]\d{2}(?:[.,]\d{1,9})?`)
	digits      = regexp.MustCompile(`\d+`)
	digitTime   = regexp.MustCompile(`^(?:(?:19|20)\d{12}|[01]\d{12})(?:\d{3})?$`)
)

// timesIn gives the different times in a text.
func timesIn(text string) []Stamp {
	forms := writtenTime.FindAllString(text, -1)
	for _, run := range digits.FindAllString(text, -1) {
		if digitTime.MatchString(run) {
			forms = append(forms, run)
		}
	}
	var times []Stamp
	for _, form := range forms {
		if stamp, err := ParseStamp(form); err == nil && !stamp.IsZero() {
			times = append(times, stamp)
		}
	}
	slices.SortFunc(times, func(a, b Stamp) int { return cmp.Compare(a.UnixNano(), b.UnixNano()) })
	return slices.CompactFunc(times, func(a, b Stamp) bool { return a.Equal(b.Time) })
}
