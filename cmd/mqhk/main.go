// Command mqhk does the nightly housekeeping of IBM MQ queue managers and
// never removes what a recovery still needs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/policies"
)

func main() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) }

// execute carries out one command line and gives the exit status.
func execute(args []string, stdout, stderr io.Writer) int {
	keepInherited()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A reader that goes away, as head does, would end the process in the midst
	// of a run, with its plugins about. Now what is written to it fails.
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, syscall.SIGPIPE)
	defer signal.Stop(unread)
	done := make(chan struct{})
	defer close(done)
	app := newApp(stdout, stderr)
	go endLate(ctx, stop, done, &app.ending)
	root := app.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil && !app.orderly.Load() {
		err = &exitError{exitInterrupted, errors.New("interrupted")}
	}
	return app.report(err)
}

// endLate ends the process when a signal did not: a read from a pipe that
// nobody writes to knows of no context. A second signal ends it at once.
func endLate(ctx context.Context, stop func(), done <-chan struct{}, e *ending) {
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	stop()
	select {
	case <-done:
	case <-time.After(e.grace()):
		os.Exit(exitInterrupted)
	}
}

// The exit statuses; of several the first of this list holds (design,
// section 4; docs/report.md).
const (
	exitInterrupted = 130
	exitUsage       = 4 // configuration or usage invalid
	exitPlugin      = 5
	exitFailed      = 1
	exitCritical    = 3 // a critical finding
	exitActions     = 2 // there are actions, and --detailed-exitcode was given
)

// exitError ends the program with a status. A nil Err has been told to the
// user already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage makes an error of a command line or configuration that can't be used.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// report tells the user of an error and gives the exit status. An error that
// nobody classed is one of usage: cobra's own.
func (a *app) report(err error) int {
	var exit *exitError
	switch {
	case err == nil && a.noAnswer:
		return exitUsage
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		exit = &exitError{exitUsage, err}
	}
	var mistakes policies.Diagnostics
	switch {
	case exit.err == nil:
	case errors.Is(exit.err, syscall.EPIPE): // whoever read has seen enough
	case errors.As(exit.err, &mistakes):
		if err := mistakes.Write(a.stderr, a.colour(a.stderr)); err != nil {
			fmt.Fprintln(a.stderr, exit.err)
		}
	default:
		fmt.Fprintf(a.stderr, "mqhk: %s\n", report.Harmless(exit.err.Error()))
	}
	return exit.code
}
