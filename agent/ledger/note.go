package ledger

import (
	"context"
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
}

// AddNote records a note and gives it with its ID. At is now when it is zero.
// A segment may be given as LIBRARY/SEGMENT. Saved and shipped need a segment,
// the others a segment or a position: without a mark a note keeps and frees
// nothing.
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
	case n.Segment == "" && (n.Kind == Saved || n.Kind == Shipped):
		return fmt.Errorf("%s names no segment", n.Kind)
	case n.Segment == "" && n.Position == "":
		return errors.New("it names neither a segment nor a position")
	}
	return pieceName(n.Library, n.Segment)
}

// Notes gives the notes of a target, oldest first.
func (l *Ledger) Notes(ctx context.Context, target string) ([]Note, error) {
	notes, err := entries(ctx, l.db, target, "kind = '"+kindNote+"'", func(n *Note, r row) { n.ID, n.Target = r.Seq, r.Target })
	if err != nil {
		return nil, fmt.Errorf("reading the notes of %s: %w", target, err)
	}
	return notes, nil
}
