package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/agent/roster"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

// checkOthers holds the config blocks of tasks against the schemas of the
// plugins of others that do them: the plugins are started to tell these. A
// plugin that is not started, or fails, checks nothing, and the log says so:
// where policies are written it need not be there.
func (a *app) checkOthers(ctx context.Context, known *roster.Roster, chosen []policies.Policy) error {
	schemas := make(map[string]*schema.Schema) // nil: it can't be had
	var mistakes policies.Diagnostics
	for _, p := range chosen {
		for _, t := range p.Tasks {
			if slices.Contains(known.Builtins, t.Plugin) {
				continue // the reader did
			}
			fields, asked := schemas[t.Plugin]
			if !asked {
				fields = a.schemaOf(ctx, known, t.Plugin)
				schemas[t.Plugin] = fields
			}
			if fields == nil {
				continue
			}
			var found policies.Diagnostics
			if _, err := policies.DecodeConfig(t.Config, *fields); errors.As(err, &found) {
				mistakes = append(mistakes, found...)
			} else if err != nil {
				return &exitError{exitFailed, fmt.Errorf("checking task %s of policy %s: %w", t.Name, p.Name, err)}
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(mistakes) > 0:
		return &exitError{exitUsage, mistakes}
	}
	return nil
}

// schemaOf starts a plugin of others to learn its schema; nil: it can't be
// learned.
func (a *app) schemaOf(ctx context.Context, known *roster.Roster, name string) *schema.Schema {
	description, _, err := a.described(ctx, known, name)
	if err != nil {
		a.log.Warn("the settings of a plugin are not checked", "plugin", name, "err", err)
		return nil
	}
	return &description.Schema
}
