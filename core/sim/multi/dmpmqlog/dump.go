package dmpmqlog

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/wal"
)

// The messages around a dump (reference, Multiplatforms 2.1).
const (
	starting     = "AMQ7701I: DMPMQLOG command is starting.\n"
	finished     = "AMQ7702I: DMPMQLOG command has finished successfully.\n"
	unsuccessful = "AMQ7716E: DMPMQLOG command has finished unsuccessfully.\n"
)

// Dump prints a log. Its error is one of this package, a *wal.Damage, or that of
// the writer; what was printed up to there stays, and says that it failed.
func Dump(ctx context.Context, w io.Writer, log Source, o Options) error {
	p := newPrinter(w, &o)
	p.say("AMQ7701", starting)
	err := p.dump(ctx, &log)
	if err == nil {
		p.say("AMQ7702", finished)
	} else {
		p.say("AMQ7716", unsuccessful)
	}
	return errors.Join(err, p.flush())
}

// say prints a message.
func (p *printer) say(id, text string) {
	if p.opts.Say != nil {
		text = p.opts.Say(id)
	}
	p.text(text)
}

func (p *printer) dump(ctx context.Context, log *Source) error {
	at, err := log.locate(ctx)
	if err != nil {
		return fmt.Errorf("finding the end of the log: %w", err)
	}
	from, err := log.from(p.opts, at)
	if err != nil {
		return err
	}
	p.header(log, at)
	if from == at.next {
		return nil // nothing was written since
	}
	p.learn(ctx, log, from)
	first := true
	for e, err := range engine.Entries(ctx, log.Open, log.Segments, from, 0) {
		if err != nil {
			return unreadable(err, from, first)
		}
		first = false
		if p.opts.End != 0 && e.LSN > p.opts.End {
			return nil
		}
		p.record(&e)
		if p.failed != nil {
			return nil // flush tells
		}
	}
	return nil
}

// unreadable tells a start that is no record's from a log that is damaged.
func unreadable(err error, from wal.LSN, first bool) error {
	var damage *wal.Damage
	if first && errors.As(err, &damage) && damage.LSN == from && damage.Err == nil {
		return fmt.Errorf("%w: %s: %w", ErrStart, logged.LSN(from), err)
	}
	return fmt.Errorf("reading the log: %w", err)
}
