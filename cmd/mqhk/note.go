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
}

// noteKinds are the kinds of note with what each tells mqhk.
func noteKinds() []struct {
	kind  ledger.NoteKind
	short string
} {
	return []struct {
		kind  ledger.NoteKind
		short string
	}{
		{ledger.DataBackup, "The queue manager's data was backed up; the log is needed from that mark on"},
		{ledger.PageSetBackup, "Page sets were backed up (z/OS); the log is needed from that mark on"},
		{ledger.Saved, "The site saved a segment"},
		{ledger.Shipped, "A segment was sent to another site"},
		{ledger.Replayed, "Another site has worked through the log up to that mark"},
	}
}

func (a *app) noteCommand() *cobra.Command {
	cmd := group("note", "What the site's own jobs did")
	cmd.Long = `Note records what backups and other jobs of the site did with a target's log,
with the marks of that moment: call it at the end of such a job.`
	for _, k := range noteKinds() {
		cmd.AddCommand(a.noteKindCommand(k.kind, k.short))
	}
	cmd.AddCommand(a.noteListCommand())
	return cmd
}

func (a *app) noteKindCommand(kind ledger.NoteKind, short string) *cobra.Command {
	var n noting
	cmd := &cobra.Command{
		Use:   string(kind) + " TARGET [TEXT]",
		Short: short,
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.note(cmd.Context(), n, kind, args[0], strings.Join(args[1:], " "))
		},
	}
	n.estateFlag(cmd)
	cmd.Flags().StringVar(&n.segment, "segment", "", "the segment, as `LIBRARY/NAME`")
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
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		note, err := l.AddNote(ctx, ledger.Note{
			Target: target.Name, At: target.now, Kind: kind, Segment: strings.ToUpper(n.segment),
			Position: n.position, Text: text, By: whoami(),
		})
		if err != nil {
			return ledgerRefused(err)
		}
		where, err := a.entered(ctx, l, target, strings.ToUpper(n.segment), "is the name right?")
		if err != nil {
			return err
		}
		listed := listedNote(note, target.now.Location())
		return a.result(noteEntered{listed, where}, func() string { return "noted: " + noteText(listed) + where.text() })
	})
}

func (a *app) noteListCommand() *cobra.Command {
	return a.listCommand("List notes", a.noteList)
}

func (a *app) noteList(ctx context.Context, found reachable) error {
	return a.withKnown(ctx, func(l *ledger.Ledger) error {
		list := []noteListed{}
		for _, t := range found.targets {
			if l == nil {
				break
			}
			notes, err := l.Notes(ctx, t.Name)
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

// noteListed is a note as it is listed.
type noteListed struct {
	ID       int64     `json:"id"`
	Target   string    `json:"target"`
	Kind     string    `json:"kind"`
	Library  string    `json:"library,omitempty"`
	Segment  string    `json:"segment,omitempty"`
	Position string    `json:"position,omitempty"`
	Text     string    `json:"text,omitempty"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
}

func listedNote(n ledger.Note, zone *time.Location) noteListed {
	return noteListed{n.ID, n.Target, string(n.Kind), n.Library, n.Segment, n.Position, n.Text, n.By, n.At.In(zone)}
}

func noteText(n noteListed) string {
	mark := segmentName(n.Library, n.Segment)
	if n.Position != "" {
		mark = strings.TrimSpace(mark + " " + n.Position)
	}
	text := ""
	if n.Text != "" {
		text = ": " + n.Text
	}
	return fmt.Sprintf("%d  %s  %s %s%s (%s, %s)\n", n.ID, report.Printable(n.Target), n.Kind, report.Printable(mark),
		report.Printable(text), report.Printable(n.By), n.At.Format(time.RFC3339))
}
