package archive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
)

// fileText reads a transcript of testdata as a text.
func fileText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// edit replaces a text that must stand in the transcript, wherever it does.
func edit(t *testing.T, text, old, replacement string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q does not stand in the transcript", old)
	}
	return strings.ReplaceAll(text, old, replacement)
}

// without takes a block out.
func without(t *testing.T, text, header string) string {
	t.Helper()
	head, rest, ok := strings.Cut(text, ">>> "+header+"\n")
	if !ok {
		t.Fatalf("no block %s", header)
	}
	_, rest, more := strings.Cut(rest, "\n>>> ")
	if !more {
		return head
	}
	return head + ">>> " + rest
}

func parse(t *testing.T, text string) *transcript.Transcript {
	t.Helper()
	script, err := transcript.Parse("text.mqt", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// planImages plans on a transcript in a text, with images wanted.
func planImages(t *testing.T, text string, round int, settings map[string]any, earlier ...plugins.Result) plugins.Plan {
	t.Helper()
	all := map[string]any{"record_images": true}
	for name, value := range settings {
		all[name] = value
	}
	request := bundled[0]
	request.Promise.MaxPercent = 0 // the share is none of what is tested here
	request.Round, request.Earlier = round, earlier
	return planOn(t, parse(t, text), request, all)
}

// imageFindings gives the findings about images.
func imageFindings(plan plugins.Plan) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(plan.Findings), func(f finding.Finding) bool {
		return !slices.Contains([]finding.Code{finding.AfterImages, finding.NoImages, finding.ImageWouldNotFit, finding.ImageSizeUnknown, finding.ImagesFailed}, f.Code)
	})
}

// The images come before the deletes, which do not wait for them.
func TestImagesFirst(t *testing.T) {
	plan := planImages(t, fileText(t, "images.mqt"), 1, nil)
	if got, want := steps(plan), "command-1; delete-1 100; delete-2 101 after delete-1; delete-3 102 after delete-2; delete-4 103 after delete-3"; got != want || !plan.Again {
		t.Fatalf("again %v\n got %s\nwant %s", plan.Again, got, want)
	}
	record := plan.Actions[0]
	if record.Command != (plugins.Command{Language: observe.CTL, QueueManager: "QM1", Text: `rcdmqimg -m QM1 -t all "*"`}) || record.Within != time.Hour ||
		record.Object != "QM1" || !slices.Equal(record.Items, []string{"media S0000104.LOG", "current S0000130.LOG", "zone Europe/Berlin"}) {
		t.Errorf("%+v", record)
	}
	if class, _, err := observe.Classify(record.Command.Language, record.Command.Text); class != observe.Change || err != nil {
		t.Errorf("%s is %s, %v", record.Command.Text, class, err)
	}
	const reason = "moves the media point, which is 26 extents behind the one being written (S0000104.LOG); " +
		"writes up to 55.1 MiB uncompressed (estimate); 2 queues hold messages: ORDERS.PARKED (depth 61000), ORDERS.IN (depth 12); " +
		"80.0 GiB are free, 10.0 GiB of that are to stay free"
	if record.Reason != reason {
		t.Errorf("\n got %s\nwant %s", record.Reason, reason)
	}
	const after = "QM1: of 31 extents at most 31 (496.3 MiB) could go after the images; 4 (64.0 MiB) may go as it is"
	if found := imageFindings(plan); len(found) != 1 || found[0] != finding.New(finding.AfterImages, after) {
		t.Errorf("%v\nwant %s", found, after)
	}
}

// In a later round there are no images, whatever became of them; why they failed
// is told with what their exit code means.
func TestSecondRound(t *testing.T) {
	plan := planImages(t, fileText(t, "images_after.mqt"), 2, nil, plugins.Result{Action: "command-1", State: plugins.Done, Evidence: "the media point is in S0000130.LOG"})
	if got := verdicts(plan); got != "100-129 delete, 130-133 keep" || plan.Again || len(imageFindings(plan)) > 0 {
		t.Errorf("again %v, %s, %v", plan.Again, got, imageFindings(plan))
	}
	for evidence, want := range map[string]string{
		"exit code 132":           "QM1: rcdmqimg: failed: exit code 132: an object is damaged",
		"exit code 999: AMQ7047S": "QM1: rcdmqimg: failed: exit code 999: AMQ7047S",
	} {
		plan := planImages(t, fileText(t, "images.mqt"), 2, nil, plugins.Result{Action: "delete-1", State: plugins.Failed}, plugins.Result{Action: "command-1", State: plugins.Failed, Evidence: evidence})
		if found := imageFindings(plan); len(found) != 1 || found[0] != finding.New(finding.ImagesFailed, "%s", want) || plan.Again {
			t.Errorf("again %v, %v", plan.Again, found)
		}
		if got := verdicts(plan); got != "100-103 delete, 104-130 keep" {
			t.Error(got)
		}
	}
}

// Each row gives what has to change for there to be no images, and the finding
// that says why.
func TestNoImages(t *testing.T) {
	text := fileText(t, "images.mqt")
	const uow = "UOWLOG( )"
	noSizes := edit(t, edit(t, without(t, text, "MQSC QM1: DISPLAY QLOCAL"), "CURFSIZE(40)", ""), "CURFSIZE(1)", "")
	history := text + ">>> HISTORY QM1: segments\nAT,KIND,LIBRARY,SEGMENT,POSITION\n" +
		"2026-05-26T00:00:00Z,media,,S0000090.LOG,\n2026-05-26T00:00:00Z,restart,,S0000103.LOG,\n" +
		"2026-05-27T00:00:00Z,media,,S0000104.LOG,\n2026-05-27T00:00:00Z,restart,,S0000128.LOG,\n"
	tests := []struct {
		name     string
		text     string
		settings map[string]any
		code     finding.Code
		says     string
	}{
		{"not wanted", text, map[string]any{"record_images": false}, "", ""},
		{"near enough", text, map[string]any{"images_when_behind": int64(27)}, finding.NoImages, "the media point is 26 extents behind the one being written, 26 of them written since it was first seen there, and they are recorded from 27 on"},
		{"most of it is that of the last images", history, map[string]any{"images_when_behind": int64(3)}, finding.NoImages, "26 extents behind the one being written, 2 of them written since"},
		{"already recorded", edit(t, text, "MEDIALOG(S0000104.LOG)", "MEDIALOG(S0000130.LOG)"), nil, finding.NoImages, "the media point is 0 extents behind"},
		{"restart point older", edit(t, text, "RECLOG(S0000128.LOG)", "RECLOG(S0000103.LOG)"), nil, finding.NoImages, "the restart point is older than the media point (S0000103.LOG,"},
		{"unit of work in the same extent", edit(t, edit(t, text, "RECLOG(S0000128.LOG)", "RECLOG(S0000104.LOG)"), uow, "UOWLOG(S0000104.LOG)"), nil,
			finding.NoImages, "the restart point is as old as the media point, and unit of work of connection A1B2C3D4"},
		{"held", text + ">>> HOLD QM1: holds\nID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n7,2026-05-20T08:00:00Z,,,S0000104.LOG,case 4711\n", nil, finding.NoImages, "hold 7 case 4711 is as old as"},
		{"something critical", without(t, text, "LOGDIR QM1: /var/mqm/log/QM1/active"), nil, finding.NoImages, "comes first"},
		{"the log is nearly full", edit(t, text, "LOGINUSE(12)", "LOGINUSE(93)"), nil, finding.NoImages, "log-filling comes first"},
		{"replicated", edit(t, edit(t, text, "LOGTYPE(LINEAR)", "LOGTYPE(REPLICATED)"), "LogType=LINEAR", "LogType=REPLICATED"), nil, finding.NoImages, "the log is REPLICATED"},
		{"no room", edit(t, text, "free 85899345920", "free 10738000000"), nil, finding.ImageWouldNotFit,
			"they write up to 55.1 MiB uncompressed (estimate); 2 queues hold messages: ORDERS.PARKED (depth 61000), ORDERS.IN (depth 12); 10.0 GiB are free, 10.0 GiB of that are to stay free"},
		{"no room, more to be left", text, map[string]any{"images_leave_free": int64(80)}, finding.ImageWouldNotFit, "80.0 GiB of that are to stay free"},
		{"depths not told", without(t, text, "MQSC QM1: DISPLAY QSTATUS"), nil, finding.ImageSizeUnknown, "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := planImages(t, test.text, 1, test.settings)
			found := imageFindings(plan)
			if plan.Again || slices.ContainsFunc(plan.Actions, func(a plugins.Action) bool { return a.Kind == plugins.KindCommand }) {
				t.Errorf("images all the same: %v", found)
			}
			if test.code == "" {
				if len(found) > 0 {
					t.Errorf("%v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Code != test.code || !strings.Contains(found[0].Text, test.says) || !strings.HasPrefix(found[0].Text, "QM1: no images: ") {
				t.Errorf("%v\nwant %s: %s", found, test.code, test.says)
			}
		})
	}
	// Without sizes of queues the extents from the media point on are a bound.
	if plan := planImages(t, noSizes, 1, nil); !plan.Again {
		t.Errorf("%v", imageFindings(plan))
	}
}

// Where the queue manager removes extents itself images help it: no number of
// ours is told.
func TestImagesForTheManager(t *testing.T) {
	plan := planImages(t, edit(t, fileText(t, "images.mqt"), "LogManagement=Manual", "LogManagement=Automatic"), 1, nil)
	found := imageFindings(plan)
	if steps(plan) != "command-1" || len(found) != 1 || found[0].Code != finding.AfterImages || !strings.Contains(found[0].Text, "the queue manager removes itself") {
		t.Errorf("%s, %v", steps(plan), found)
	}
}

// Images are confirmed on a fresh reading of the system.
func TestConfirm(t *testing.T) {
	planned := planImages(t, fileText(t, "images.mqt"), 1, nil).Actions[0]
	for file, want := range map[string]plugins.State{"images.mqt": plugins.Pending, "images_after.mqt": plugins.Done, "case24_missing.mqt": plugins.Unknown} {
		result, err := Plugin{}.Confirm(t.Context(), planned, played{openCase(t, file).Player()})
		if err != nil || result.State != want || result.Action != planned.ID {
			t.Errorf("%s: %+v, %v", file, result, err)
		}
	}
}

// With images wanted a plan under a weaker promise is bound as well.
func TestImagesUnderFastStartup(t *testing.T) {
	request := bundled[1]
	plan := planOn(t, openCase(t, "images.mqt"), request, map[string]any{"record_images": true})
	if !plan.Again || plan.Decision.Promise.Strategy != recovery.FastStartup {
		t.Fatalf("%v", imageFindings(plan))
	}
	if text := textOf(plan, finding.AfterImages); !strings.Contains(text, "at most 31") || !strings.Contains(text, "28 (") {
		t.Error(text)
	}
}
