package main

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/policies"
)

// source is where targets come from if not from the configuration.
type source struct{ transcript, estate string }

// flags adds the flags that name a source.
func (s *source) flags(cmd *cobra.Command, transcript string) {
	cmd.Flags().StringVar(&s.transcript, "transcript", "", transcript)
	cmd.Flags().StringVar(&s.estate, "estate", "", "the queue managers of the simulated estate in `DIR`")
	cmd.MarkFlagsMutuallyExclusive("transcript", "estate")
}

// reachable are targets and how each is reached.
type reachable struct {
	targets   []observe.Target
	dial      map[string]connect.Dialer
	simulated map[string]bool   // by name: in an estate, whose clock is its own
	estates   map[string]string // by name: the folder of the estate
	recorded  map[string]bool   // by name: a transcript
	says      map[string]bool   // by name: a transcript that says itself what the host knew
}

// reach notes how a target is reached.
func (r *reachable) reach(name string, by way) {
	if r.dial == nil {
		*r = reachable{r.targets, map[string]connect.Dialer{}, map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	}
	r.dial[name] = by.dialer
	r.recorded[name], r.says[name] = by.recorded, by.recorded && !by.hosted
	if by.estate != "" {
		r.simulated[name], r.estates[name] = true, by.estate
	}
}

// know has the host answer what only the host knows of each target, but for
// transcripts that hold what the host knew when they were recorded.
func (r *reachable) know(host observe.Asker) {
	for name, dialer := range r.dial {
		if !r.says[name] {
			r.dial[name] = connect.Hosted(dialer, host)
		}
	}
}

// clock gives the time of a target: that of its system in an estate, else this
// machine's.
func (r *reachable) clock(ctx context.Context, name string) (time.Time, error) {
	dir, simulated := r.estates[name]
	if !simulated {
		return time.Now(), nil
	}
	estate, err := sim.Look(ctx, dir)
	if err != nil {
		return time.Time{}, simError(err)
	}
	now := estate.Now()
	for _, m := range estate.Status().Managers {
		if m.Name == name {
			now = m.Clock
		}
	}
	if err := estate.Close(ctx); err != nil {
		return time.Time{}, simError(err)
	}
	return now, nil
}

// targets gives the targets to work on: those of a transcript or an estate
// where one is named, else those of the configuration; of these the ones that
// a pattern matches.
func (a *app) targets(ctx context.Context, configuration *policies.Configuration, from source, patterns []string) (reachable, error) {
	var found reachable
	var err error
	switch {
	case from.transcript != "":
		found, err = a.fromTranscript(configuration, from.transcript)
	case from.estate != "":
		found, err = fromEstate(ctx, from.estate)
	default:
		found, err = fromConfiguration(configuration)
	}
	if err != nil {
		return found, err
	}
	if len(patterns) == 0 {
		return found, nil
	}
	all := found.targets
	found.targets = nil
	for _, pattern := range patterns {
		matched := matching(all, pattern)
		if len(matched) == 0 {
			return found, usage("--target %q matches none of %s", pattern, names(all))
		}
		for _, t := range matched {
			if !slices.ContainsFunc(found.targets, func(o observe.Target) bool { return o.String() == t.String() }) {
				found.targets = append(found.targets, t)
			}
		}
	}
	return found, nil
}

// matching gives the targets that a pattern platform/name, or a name alone,
// matches.
func matching(targets []observe.Target, pattern string) []observe.Target {
	if !strings.Contains(pattern, "/") {
		pattern = "*/" + pattern
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(targets), func(t observe.Target) bool { return !t.Matches([]string{pattern}) })
}

func names(targets []observe.Target) string {
	if len(targets) == 0 {
		return "no targets at all"
	}
	var list []string
	for _, t := range targets {
		list = append(list, t.String())
	}
	return strings.Join(list, ", ")
}

// fromTranscript gives the targets of a transcript. What the configuration
// says of a target of that name, and the transcript does not, counts.
func (a *app) fromTranscript(configuration *policies.Configuration, file string) (reachable, error) {
	recorded, err := transcript.Open(file)
	if err != nil {
		return reachable{}, &exitError{exitUsage, err}
	}
	for _, warning := range recorded.Warnings() {
		a.log.Warn("transcript", "warning", warning)
	}
	found := reachable{targets: recorded.Targets()}
	if len(found.targets) == 0 {
		return found, usage("transcript %s names no queue manager: it has no line >>> QMGR NAME PLATFORM", file)
	}
	for i := range found.targets {
		t := &found.targets[i]
		found.reach(t.Name, way{dialer: connect.Transcript(recorded), recorded: true})
		if known, ok := configuration.Target(t.Name); ok && known.Platform == t.Platform {
			if t.Library == "" {
				t.Library = known.Library
			}
			if t.Zone == "" {
				t.Zone = known.Zone
			}
		}
	}
	return found, nil
}

// fromEstate gives the queue managers of a simulated estate.
func fromEstate(ctx context.Context, dir string) (reachable, error) {
	estate, err := sim.Look(ctx, dir)
	if err != nil {
		return reachable{}, simError(err)
	}
	found := reachable{targets: estate.Targets()}
	if err := estate.Close(ctx); err != nil {
		return found, &exitError{exitFailed, err}
	}
	if len(found.targets) == 0 {
		return found, usage("the estate in %s has no queue manager: mqhk sim init adds one", dir)
	}
	estates := connect.NewEstates() // of all: they share the estate
	for _, t := range found.targets {
		by, err := simulate(t, dir, "", estates)
		if err != nil {
			return found, err
		}
		found.reach(t.Name, by)
	}
	return found, nil
}

// fromConfiguration gives the targets of the configuration.
func fromConfiguration(configuration *policies.Configuration) (reachable, error) {
	var found reachable
	estates := connect.NewEstates()
	for _, t := range configuration.Targets {
		if t.Connection == nil {
			continue // a group whose members have their own
		}
		by, err := dial(t.Target, t.Connection, estates)
		if err != nil {
			return found, &exitError{exitUsage, err}
		}
		found.targets = append(found.targets, t.Target)
		found.reach(t.Name, by)
	}
	if len(found.targets) == 0 {
		return found, usage("there are no targets: name a transcript with --transcript or a simulated estate with --estate, or write a configuration (docs/policies.md)")
	}
	return found, nil
}

// within gives a path as it is meant in a file of a folder.
func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
