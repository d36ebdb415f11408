package main

import (
	"context"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"

	"github.com/mqhk/mqhk/agent/ledger"
)

// ledgerName is the ledger's folder in the state folder. The ledger has it for
// itself: 0700, whatever else comes to stand beside it.
const ledgerName = "ledger"

// stateDir gives the folder that was named, or the user's own: never the
// working directory, in which the next command may not stand.
func (a *app) stateDir() (string, error) {
	if a.state != "" {
		return a.state, nil
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) { // a relative one is to be ignored (XDG Base Directory Specification)
		return filepath.Join(dir, "mqhk"), nil
	}
	if dir := os.Getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "mqhk"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usage("there is no folder for what is known of earlier runs: name one with --state (%w)", err)
	}
	return filepath.Join(home, ".local", "state", "mqhk"), nil
}

// ledgerDir gives the ledger's folder. Commands that record something say it:
// of two state folders neither knows what the other holds.
func (a *app) ledgerDir() (string, error) {
	dir, err := a.stateDir()
	return filepath.Join(dir, ledgerName), err
}

// openLedger opens the ledger to write it, and makes it where there is none.
func (a *app) openLedger(ctx context.Context) (*ledger.Ledger, error) {
	dir, err := a.ledgerDir()
	if err != nil {
		return nil, err
	}
	l, err := ledger.Open(ctx, dir, ledger.Options{})
	if err != nil {
		return nil, ledgerFailed(err)
	}
	return l, nil
}

// lookLedger opens the ledger to be read, for what must change nothing. Where
// there is none yet it gives nil: nothing is known.
func (a *app) lookLedger(ctx context.Context) (*ledger.Ledger, error) {
	dir, err := a.ledgerDir()
	if err != nil {
		return nil, err
	}
	l, err := ledger.OpenReadOnly(ctx, dir, ledger.Options{})
	switch {
	case errors.Is(err, ledger.ErrNone):
		return nil, nil
	case err != nil:
		return nil, ledgerFailed(err)
	}
	return l, nil
}

// closeLedger closes a ledger, or the one that is not there. What is in it is
// durable already.
func (a *app) closeLedger(l *ledger.Ledger) {
	if l == nil {
		return
	}
	if err := l.Close(); err != nil {
		a.log.Warn("closing the ledger", "err", err)
	}
}

// withLedger does something with the ledger open to be written.
func (a *app) withLedger(ctx context.Context, do func(*ledger.Ledger) error) error {
	l, err := a.openLedger(ctx)
	if err != nil {
		return err
	}
	defer a.closeLedger(l)
	return ledgerFailed(do(l))
}

// withKnown does something with the ledger open to be read; what there is none
// of is nil.
func (a *app) withKnown(ctx context.Context, do func(*ledger.Ledger) error) error {
	l, err := a.lookLedger(ctx)
	if err != nil {
		return err
	}
	defer a.closeLedger(l)
	return ledgerFailed(do(l))
}

// ledgerFailed classes an error of the ledger. One that was changed from
// outside is critical: what it says of earlier runs can't be relied on.
func ledgerFailed(err error) error {
	var classed *exitError
	var broken *ledger.Broken
	switch {
	case err == nil || errors.As(err, &classed):
		return err
	case errors.As(err, &broken):
		return &exitError{exitCritical, err}
	default:
		return &exitError{exitFailed, err}
	}
}

// ledgerRefused classes an error of something that a person asks the ledger
// to note: what is not the file's fault is the command line's.
func ledgerRefused(err error) error {
	for _, fault := range []error{ledger.ErrBusy, ledger.ErrFull, ledger.ErrReadOnly, ledger.ErrForeign, ledger.ErrDamaged, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, fault) {
			return ledgerFailed(err)
		}
	}
	if err == nil || errors.As(err, new(*ledger.Broken)) {
		return ledgerFailed(err)
	}
	return &exitError{exitUsage, err}
}

// whoami names the person for the ledger: user@host, as far as the system
// tells.
func whoami() string {
	name := "unknown"
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	} else if env := os.Getenv("USER"); env != "" {
		name = env
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		return name
	}
	return name + "@" + host
}
