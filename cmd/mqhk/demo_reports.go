package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// reportForms are the forms in which every report is put away.
var reportForms = map[string]report.Format{"txt": report.Text, "json": report.JSON, "md": report.Markdown}

// planned plans all three policies and puts the report away in every form,
// with the statements that a person would submit for one of them.
func (s *stage) planned(ctx context.Context) error {
	came, err := s.do(ctx, 0, sideBySide, s.known("plan")...)
	if err != nil {
		return err
	}
	if err := s.folder.write(came.out, demoReports, "three-policies.txt"); err != nil {
		return err
	}
	if err := s.putAway(ctx, "three-policies.json", s.known("plan", "--format", "json")...); err != nil {
		return err
	}
	if err := s.putAway(ctx, "three-policies.md", s.known("plan", "--format", "markdown")...); err != nil {
		return err
	}
	return s.putAway(ctx, "conservative.cl", s.known("plan", "--policy", "conservative", "--format", "script")...)
}

// sideBySide shows the first section of a report: the policies beside each
// other. What follows has a section for each of them.
func sideBySide(text string) string {
	var b strings.Builder
	headings := 0
	for line := range strings.Lines(text) {
		if strings.Contains(line, ": policy ") {
			headings++
		}
		if headings > 0 {
			break
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// putAway writes what a command prints to a file of the reports.
func (s *stage) putAway(ctx context.Context, name string, args ...string) error {
	came := s.give(ctx, args...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if came.status != 0 {
		return fmt.Errorf("%s: exit status %d: %s", commandLine(args), came.status, strings.TrimSpace(came.problems))
	}
	return s.folder.write(came.out, demoReports, name)
}

// recorded reads the newest run from the ledger and puts its report away under
// a name.
func (s *stage) recorded(ctx context.Context, name string) (ledger.Record, error) {
	var record ledger.Record
	reader := newApp(s.stdout, s.stderr)
	reader.state = s.folder.path(demoState)
	err := reader.withKnown(ctx, func(l *ledger.Ledger) error {
		if l == nil {
			return ledger.ErrNone
		}
		runs, err := l.Runs(ctx, ledger.Filter{Limit: 1})
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			return ledger.ErrNoRun
		}
		record, err = l.Run(ctx, runs[0].ID)
		return err
	})
	if err != nil {
		return record, err
	}
	for ending, format := range reportForms {
		var b bytes.Buffer
		if err := report.Write(&b, record, report.Options{Format: format}); err != nil {
			return record, fmt.Errorf("writing the report %s: %w", name, err)
		}
		if err := s.folder.write(b.String(), demoReports, name+"."+ending); err != nil {
			return record, err
		}
	}
	if len(record.Targets) != 1 {
		return record, fmt.Errorf("run %s is about %d targets, and one was to be", record.Run.ID, len(record.Targets))
	}
	return record, nil
}

// refused gives an error unless a run did nothing because it was the first on
// its target, and the finding that says so.
func refused(record ledger.Record) (finding.Finding, error) {
	t := record.Targets[0]
	for _, a := range t.Actions {
		if a.Outcome == string(plugins.Done) {
			return finding.Finding{}, fmt.Errorf("%s %s was done in the first run on the target", a.Kind, a.Object)
		}
	}
	for _, f := range t.Findings {
		if f.Code == finding.FirstRun {
			return f, nil
		}
	}
	return finding.Finding{}, errors.New("the first run on the target does not say that it is one")
}

// carriedOut gives an error unless all that a run planned was done, and
// something was.
func carriedOut(record ledger.Record) error {
	t := record.Targets[0]
	for _, a := range t.Actions {
		if a.Outcome != string(plugins.Done) {
			return fmt.Errorf("%s %s was to be done, and is %s: %s", a.Kind, a.Object, a.Outcome, a.Evidence)
		}
	}
	if t.ReadBack == nil || t.ReadBack.Deleted == 0 {
		return fmt.Errorf("nothing was deleted by run %s", record.Run.ID)
	}
	return nil
}

// summary says in a sentence what an apply did.
func summary(record ledger.Record) string {
	t := record.Targets[0]
	saved := 0
	for _, a := range t.Actions {
		if a.Kind == string(plugins.KindArchive) {
			saved++
		}
	}
	piece := observe.Platform(t.Platform).Piece()
	text := fmt.Sprintf("%s deleted, %.1f MiB freed", counted(t.ReadBack.Deleted, piece), float64(t.ReadBack.BytesFreed)/(1<<20))
	if saved > 0 {
		text = fmt.Sprintf("%s saved, verified in the store, and %s", counted(saved, piece), text)
	}
	return fmt.Sprintf("%s; %s left on the system.", text, counted(t.ReadBack.Segments, piece))
}
