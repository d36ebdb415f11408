package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/plugins/serve"
)

// tidy is a plugin of somebody else: the test binary under the name of a
// plugin's file is it.
type tidy struct{}

// isTidy tells whether this process was started as that plugin.
func isTidy() bool { return strings.HasPrefix(filepath.Base(os.Args[0]), "mqhk-plugin-tidy") }

// serveTidy serves it.
func serveTidy() { serve.Plugin(tidy{}) }

// Describe says what the plugin is.
func (tidy) Describe() plugins.Description {
	return plugins.Description{
		Name: "tidy", Version: "1.0.0", Doc: "Tells a person to tidy up.", Actions: []plugins.Kind{plugins.KindAlert},
		Schema: schema.Schema{Doc: "What is old.", Fields: []schema.Field{
			{Name: "older", Doc: "How old files are that go.", Kind: schema.Duration, Required: true, Min: int64(time.Hour), Max: int64(365 * 24 * time.Hour)},
		}},
	}
}

// Plan plans an alert.
func (tidy) Plan(_ context.Context, r plugins.Request, _ plugins.Host) (plugins.Plan, error) {
	return plugins.Plan{Actions: []plugins.Action{{
		ID: "tell", QueueManager: r.Target.Name, Kind: plugins.KindAlert, Object: "files",
		Reason: "files older than " + r.Config.Duration("older").String(),
	}}}, nil
}
