package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// work is what one command works on: policies, targets, and what the host
// knows of them.
type work struct {
	*app
	configuration *policies.Configuration
	chosen        []policies.Policy
	found         reachable
	known         run.Knowledge
	need          int64 // room that is wanted now; 0: none
}

// workOn reads the configuration and finds what was selected. Nothing is known
// of earlier runs before [work.look] or [work.write].
func (a *app) workOn(ctx context.Context, s selection) (*work, error) {
	configuration, err := a.configuration()
	if err != nil {
		return nil, err
	}
	chosen, err := choose(configuration, s.policies)
	if err != nil {
		return nil, err
	}
	w := &work{app: a, configuration: configuration, chosen: chosen}
	if w.found, err = a.targets(ctx, configuration, s.source, s.targets); err != nil {
		return nil, err
	}
	if w.known.Stores, err = keepers(configuration, s.unlimited); err != nil {
		return nil, err
	}
	return w, nil
}

// look lets the targets be asked for what the ledger holds, without writing
// it; there may be none.
func (w *work) look(ctx context.Context) error { return w.open(ctx, w.lookLedger) }

// write likewise, with the ledger open to be written.
func (w *work) write(ctx context.Context) error { return w.open(ctx, w.openLedger) }

func (w *work) open(ctx context.Context, open func(context.Context) (*ledger.Ledger, error)) error {
	var err error
	if w.known.Ledger, err = open(ctx); err != nil {
		return err
	}
	w.found.know(w.known)
	return nil
}

func (w *work) close() { w.closeLedger(w.known.Ledger) }

// order says what a run is to do. Tasks that match nothing are told of.
func (w *work) order(mode connect.Mode) (run.Order, error) {
	host, _ := os.Hostname() // a report without it is still one
	order := run.Order{
		ID:       runID(time.Now()),
		Host:     host,
		Policies: w.chosen,
		Targets:  w.found.targets,
		Gate:     connect.New(mode, w.found.dial),
		Plugins:  starter{w.roster(w.configuration), w.log.Handler()},
		Log:      w.log,
		Progress: w.progress(),
		Now:      time.Now,
		Need:     w.need,
		Ledger:   w.known.Ledger,
		Keepers:  w.known.Stores,
		Binds:    binds(w.configuration),
		By:       whoami(),
	}
	var err error
	if order.Stores, err = stores(w.configuration); err != nil {
		return order, err
	}
	for _, t := range w.found.targets {
		if w.found.simulated[t.Name] {
			order.Simulated = append(order.Simulated, t.Name)
		}
	}
	for _, idle := range order.Idle() {
		w.log.Warn("task matches no target", "task", idle)
	}
	return order, nil
}

// makePlan plans the policies on the targets, within the time that a run may
// take.
func (w *work) makePlan(ctx context.Context) (ledger.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, policies.DefaultTimeout)
	defer cancel()
	order, err := w.order(connect.Plan)
	if err != nil {
		return ledger.Record{}, err
	}
	record, err := run.Plan(ctx, order)
	return record, classify(err)
}

// keepPlan likewise, and puts the plan away in a new file. One that would do
// nothing is not put away.
func (w *work) keepPlan(ctx context.Context, file string) (ledger.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, policies.DefaultTimeout)
	defer cancel()
	order, err := w.order(connect.Plan)
	if err != nil {
		return ledger.Record{}, err
	}
	record, kept, err := run.PlanToKeep(ctx, order)
	switch {
	case errors.Is(err, run.ErrNothingToKeep):
		return record, &exitError{exitFailed, fmt.Errorf("no plan was written to %s: %w", file, err)}
	case err != nil:
		return record, classify(err)
	}
	if err := run.WriteKept(file, kept); err != nil {
		return record, &exitError{exitFailed, err}
	}
	w.log.Info("the plan was written", "file", file, "id", kept.ID)
	return record, nil
}

// runID names a run by its time, and apart from another of the same
// millisecond.
func runID(now time.Time) string {
	apart := make([]byte, 3)
	_, _ = rand.Read(apart) // never fails (crypto/rand)
	return now.UTC().Format("20060102T150405.000Z") + "-" + hex.EncodeToString(apart)
}

// binds gives what the tasks of the configuration that apply on schedule
// promise a target. None of these runs here, and each binds all the same:
// nothing goes by one task that another, which deletes there too, is to keep.
func binds(configuration *policies.Configuration) func(observe.Target) []run.Binding {
	return func(target observe.Target) []run.Binding {
		var all []run.Binding
		for _, p := range configuration.Policies {
			for _, t := range p.Tasks {
				s := p.ScheduleOf(t)
				if s != nil && s.Mode == policies.Apply && target.Matches(t.Targets) && mayDelete(t) {
					all = append(all, run.Binding{Policy: p.Name, Promise: t.Promise()})
				}
			}
		}
		return all
	}
}

// mayDelete tells whether a task lets its plugin have segments go: by a delete, or
// by telling the queue manager that it may remove them.
func mayDelete(t policies.Task) bool {
	return t.Allow.Has(policies.Capability{Kind: policies.AllowDelete}) || t.Allow.Has(policies.Capability{Kind: policies.AllowMarkArchived})
}
