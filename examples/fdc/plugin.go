package main

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

const (
	name    = "fdc"
	version = "1.0.0"
)

const day = 24 * time.Hour

// The names of the settings.
const (
	settingMinAge     = "min_age"
	settingKeepNewest = "keep_newest"
	settingKinds      = "kinds"
)

// plugin finds and removes old reports.
type plugin struct{}

// Describe says what the plugin is.
func (plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      name,
		Version:   version,
		Doc:       "Removes old failure reports (FDC), traces and copies of error logs of a queue manager's machine.",
		Platforms: []observe.Platform{observe.Multiplatforms},
		Languages: []observe.Language{observe.File, observe.LogDir},
		Actions:   []plugins.Kind{plugins.KindCustom},
		Schema: schema.Schema{
			Doc: "What may go; everything else stays, and the queue manager's own error logs always do.",
			Fields: []schema.Field{
				{Name: settingMinAge, Kind: schema.Duration, Default: 30 * day, Min: int64(day), Max: int64(3650 * day),
					Doc: "How long a file must not have been written to before it may go."},
				{Name: settingKeepNewest, Kind: schema.Int, Default: int64(10), Min: 0, Max: 100_000,
					Doc: "How many of the newest files of each kind stay in each directory however old they are."},
				{Name: settingKinds, Kind: schema.Strings, Default: []string{kindReport, kindTrace}, OneOf: []string{kindReport, kindTrace, kindCopy},
					Doc: "Which kinds may go: fdc (AMQ*.FDC), trace (AMQ*.TRC, .TRS, .FMT), error-log-copies (what somebody copied AMQERR01.LOG to, as AMQERR01.LOG.20260501.gz)."},
			},
		},
	}
}

// Check finds what a schema can't say.
func (plugin) Check(_ context.Context, request plugins.Request) []plugins.Complaint {
	if len(request.Config.Strings(settingKinds)) == 0 {
		return []plugins.Complaint{{Path: settingKinds, Text: "names no kind, so nothing could ever go"}}
	}
	return nil
}

// Plan lists the directories and names the files that may go, and says of the
// others why they stay.
func (plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	may := rule{
		kinds:      request.Config.Strings(settingKinds),
		minAge:     request.Config.Duration(settingMinAge),
		keepNewest: int(request.Config.Int(settingKeepNewest)),
	}
	return newPlanner(request.Target.Name, may, host).plan(ctx)
}

// Perform removes the files that one action names, as far as they are what the
// plan saw.
func (plugin) Perform(ctx context.Context, action plugins.Action, hands plugins.Hands) (plugins.Result, error) {
	// The directory is proven afresh: a plan may have waited a day.
	known, err := folders(ctx, hands, action.QueueManager)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("finding the directories of %s: %w", action.QueueManager, err)
	}
	items, err := itemsOf(action, known)
	if err != nil {
		return plugins.Result{State: plugins.Failed, Evidence: "nothing was removed: " + err.Error()}, nil
	}
	return remove(ctx, action.Object, items), nil
}
