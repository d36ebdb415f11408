package journal

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
	"github.com/mqhk/mqhk/plugins/schema"
)

// textOf reads a transcript of testdata as a text.
func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// planRound plans on a transcript in a text with images wanted.
func planRound(t *testing.T, text string, round int, settings map[string]any) plugins.Plan {
	t.Helper()
	script, err := transcript.Parse("images.mqt", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{"record_images": true}
	for name, value := range settings {
		all[name] = value
	}
	config, err := schema.New(Plugin{}.Describe().Schema, all)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Plugin{}.Plan(t.Context(), plugins.Request{
		Round: round, Target: script.Targets()[0], Promise: recovery.Promise{Strategy: recovery.Conservative}, Config: config,
	}, played{script.Player()})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// imageFindings gives the findings about images.
func imageFindings(plan plugins.Plan) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(plan.Findings), func(f finding.Finding) bool {
		return !slices.Contains([]finding.Code{finding.AfterImages, finding.NoImages, finding.ImageWouldNotFit, finding.ImageSizeUnknown}, f.Code)
	})
}

// The images come before the deletes, in their order; what may go already goes
// without waiting for them.
func TestImagesFirst(t *testing.T) {
	plan := planRound(t, textOf(t, "images.mqt"), 1, nil)
	if len(plan.Actions) != 3 || !plan.Again {
		t.Fatalf("again %v, actions %+v", plan.Again, plan.Actions)
	}
	attach, record, remove := plan.Actions[0], plan.Actions[1], plan.Actions[2]
	items := []string{"journal QMQM1/AMQAJRN", "attached QMQM1/AMQA000050", "since 2026-05-21 06:00:00", "zone Europe/Berlin"}
	for _, a := range []plugins.Action{attach, record} {
		if a.Kind != plugins.KindCommand || a.Command.Language != observe.CL || a.Command.QueueManager != "QM1" || a.QueueManager != "QM1" || !slices.Equal(a.Items, items) {
			t.Errorf("%+v", a)
		}
		if class, _, err := observe.Classify(a.Command.Language, a.Command.Text); class != observe.Change || err != nil {
			t.Errorf("%s is %s, %v", a.Command.Text, class, err)
		}
	}
	if attach.ID != "command-1" || attach.Command.Text != "CHGJRN JRN(QMQM1/AMQAJRN) JRNRCV(*GEN)" || attach.Object != "QMQM1/AMQAJRN" || len(attach.After) > 0 {
		t.Errorf("%+v", attach)
	}
	if record.ID != "command-2" || record.Command.Text != "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(QM1) DSPJRNDTA(*YES)" || !slices.Equal(record.After, []string{attach.ID}) || record.Within != time.Hour {
		t.Errorf("%+v", record)
	}
	const reason = "moves the media point, which is 6 receivers behind the attached one (AMQA000044); " +
		"writes up to 27.6 MiB uncompressed (estimate); 2 queues hold messages: ORDERS.PARKED (depth 61), ORDERS.IN (depth 12); " +
		"30.0 GiB are free, 10.0 GiB of that are to stay free"
	if record.Reason != reason {
		t.Errorf("\n got %s\nwant %s", record.Reason, reason)
	}
	if remove.ID != "delete-1" || remove.Segment.Name != "AMQA000043" || len(remove.After) > 0 {
		t.Errorf("%+v", remove)
	}
	const after = "QM1: of 8 receivers at most 7 (686.4 MiB) could go after the images; 1 (98.0 MiB) may go as it is"
	if found := imageFindings(plan); len(found) != 1 || found[0] != finding.New(finding.AfterImages, after) {
		t.Errorf("%v", found)
	}
}

// In the second round there are no images, whatever became of them.
func TestSecondRound(t *testing.T) {
	for _, file := range []string{"images.mqt", "images_after.mqt"} {
		plan := planRound(t, textOf(t, file), 2, nil)
		want := map[string]string{"images.mqt": "043 delete, 044-050 keep", "images_after.mqt": "043-049 delete, 050 hold, 051 keep"}[file]
		if got := verdicts(plan); got != want || plan.Again || len(imageFindings(plan)) > 0 {
			t.Errorf("%s: again %v, %s, want %s", file, plan.Again, got, want)
		}
		if slices.ContainsFunc(plan.Actions, func(a plugins.Action) bool { return a.Kind != plugins.KindDelete }) {
			t.Errorf("%s: %+v", file, plan.Actions)
		}
	}
}

// Each row gives what has to change for there to be no images, and the finding
// that says why.
func TestNoImages(t *testing.T) {
	text := textOf(t, "images.mqt")
	without := func(block string) string {
		t.Helper()
		head, rest, ok := strings.Cut(text, ">>> "+block+"\n")
		if !ok {
			t.Fatalf("no block %s", block)
		}
		_, rest, _ = strings.Cut(rest, ">>> ")
		return head + strings.TrimSuffix(">>> "+rest, ">>> ")
	}
	noSizes := strings.ReplaceAll(strings.ReplaceAll(without("MQSC QM1: DISPLAY QLOCAL"), "CURFSIZE(20)", ""), "CURFSIZE(1)", "")
	tests := []struct {
		name     string
		text     string
		settings map[string]any
		code     finding.Code
		says     string
	}{
		{"not wanted", text, map[string]any{"record_images": false}, "", ""},
		{"near enough", text, map[string]any{"images_when_behind": int64(7)}, finding.NoImages, "the media point is 6 receivers behind the attached one, 6 of them attached since it was first seen there, and they are recorded from 7 on"},
		{"most of it is that of the last images", text + ">>> HISTORY QM1: segments\nAT,KIND,LIBRARY,SEGMENT,POSITION\n2026-05-19T22:30:00Z,media,QMQM1,AMQA000040,\n2026-05-20T22:30:00Z,media,QMQM1,AMQA000044,\n2026-05-21T03:00:00Z,media,QMQM1,AMQA000044,\n", nil,
			finding.NoImages, "6 receivers behind the attached one, 1 of them attached since"},
		{"already recorded", textOf(t, "images_after.mqt"), nil, finding.NoImages, "the media point is 0 receivers behind"},
		{"startup point older", edit(t, text, "AMQA000049QMQM1     20260521053000000", "AMQA000043QMQM1     20260519120500000"), nil, finding.NoImages, "the startup point is older than the media point (AMQA000043,"},
		{"unit of work in the same receiver", edit(t, edit(t, text, "AMQA000049QMQM1     20260521053000000", "AMQA000044QMQM1     20260519181100000"), "UOWLOG( )", "UOWLOG(AMQA000044)"), nil,
			finding.NoImages, "the startup point is as old as the media point, and unit of work of connection A1B2"},
		{"held", text + ">>> HOLD QM1: holds\nID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n7,2026-05-20T08:00:00Z,,QMQM1,AMQA000044,case 4711\n", nil, finding.NoImages, "hold 7 case 4711 is as old as"},
		{"something critical", edit(t, text, "QSYS,NO,", "QSYS,YES,"), nil, finding.NoImages, "system-deletes-receivers comes first"},
		{"a damaged object", edit(t, text, "QMQM1,QMQMMSG,AMQ7462", "QMQM1,QMQMMSG,AMQ7472,2026-05-21-07.00.00.000000,object Q1 damaged,\nQMQM1,QMQMMSG,AMQ7462"), nil, finding.NoImages, "object-damaged comes first"},
		{"no room", edit(t, text, "free 32212254720", "free 10738000000"), nil, finding.ImageWouldNotFit,
			"they write up to 27.6 MiB uncompressed (estimate); 2 queues hold messages: ORDERS.PARKED (depth 61), ORDERS.IN (depth 12); 10.0 GiB are free, 10.0 GiB of that are to stay free"},
		{"no room, more to be left", text, map[string]any{"images_leave_free": int64(30)}, finding.ImageWouldNotFit, "30.0 GiB of that are to stay free"},
		{"depths not told", without("MQSC QM1: DISPLAY QSTATUS"), nil, finding.ImageSizeUnknown, "not answered: MQSC QM1: DISPLAY QSTATUS(*) TYPE(QUEUE) ALL"},
		{"sizes not told", strings.ReplaceAll(noSizes, "AMQA000045,1,SAVED,100400", "AMQA000045,1,SAVED,"), nil, finding.ImageSizeUnknown, "neither the files of the queues (CURFSIZE) nor"},
		{"pool not told", edit(t, text, "JOURNAL_RECEIVER_ASP_NUMBER", "OTHER"), nil, finding.ImageSizeUnknown, "auxiliary storage pool is not known"},
		{"space not told", without("SPACE QM1: *SYSTEM"), nil, finding.ImageSizeUnknown, "not answered: SPACE QM1: *SYSTEM"},
		{"space not readable", edit(t, text, "free 32212254720", "free much"), nil, finding.ImageSizeUnknown, "free \"much\""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := planRound(t, test.text, 1, test.settings)
			found := imageFindings(plan)
			if plan.Again || slices.ContainsFunc(plan.Actions, func(a plugins.Action) bool { return a.Kind == plugins.KindCommand }) {
				t.Errorf("again %v, %+v", plan.Again, plan.Actions)
			}
			if test.code == "" && len(found) == 0 {
				return
			}
			if len(found) != 1 || found[0].Code != test.code || !strings.Contains(found[0].Text, test.says) {
				t.Errorf("%v\nwant %s: %s", found, test.code, test.says)
			}
		})
	}
	if plan := planRound(t, noSizes, 1, nil); !plan.Again || !strings.Contains(plan.Actions[1].Reason, "up to 798.0 MiB") {
		t.Errorf("the journal from the media point on bounds it too: %+v", plan.Actions[1])
	}
	pool := without("SPACE QM1: *SYSTEM") + ">>> SQL QM1: QSYS2.ASP_INFO\nASP_NUMBER,TOTAL_CAPACITY,TOTAL_CAPACITY_AVAILABLE\n1,100000,30000\n"
	if plan := planRound(t, pool, 1, nil); !plan.Again || !strings.Contains(plan.Actions[1].Reason, "27.9 GiB are free, 9.4 GiB of that") {
		t.Errorf("ASP_INFO tells the room too: %v", imageFindings(plan))
	}
}
