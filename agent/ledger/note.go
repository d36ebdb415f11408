package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// NoteKind says what the site's own jobs did.
type NoteKind string

// The kinds of notes (docs/transcript.md, NOTE).
const (
	DataBackup    NoteKind = "data-backup"    // of the queue manager's data, to be brought up to date from the log
	PageSetBackup NoteKind = "pageset-backup" // of the page sets (z/OS)
	Saved         NoteKind = "saved"          // a segment was saved by the site
	Shipped       NoteKind = "shipped"        // a segment was sent to another site
	Replayed      NoteKind = "replayed"       // another site has worked through the log up to there
)

// ParseNoteKind reads one of the five words.
func ParseNoteKind(word string) (NoteKind, error) {
	switch k := NoteKind(strings.ToLower(strings.TrimSpace(word))); k {
	case DataBackup, PageSetBackup, Saved, Shipped, Replayed:
		return k, nil
	default:
		return "", fmt.Errorf("note %q is none of %s, %s, %s, %s, %s", word, DataBackup, PageSetBackup, Saved, Shipped, Replayed)
	}
}

// ErrNoNote says that no note of this ID counts for the target.
var ErrNoNote = errors.New("no such note counts")

// Note is what one of the site's own jobs did, with the marks of that moment.
type Note struct {
	ID       int64     `json:"-"`
	Target   string    `json:"-"`
	At       time.Time `json:"at"` // by the target's clock, where it has one of its own
	Kind     NoteKind  `json:"kind"`
	Library  string    `json:"library,omitempty"`
	Segment  string    `json:"segment,omitempty"`
	Position string    `json:"position,omitempty"` // as the platform gives it
	Text     string    `json:"text,omitempty"`
	By       string    `json:"by,omitempty"` // who wrote it
	Ended    NoteEnd   `json:"-"`            // zero: it counts
}

// NoteEnd says that a note counts no more: the backup is not kept any longer.
type NoteEnd struct {
	At   time.Time // by the clock of this machine; zero: it did not end
	By   string
	Text string
}

// AddNote records a note and gives it with its ID. At is now when it is zero.
// A segment may be given as LIBRARY/SEGMENT. Saved needs a segment, the others a
// segment or a position: without a mark a note keeps and frees nothing.
func (l *Ledger) AddNote(ctx context.Context, n Note) (Note, error) {
	doing := "noting " + string(n.Kind) + " of " + n.Target
	if n.At.IsZero() {
		n.At = l.clock()
	}
	n.At = wall(n.At)
	n.Library, n.Segment = qualified(n.Library, n.Segment)
	n.Position, n.Text = strings.TrimSpace(n.Position), strings.TrimSpace(n.Text)
	if err := n.check(); err != nil {
		return Note{}, fmt.Errorf("%s: %w", doing, err)
	}
	var err error
	if n.ID, err = l.enter(ctx, doing, row{Kind: kindNote, Target: n.Target}, n); n.ID == 0 {
		return Note{}, err
	}
	return n, err
}

func (n Note) check() error {
	if _, err := ParseNoteKind(string(n.Kind)); err != nil {
		return err
	}
	if err := oneLine("target", n.Target, true); err != nil {
		return err
	}
	for name, value := range map[string]string{"position": n.Position, "text": n.Text, "by": n.By} {
		if err := oneLine(name, value, false); err != nil {
			return err
		}
	}
	switch {
	case n.Segment == "" && n.Kind == Saved:
		return fmt.Errorf("%s names no segment", n.Kind)
	case n.Segment == "" && n.Position == "":
		return errors.New("it names neither a segment nor a position")
	}
	return pieceName(n.Library, n.Segment)
}

// EndNote has a note count no more: a backup of the data that is not kept any
// longer needs no log. ErrNoNote when the target has none of this ID, or it has
// ended before. The note and its end stay in the trail.
func (l *Ledger) EndNote(ctx context.Context, target string, id int64, by, text string) error {
	doing := fmt.Sprintf("ending note %d of %s", id, target)
	text = strings.TrimSpace(text)
	for name, value := range map[string]string{"by": by, "text": text} {
		if err := oneLine(name, value, false); err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
	}
	err := l.change(ctx, doing, func(c *change) error {
		found, err := rows(c.ctx, c.tx, scanRow, "SELECT "+rowColumns+" FROM trail WHERE seq = ? AND target = ? AND "+noteCounts, id, target)
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			return ErrNoNote
		}
		return c.lift(target, id, liftBody{By: by, Text: text})
	})
	if err != nil {
		return err
	}
	return l.seal(ctx)
}

// noteCounts is true for a row of the trail that is a note which has not ended.
const noteCounts = "kind = '" + kindNote + "' AND NOT EXISTS (SELECT 1 FROM trail o WHERE o.kind = '" + kindLift + "' AND o.about = trail.seq)"

// Notes gives the notes of a target that count, oldest first.
func (l *Ledger) Notes(ctx context.Context, target string) ([]Note, error) {
	return l.notes(ctx, target, noteCounts)
}

// AllNotes gives all notes of a target, oldest first: those that have ended say
// when.
func (l *Ledger) AllNotes(ctx context.Context, target string) ([]Note, error) {
	notes, err := l.notes(ctx, target, "kind = '"+kindNote+"'")
	if err != nil {
		return nil, err
	}
	lifted, err := rows(ctx, l.db, scanRow, "SELECT "+rowColumns+" FROM trail WHERE target = ? AND kind = '"+kindLift+"'", target)
	if err != nil {
		return nil, fmt.Errorf("reading which notes of %s have ended: %w", target, err)
	}
	ends := make(map[int64]NoteEnd, len(lifted))
	for _, r := range lifted {
		var body liftBody
		if err := json.Unmarshal(r.Body, &body); err != nil {
			return nil, fmt.Errorf("reading which notes of %s have ended: row %d of the trail: %w", target, r.Seq, err)
		}
		ends[r.About] = NoteEnd{r.when(), body.By, body.Text}
	}
	for i := range notes {
		notes[i].Ended = ends[notes[i].ID]
	}
	return notes, nil
}

func (l *Ledger) notes(ctx context.Context, target, condition string) ([]Note, error) {
	notes, err := entries(ctx, l.db, target, condition, func(n *Note, r row) { n.ID, n.Target = r.Seq, r.Target })
	if err != nil {
		return nil, fmt.Errorf("reading the notes of %s: %w", target, err)
	}
	return notes, nil
}
