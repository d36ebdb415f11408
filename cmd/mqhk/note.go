package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/core/observe"
)

// noting is what the flags of note ask for.
type noting struct {
	source
	segment  string
	position string
	member   string
}

// noteKind is a kind of note with what it tells mqhk.
type noteKind struct {
	kind        ledger.NoteKind
	short, long string
}

func noteKinds() []noteKind {
	return []noteKind{
		{ledger.DataBackup, "The queue manager's data was backed up; the log is needed from that mark on", backupHelp},
		{ledger.PageSetBackup, "Page sets were backed up (z/OS); the log is needed from that mark on", pageSetHelp},
		{ledger.Saved, "The site saved a segment", ""},
		{ledger.Shipped, "A segment, or a recovery set of z/OS, was sent to another site", shippedHelp},
		{ledger.Replayed, "Another site has worked through the log up to that mark", replayedHelp},
	}
}

const (
	backupHelp = `Data-backup says that the data of a queue manager was backed up. From the mark of
that moment on the log is kept, on the system or in a store, until mqhk note end
says that the backup is not kept any longer.

It must have been made while the queue manager was stopped, or by a snapshot that
is atomic over its data and its log: a copy of the files of a running queue manager
is no backup.

On Multiplatforms the mark is taken afresh where none is given: the older of RECLOG
and MEDIALOG. Then say it before the snapshot is made, or while the queue manager
is still stopped: the points only move forward, and an older mark keeps more.`
	replayedHelp = `Replayed says that a backup queue manager, or another site, has worked through the
log up to and including a segment. What is newer stays until the next such note.

TEXT says which site it is: notes with different texts are of different sites. Of
each the newest counts, and the log is kept for the one that is furthest behind.
Notes without a text are of one site. A site that is given up keeps the log until
its note is ended (mqhk note end).`
)

func (a *app) noteCommand() *cobra.Command {
	cmd := group("note", "What the site's own jobs did")
	cmd.Long = `Note records what backups and other jobs of the site did with a target's log,
with the marks of that moment: call it at the end of such a job.`
	for _, k := range noteKinds() {
		cmd.AddCommand(a.noteKindCommand(k))
	}
	cmd.AddCommand(a.noteListCommand(), a.noteEndCommand())
	return cmd
}

func (a *app) noteKindCommand(k noteKind) *cobra.Command {
	var n noting
	cmd := &cobra.Command{
		Use:   string(k.kind) + " TARGET [TEXT]",
		Short: k.short,
		Long:  k.long,
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.note(cmd.Context(), n, k.kind, args[0], strings.Join(args[1:], " "))
		},
	}
	if n.estateFlag(cmd); ofMembers(k.kind) {
		cmd.Flags().StringVar(&n.transcript, "transcript", "", "take the marks of a sharing group from the answers in `FILE`")
		cmd.Flags().StringVar(&n.member, "member", "", "of a sharing group: of this `MEMBER` alone")
		cmd.MarkFlagsMutuallyExclusive("transcript", "estate")
	}
	cmd.Flags().StringVar(&n.segment, "segment", "", "the segment, as `NAME` or LIBRARY/NAME")
	cmd.Flags().StringVar(&n.position, "position", "", "the `POSITION` in the log, as the platform gives it")
	return cmd
}

// noteEntered is a note that was recorded.
type noteEntered struct {
	noteListed
	entered
}

func (a *app) note(ctx context.Context, n noting, kind ledger.NoteKind, name, text string) error {
	target, err := a.one(ctx, n.source, name)
	if err != nil {
		return err
	}
	if kind == ledger.PageSetBackup && target.Platform != observe.ZOS {
		return usage("%s of %s: only z/OS has page sets; a backup of the data is noted as %s", kind, target.Target, ledger.DataBackup)
	}
	if target.Group {
		return a.noteGroup(ctx, n, kind, target, text)
	}
	if n.transcript != "" || n.member != "" {
		return usage("%s: --transcript and --member are for a sharing group", target.Target)
	}
	if err := checkMark(target.Target, kind, &n); err != nil {
		return err
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		if markIsTaken(target.Target, kind, n) {
			var err error
			if n.segment, n.position, err = target.takeMark(ctx, l); err != nil {
				return err
			}
		}
		note, err := l.AddNote(ctx, ledger.Note{
			Target: target.Name, At: target.now, Kind: kind, Segment: n.segment,
			Position: n.position, Text: text, By: whoami(),
		})
		if err != nil {
			return ledgerRefused(err)
		}
		where, err := a.entered(ctx, l, target, mark{n.segment, "is the name right?", kind == ledger.DataBackup || kind == ledger.Replayed})
		if err != nil {
			return err
		}
		listed := listedNote(note, target.now.Location())
		return a.result(noteEntered{listed, where}, func() string { return "noted: " + noteText(listed) + where.text() })
	})
}

func (a *app) noteListCommand() *cobra.Command {
	var all bool
	cmd := a.listCommand("List notes that count", func(ctx context.Context, found reachable) error {
		return a.noteList(ctx, found, all)
	})
	cmd.Flags().BoolVar(&all, "all", false, "those that have ended too")
	return cmd
}

func (a *app) noteList(ctx context.Context, found reachable, all bool) error {
	return a.withKnown(ctx, func(l *ledger.Ledger) error {
		list := []noteListed{}
		for _, t := range found.targets {
			if l == nil {
				break
			}
			notes, err := notesOf(ctx, l, t, all)
			if err != nil {
				return err
			}
			if len(notes) == 0 {
				continue // its clock need not be asked
			}
			now, err := found.clock(ctx, t.Name)
			if err != nil {
				return err
			}
			for _, n := range notes {
				list = append(list, listedNote(n, now.Location()))
			}
		}
		return a.result(list, func() string {
			if len(list) == 0 {
				return "nothing is noted\n"
			}
			var b strings.Builder
			for _, n := range list {
				b.WriteString(noteText(n))
			}
			return b.String()
		})
	})
}

// notesOf gives the notes of a target, and of the members of a group.
func notesOf(ctx context.Context, l *ledger.Ledger, target observe.Target, all bool) ([]ledger.Note, error) {
	read := l.Notes
	if all {
		read = l.AllNotes
	}
	var list []ledger.Note
	for _, name := range append([]string{target.Name}, target.Members...) {
		notes, err := read(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, notes...)
	}
	return list, nil
}

// noteListed is a note as it is listed.
type noteListed struct {
	ID       int64      `json:"id"`
	Target   string     `json:"target"`
	Kind     string     `json:"kind"`
	Library  string     `json:"library,omitempty"`
	Segment  string     `json:"segment,omitempty"`
	Position string     `json:"position,omitempty"`
	Text     string     `json:"text,omitempty"`
	By       string     `json:"by"`
	At       time.Time  `json:"at"`
	Ended    *noteEnded `json:"ended,omitempty"`
}

// noteEnded says since when a note counts no more.
type noteEnded struct {
	At   time.Time `json:"at"` // on this machine's clock
	By   string    `json:"by"`
	Text string    `json:"text,omitempty"`
}

func listedNote(n ledger.Note, zone *time.Location) noteListed {
	listed := noteListed{n.ID, n.Target, string(n.Kind), n.Library, n.Segment, n.Position, n.Text, n.By, n.At.In(zone), nil}
	if !n.Ended.At.IsZero() {
		listed.Ended = &noteEnded{n.Ended.At, n.Ended.By, n.Ended.Text}
	}
	return listed
}

func noteText(n noteListed) string {
	mark := segmentName(n.Library, n.Segment)
	if n.Position != "" {
		mark = strings.TrimSpace(mark + " " + n.Position)
	}
	line := fmt.Sprintf("%d  %s  %s %s%s (%s, %s)", n.ID, report.Printable(n.Target), n.Kind, report.Printable(mark),
		report.Printable(behind(n.Text)), report.Printable(n.By), n.At.Format(time.RFC3339))
	if n.Ended != nil {
		line += fmt.Sprintf("; counts no more%s (%s, %s)", report.Printable(behind(n.Ended.Text)), report.Printable(n.Ended.By), n.Ended.At.Format(time.RFC3339))
	}
	return line + "\n"
}

// behind puts a text that may be missing behind a colon.
func behind(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
