package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/core/observe"
)

// noteEnding is what the flags of note end ask for.
type noteEnding struct {
	source
	older bool
	id    int64
	text  string
}

func (a *app) noteEndCommand() *cobra.Command {
	var e noteEnding
	cmd := &cobra.Command{
		Use:   "end TARGET ID [TEXT]",
		Short: "A note counts no more: a backup is not kept any longer",
		Long: `End has a note count no more. A backup of the data that is not kept any longer
needs no log, so that from the next run on its log may go. With --older all older
notes of its kind end too: of backups those that were made before; of a backup
queue manager that is given up all that it had replayed. Notes and their ends stay
in the ledger; mqhk note list --all shows them.`,
		Example: `  mqhk note end QM1 17 'tape overwritten'
  mqhk note end QM1 17 --older`,
		Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if e.id, err = strconv.ParseInt(args[1], 10, 64); err != nil {
				return usage("%q is not the number of a note: mqhk note list shows them", args[1])
			}
			e.text = strings.Join(args[2:], " ")
			return a.noteEnd(cmd.Context(), e, args[0])
		},
	}
	e.estateFlag(cmd)
	cmd.Flags().BoolVar(&e.older, "older", false, "all older notes of its kind too")
	return cmd
}

func (a *app) noteEnd(ctx context.Context, e noteEnding, name string) error {
	target, err := a.one(ctx, e.source, name)
	if err != nil {
		return err
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		dir, err := a.ledgerDir()
		if err != nil {
			return err
		}
		of, err := e.owner(ctx, l, target.Target)
		if err != nil {
			return err
		}
		ids, err := e.ids(ctx, l, of)
		if err != nil {
			return err
		}
		for _, id := range ids {
			switch err := l.EndNote(ctx, of, id, whoami(), e.text); {
			case errors.Is(err, ledger.ErrNoNote):
				return fmt.Errorf("in the ledger in %s: %w", dir, err)
			case err != nil:
				return ledgerRefused(err)
			}
		}
		value := map[string]any{"ended": ids, "target": of, "ledger": dir}
		return a.result(value, func() string {
			var b strings.Builder
			for _, id := range ids {
				fmt.Fprintf(&b, "note %d of %s counts no more\n", id, report.Printable(of))
			}
			fmt.Fprintf(&b, "  in the ledger in %s\n", report.Printable(dir))
			return b.String()
		})
	})
}

// owner gives what the note is of: the target, or a member of a group, whose notes
// are its members' own.
func (e noteEnding) owner(ctx context.Context, l *ledger.Ledger, target observe.Target) (string, error) {
	for _, member := range target.Members {
		notes, err := l.Notes(ctx, member)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(notes, func(n ledger.Note) bool { return n.ID == e.id }) {
			return member, nil
		}
	}
	return target.Name, nil
}

// ids gives the notes that are to end, oldest first: where it is cut short, more
// is kept, and not less.
func (e noteEnding) ids(ctx context.Context, l *ledger.Ledger, target string) ([]int64, error) {
	if !e.older {
		return []int64{e.id}, nil
	}
	notes, err := l.Notes(ctx, target)
	if err != nil {
		return nil, err
	}
	var kind ledger.NoteKind
	for _, n := range notes {
		if n.ID == e.id {
			kind = n.Kind
		}
	}
	var ids []int64
	for _, n := range notes {
		if n.Kind == kind && n.ID < e.id {
			ids = append(ids, n.ID)
		}
	}
	return append(ids, e.id), nil // one that does not count is refused by the ledger
}
