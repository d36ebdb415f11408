package journal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// confirmOn asks whether an action of a plan on images.mqt has been done, on a
// system that is now as a text says.
func confirmOn(t *testing.T, text string, n int) plugins.Result {
	t.Helper()
	script, err := transcript.Parse("now.mqt", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	action := planRound(t, textOf(t, "images.mqt"), 1, nil).Actions[n]
	result, err := Plugin{}.Confirm(t.Context(), action, played{script.Player()})
	if err != nil || result.Action != action.ID {
		t.Fatalf("%+v, %v", result, err)
	}
	return result
}

// A command is confirmed by what the system shows, never by its acceptance
// (case 11).
func TestConfirm(t *testing.T) {
	const attach, record = 0, 1
	planned, after := textOf(t, "images.mqt"), textOf(t, "images_after.mqt")
	changed := edit(t, edit(t, edit(t, after, // CHGJRN alone
		"QMQM1,QMQMMSG,AMQ7460,2026-05-21-12.10.00.200000,journal information,AMQA000051QMQM1     20260521120900000\n", ""),
		"QMQM1,QMQMMSG,AMQ7462,2026-05-21-12.10.00.210000,journal information,AMQA000051QMQM1     20260521120100000\n", ""),
		"AMQA000051QMQM1     20260521120100000", "AMQA000044QMQM1     20260519181000000")
	ended := func(text string) string { return edit(t, text, "STATUS(RUNNING)", "STATUS(ENDING)") }
	tests := []struct {
		name   string
		text   string
		action int
		state  plugins.State
		says   string
	}{
		{"nothing yet", planned, attach, plugins.Pending, "QMQM1/AMQA000050 is attached since 2026-05-21 06:00:00"},
		{"another is attached", changed, attach, plugins.Done, "QMQM1/AMQA000051 is attached since 2026-05-21 12:00:30"},
		{"another is attached, and the old one has gone", strings.Replace(edit(t, changed, "NO,9,0", "NO,1,0"), changed[strings.Index(changed, "QMQM1,AMQA000043,1"):strings.Index(changed, "QMQM1,AMQA000051,1")], "", 1),
			attach, plugins.Done, "QMQM1/AMQA000051"},
		{"the images are not there yet", changed, record, plugins.Pending, "the media point is in AMQA000044 (AMQ7462 in QMQM1/QMQMMSG"},
		{"the point moved by itself, and not far enough", edit(t, edit(t, changed, "AMQA000044QMQM1     20260519181000000\n>>>", "AMQA000049QMQM1     20260521011000000\n>>>"),
			"AMQA000044QMQM1     20260519181000000", "AMQA000049QMQM1     20260521011000000"), record, plugins.Pending, "the media point is in AMQA000049"},
		{"the images are there", after, record, plugins.Done, "the media point is in AMQA000051 (AMQ7462 in QMQM1/QMQMMSG, sent 2026-05-21 12.10.00)"},
		{"the images begin in the second of the attach", strings.ReplaceAll(after, "20260521120100000", "20260521120030000"), record, plugins.Done, "AMQA000051"},
		{"the images are there, and it ended", ended(after), record, plugins.Done, "AMQA000051"},
		{"it ended before", ended(changed), record, plugins.Failed, "STATUS(ENDING)"},
		{"it ended before the change", ended(planned), attach, plugins.Failed, "STATUS(ENDING)"},
		{"nobody answers", ">>> QMGR QM1 ibmi\n", record, plugins.Unknown, "nobody answered"},
		{"journaling stopped", changed + ">>> SQL QM1: QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QSYS' MESSAGE_QUEUE_NAME='QSYSOPR'\nMESSAGE_QUEUE_LIBRARY,MESSAGE_QUEUE_NAME,MESSAGE_ID,MESSAGE_TYPE,MESSAGE_TIMESTAMP,MESSAGE_TEXT,MESSAGE_KEY\n" +
			"QSYS,QSYSOPR,CPA7090,INQUIRY,2026-05-21-12.05.00,Entry not journaled to journal AMQAJRN in QMQM1. Reason code 1.,0001\n", record, plugins.Pending, "CPA7090"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := confirmOn(t, test.text, test.action)
			if got.State != test.state || !strings.Contains(got.Evidence, test.says) || (got.After == points.AskAgain) != (test.state == plugins.Pending) {
				t.Errorf("%+v, want %s: %s", got, test.state, test.says)
			}
		})
	}
}

// Only commands of the plugin, with what it gave them, are confirmed.
func TestConfirmRefuses(t *testing.T) {
	good := planRound(t, textOf(t, "images.mqt"), 1, nil).Actions[1]
	for name, change := range map[string]func(*plugins.Action){
		"a delete":         func(a *plugins.Action) { a.Kind = plugins.KindDelete },
		"another command":  func(a *plugins.Action) { a.Command.Text = "DLTJRNRCV JRNRCV(QMQM1/AMQA000043)" },
		"no command":       func(a *plugins.Action) { a.Command.Text = "" },
		"no items":         func(a *plugins.Action) { a.Items = nil },
		"no time":          func(a *plugins.Action) { a.Items = slices.Delete(slices.Clone(a.Items), 2, 3) },
		"no time that is":  func(a *plugins.Action) { a.Items = append(slices.Clone(a.Items), "since yesterday") },
		"no receiver":      func(a *plugins.Action) { a.Items = slices.Delete(slices.Clone(a.Items), 1, 2) },
		"a bare receiver":  func(a *plugins.Action) { a.Items = append(slices.Clone(a.Items), "attached AMQA000050") },
		"an empty library": func(a *plugins.Action) { a.Items = append(slices.Clone(a.Items), "journal /AMQAJRN") },
	} {
		action := good
		change(&action)
		if result, err := (Plugin{}).Confirm(t.Context(), action, played{nobody{}}); err == nil || !strings.Contains(err.Error(), action.ID) {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Plugin{}).Confirm(ctx, good, played{nobody{}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// nobody answers nothing.
type nobody struct{}

func (nobody) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	return observe.Answer{}, &observe.NotAnswered{Question: q}
}

// What is noted in an action is read again as it was.
func TestBeforeReadsWhatItWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Z$#@][A-Z0-9_.$#@]{0,9}`)
		id := func(label string) recovery.SegmentID {
			return recovery.SegmentID{Library: name.Draw(t, label+" library"), Name: name.Draw(t, label)}
		}
		since := observe.LocalStamp(time.Unix(rapid.Int64Range(1e9, 2e9).Draw(t, "since"), 0).UTC())
		b := before{journal: id("journal"), receiver: id("receiver"), since: since.String(), zone: rapid.SampledFrom([]string{"", "Europe/Berlin"}).Draw(t, "zone")}
		got, err := readBefore(b.items())
		if err != nil || got != b {
			t.Fatalf("%+v is read as %+v, %v", b, got, err)
		}
	})
}

// Items come back from a ledger, so anything may stand in them.
func FuzzReadBefore(f *testing.F) {
	f.Add("journal QMQM1/AMQAJRN\nattached QMQM1/AMQA000050\nsince 2026-05-21 06:00:00\nzone Europe/Berlin")
	f.Add("journal a\nattached /\nsince")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := readBefore(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		if again, err := readBefore(b.items()); err != nil || again != b {
			t.Errorf("%+v is read as %+v, %v", b, again, err)
		}
	})
}
