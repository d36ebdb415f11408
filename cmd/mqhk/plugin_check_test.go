package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/plugintest"
)

func openTranscript(t *testing.T, path string) *transcript.Transcript {
	t.Helper()
	script, err := transcript.Open(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// The plugins that ship do what every plugin must, as processes.
func TestBuiltinsConform(t *testing.T) {
	endToEnd(t)
	images := map[string]any{"record_images": true}
	for name, plugin := range builtins() {
		tried := 0
		for _, sample := range []struct {
			script   string
			platform observe.Platform
			only     string         // the plugin that it is for; empty: all
			settings map[string]any // of its config block
		}{
			{script: "examples/orders.mqt", platform: observe.IBMi},
			{script: "examples/qm1.mqt", platform: observe.Multiplatforms},
			{script: "examples/qsg1.mqt", platform: observe.ZOS},
			{"plugins/journal/testdata/images.mqt", observe.IBMi, "journal", images},
			{"plugins/archive/testdata/images.mqt", observe.Multiplatforms, "archive", images},
		} {
			if !slices.Contains(plugin.Describe().Platforms, sample.platform) || sample.only != "" && sample.only != name {
				continue
			}
			tried++
			t.Run(name+"/"+filepath.Base(sample.script), func(t *testing.T) {
				options := plugintest.Options{Transcript: openTranscript(t, sample.script), Settings: sample.settings, Tree: "testdata"}
				mayBeSkipped := []string{"perform", "actions", "findings"}
				if _, ok := plugin.(plugins.Confirmer); !ok {
					mayBeSkipped = append(mayBeSkipped, "confirm")
				}
				if len(plugin.Describe().Schema.Fields) == 0 {
					mayBeSkipped = append(mayBeSkipped, "schema")
				}
				for _, v := range plugintest.Try(t.Context(), newApp(io.Discard, io.Discard).subject(name), options) {
					if v.State == plugintest.Failed || v.State == plugintest.Skipped && !slices.Contains(mayBeSkipped, v.Check) {
						t.Errorf("%s %s: %q %s", v.Check, v.State, v.Problems, v.Why)
					}
				}
			})
		}
		if tried == 0 {
			t.Errorf("there is no transcript for %s", name)
		}
	}
}

// spoilt is a plugin that is bad in one way.
type spoilt string

func (spoilt) Describe() plugins.Description {
	return plugins.Description{
		Name: "spoilt", Version: "1.0.0", Doc: "Asks one thing.",
		Platforms: []observe.Platform{observe.Multiplatforms}, Languages: []observe.Language{observe.MQSC},
	}
}

func (s spoilt) Plan(ctx context.Context, request plugins.Request, h plugins.Host) (plugins.Plan, error) {
	_, err := h.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: request.Target.Name, Text: "DISPLAY QMSTATUS ALL"})
	plan := plugins.Plan{Objects: []plugins.Object{{Kind: "queue", Name: "A"}, {Kind: "queue", Name: "B"}}}
	switch s {
	case "prints":
		fmt.Println("got here")
	case "prints past the library":
		_, _ = os.NewFile(1, "stdout").WriteString("got there\n")
	case "map":
		inOrder := map[string]plugins.Object{"A": plan.Objects[0], "B": plan.Objects[1]}
		plan.Objects = nil
		for _, object := range inOrder {
			plan.Objects = append(plan.Objects, object)
		}
	case "sees how often it was started":
		plan.Objects[0].Reason = fmt.Sprint(os.Getpid())
	case "dies without an answer":
		if err != nil {
			os.Exit(3)
		}
	case "does not heed its context":
		if err != nil {
			time.Sleep(time.Minute)
		}
	}
	return plan, err
}

// serveSpoilt serves such a plugin where this process was started as one.
func serveSpoilt(how string, serve func(plugins.Plugin)) {
	serve(spoilt(how))
	if how == "does not stop" {
		signal.Ignore()
		time.Sleep(time.Minute)
	}
}

// The checks find in a process what they find in memory.
func TestSpoiltProcessesFail(t *testing.T) {
	endToEnd(t)
	script := openTranscript(t, "examples/qm1.mqt")
	for how, want := range map[string]struct{ check, says string }{
		"prints":                        {"standard-output", `"got here"`},
		"prints past the library":       {"standard-output", `"got there"`},
		"map":                           {"determinism", `"Name": "B"`},
		"sees how often it was started": {"determinism", `"Reason"`},
		"dies without an answer":        {"no-answers", "exit status 3"},
		"does not heed its context":     {"deadline", "it was still at it"},
		"does not stop":                 {"stop", "asked to end without a call"},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			subject := hostSubject{
				source:   host.Source{Args: []string{"plugin-serve", spoiltPrefix + how}},
				settings: host.Settings{StopLimit: 2 * plugintest.EndLimit},
			}
			verdicts := plugintest.Try(t.Context(), subject, plugintest.Options{Transcript: script, Limit: 10 * time.Second, Only: []string{want.check}})
			if len(verdicts) != 2 || verdicts[0].State != plugintest.Passed {
				t.Fatalf("%+v", verdicts)
			}
			if v := verdicts[1]; v.State != plugintest.Failed || !strings.Contains(strings.Join(v.Problems, "\n"), want.says) {
				t.Errorf("%s %s: %q, want %q", v.Check, v.State, v.Problems, want.says)
			}
		})
	}
}

// spoiltPrefix begins the name under which a spoilt plugin is served.
const spoiltPrefix = "spoilt: "
