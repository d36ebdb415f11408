package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// checking is what the flags of target check ask for.
type checking struct {
	source
	user   string
	strict bool
}

// checkSchema is the version of the JSON of target check. Fields may be added
// to v1; none is renamed or removed.
const checkSchema = "mqhk.check/v1"

// checkReport is what target check found.
type checkReport struct {
	Schema  string            `json:"schema"`
	Targets []targetCheck     `json:"targets"`
	Host    []connect.Checked `json:"host"` // of this machine: the state folder and the stores
}

type targetCheck struct {
	Name   string            `json:"name"`
	Silent bool              `json:"silent,omitempty"` // it answered nothing at all
	Checks []connect.Checked `json:"checks"`
}

func (a *app) targetCheckCommand() *cobra.Command {
	var c checking
	cmd := &cobra.Command{
		Use:   "check [PATTERN]...",
		Short: "Test every authority and fact that is needed, without changing anything",
		Long: `Check asks each target for what the tasks of the configuration need there: the
facts of a plan, and the authorities for what they do. It asks displays alone,
and prints the commands that give what is missing, for somebody who may give
it. A target for which there is no task is checked for everything.

What is wanted is not needed to work: without it each plan says what it could
not check. Exit status 0: all that is needed is there, or nobody could tell;
1: something is missing, or a target answered nothing at all. With --strict what
is wanted, and what nobody could tell, counts as needed.`,
		Example: `  mqhk target check
  mqhk target check --estate estate --user MQHK ORDERS`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd.Context(), c, args) },
	}
	c.flags(cmd, "look at the answers recorded in `FILE`")
	cmd.Flags().StringVar(&c.user, "user", "", "ask as the user `PROFILE` (with --estate; in a configuration the connection says it)")
	cmd.Flags().BoolVar(&c.strict, "strict", false, "count what is only wanted, and what nobody could tell")
	return cmd
}

func (a *app) check(ctx context.Context, c checking, patterns []string) error {
	if c.user != "" && c.estate == "" {
		return usage("--user is for --estate: in a configuration the connection says who asks")
	}
	configuration, err := a.configuration()
	if err != nil {
		return err
	}
	found, err := a.targets(ctx, configuration, c.source, patterns)
	if err != nil {
		return err
	}
	known, err := stores(configuration)
	if err != nil {
		return err
	}
	report := checkReport{Schema: checkSchema}
	var used []usedStore
	for _, target := range found.targets {
		needs, names, err := needsOf(configuration, target)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		for _, name := range names {
			needs.Stores = append(needs.Stores, known[name])
		}
		checks, log, err := checkTarget(ctx, found, target, c.user, needs)
		if err != nil {
			return &exitError{exitFailed, err}
		}
		for _, name := range names {
			used = append(used, usedStore{name, log})
		}
		report.Targets = append(report.Targets, targetCheck{target.String(), answeredNothing(checks), checks})
	}
	if report.Host, err = a.checkHost(configuration, used); err != nil {
		return err
	}
	if err := a.result(report, func() string { return checkText(report) }); err != nil {
		return err
	}
	if report.missing(c.strict) {
		return &exitError{exitFailed, nil}
	}
	return nil
}

// checkTarget checks one target over a connection that can only look. It tells
// too where this machine has its log; empty: elsewhere, or it was not found.
func checkTarget(ctx context.Context, found reachable, target observe.Target, user string, needs connect.Needs) (checks []connect.Checked, log string, err error) {
	dialer := found.dial[target.Name]
	if user != "" {
		dialer = connect.As(dialer, user)
	}
	gate := connect.New(connect.Plan, map[string]connect.Dialer{target.Name: dialer})
	reader, err := gate.Reader(ctx, target)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	checks, err = connect.Check(ctx, target, reader, needs)
	for _, row := range checks {
		log = cmp.Or(log, row.Log)
	}
	return checks, gate.LogHere(target, log), err
}

// needsOf gives what the tasks of the configuration do with a target, and the
// names of the stores that they use. Bundled policies are not meant: where the
// site has written no task for the target, everything is checked, with every
// store.
func needsOf(configuration *policies.Configuration, target observe.Target) (connect.Needs, []string, error) {
	var needs connect.Needs
	var names []string
	for _, p := range configuration.Policies {
		for _, task := range p.Tasks {
			if p.Bundled || !target.Matches(task.Targets) {
				continue
			}
			needs.Uses = append(needs.Uses, connect.ForPlan, connect.ForDelete)
			if fields, builtIn := builtinSchemas()[task.Plugin]; builtIn { // what others take is not known
				config, err := policies.DecodeConfig(task.Config, fields)
				if err != nil {
					return needs, nil, err
				}
				if config.Bool("record_images") {
					needs.Uses = append(needs.Uses, connect.ForImages)
				}
			}
			if store, ok := configuration.Store(task.Store); ok && store.Kind != externalStore {
				needs.Uses = append(needs.Uses, connect.ForSave, connect.ForRestore)
				names = append(names, store.Name)
			}
		}
	}
	if len(needs.Uses) == 0 {
		for _, store := range configuration.Stores {
			names = append(names, store.Name)
		}
	}
	slices.Sort(names)
	return needs, slices.Compact(names), nil
}

// all gives every row.
func (r checkReport) all() []connect.Checked {
	all := slices.Clone(r.Host)
	for _, t := range r.Targets {
		all = append(all, t.Checks...)
	}
	return all
}

// answeredNothing tells whether a target answered nothing at all: it was not reached, or
// not by what was meant.
func answeredNothing(checks []connect.Checked) bool {
	return !slices.ContainsFunc(checks, func(row connect.Checked) bool { return row.Verdict != connect.Unknown })
}

// missing tells whether something counts as missing.
func (r checkReport) missing(strict bool) bool {
	if slices.ContainsFunc(r.Targets, func(t targetCheck) bool { return t.Silent }) {
		return true
	}
	return slices.ContainsFunc(r.all(), func(row connect.Checked) bool {
		if strict {
			return row.Verdict != connect.Yes
		}
		return row.Verdict == connect.No && !row.Wanted
	})
}
