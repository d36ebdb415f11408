package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/agent/store"
)

func (a *app) historyVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Check that nobody changed the ledger",
		Long: `Verify reads the whole ledger and names the first record that is not as mqhk
wrote it. It prints the head: how many records there are, and the sum over all
of them. Keep it elsewhere, and compare it the next time.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withKnown(cmd.Context(), func(l *ledger.Ledger) error {
				if l == nil {
					return a.noLedger()
				}
				head, err := l.Verify(cmd.Context())
				if err != nil {
					return err
				}
				value := map[string]any{"rows": head.Rows, "sum": head.Sum}
				return a.result(value, func() string {
					return fmt.Sprintf("the ledger is as it was written: %d records, head %s\n", head.Rows, head.Sum)
				})
			})
		},
	}
}

func (a *app) historyAcceptCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "accept",
		Short: "Take the ledger as it is now, after it was lost, moved or put back from a copy",
		Long: `Accept is a person's word that this ledger counts from now on, whatever was
noted as its end before (ledger-broken), and whoever saved what the stores hold
(ledger-empty). Look at holds and notes first: newer ones may be missing. Where
there is nothing to accept, nothing is written.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.historyAccept(cmd.Context(), reason) },
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, in a few words; it stays in the ledger")
	_ = cmd.MarkFlagRequired("reason") // the flag is there
	return cmd
}

func (a *app) historyAccept(ctx context.Context, reason string) error {
	dir, err := a.ledgerDir()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, ledger.FileName)); errors.Is(err, fs.ErrNotExist) {
		return a.noLedger() // an empty one is not made to be accepted
	}
	configuration, err := a.configuration()
	if err != nil {
		return err
	}
	kept, err := keepers(configuration, false)
	if err != nil {
		return err
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		doubtful, err := toAccept(ctx, l, kept)
		if err == nil && doubtful {
			err = ledgerRefused(l.Accept(ctx, whoami(), reason))
		}
		if err != nil {
			return err
		}
		said := "there is nothing to accept: the ledger is as it was written"
		if doubtful {
			said = "the ledger is accepted as it is now"
		}
		value := map[string]any{"accepted": doubtful, "ledger": dir}
		return a.result(value, func() string { return said + "\n" + entered{Ledger: dir}.text() })
	})
}

// noLedger says that there is no ledger, and where.
func (a *app) noLedger() error {
	dir, err := a.ledgerDir()
	if err != nil {
		return err
	}
	return ledgerFailed(fmt.Errorf("%w: %s (is --state right?)", ledger.ErrNone, dir))
}

// toAccept tells whether there is anything that a person could accept: an end
// of the ledger that does not fit, or copies in stores that runs saved which it
// does not know, as the findings ledger-broken and ledger-empty have it.
func toAccept(ctx context.Context, l *ledger.Ledger, kept map[string]store.Store) (bool, error) {
	_, err := l.Verify(ctx)
	if errors.As(err, new(*ledger.Broken)) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	strange, err := run.Strangers(ctx, l, kept, "")
	return len(strange) > 0, err
}
