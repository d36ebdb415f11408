package main

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

// transcriptConnection is the kind of connection that reads a recorded
// transcript.
const transcriptConnection = "transcript"

func transcriptSchema() schema.Schema {
	return schema.Schema{Doc: "Answers from a recorded transcript.", Fields: []schema.Field{
		{Name: "path", Kind: schema.String, Required: true, Doc: "The transcript, from the directory of the configuration file."},
	}}
}

// reachable are targets and how each is reached.
type reachable struct {
	targets []observe.Target
	dial    map[string]connect.Dialer
}

// targets gives the targets to work on: those of a transcript where one is
// named, else those of the configuration; of these the ones that a pattern
// matches.
func (a *app) targets(configuration *policies.Configuration, transcriptFile string, patterns []string) (reachable, error) {
	var found reachable
	var err error
	if transcriptFile != "" {
		found, err = a.fromTranscript(configuration, transcriptFile)
	} else {
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
	found := reachable{targets: recorded.Targets(), dial: make(map[string]connect.Dialer)}
	if len(found.targets) == 0 {
		return found, usage("transcript %s names no queue manager: it has no line >>> QMGR NAME PLATFORM", file)
	}
	for i := range found.targets {
		t := &found.targets[i]
		found.dial[t.Name] = connect.Transcript(recorded)
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

// fromConfiguration gives the targets of the configuration.
func fromConfiguration(configuration *policies.Configuration) (reachable, error) {
	found := reachable{dial: make(map[string]connect.Dialer)}
	for _, t := range configuration.Targets {
		if t.Connection == nil || t.Connection.Kind != transcriptConnection {
			continue // policies has refused kinds that there are not; a group may have none of its own
		}
		settings, err := policies.DecodeConfig(t.Connection.Settings, transcriptSchema())
		if err != nil {
			return found, &exitError{exitUsage, err}
		}
		file := settings.String("path")
		if !filepath.IsAbs(file) {
			file = filepath.Join(t.Connection.Settings.Dir(), file)
		}
		recorded, err := transcript.Open(file)
		if err != nil {
			return found, &exitError{exitUsage, err}
		}
		found.targets = append(found.targets, t.Target)
		found.dial[t.Name] = connect.Transcript(recorded)
	}
	if len(found.targets) == 0 {
		return found, usage("there are no targets: name a transcript with --transcript, or write a configuration (docs/policies.md)")
	}
	return found, nil
}
