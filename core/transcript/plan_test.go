package transcript

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// facts gives what a plan is made from, and the verdicts, as text.
func facts(t *testing.T, transcript *Transcript) string {
	t.Helper()
	target := transcript.Targets()[0]
	got, err := observe.ReadJournal(t.Context(), transcript.Player(), target)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Inventory.Segments) == 0 || len(got.Inventory.Needs) == 0 {
		t.Fatalf("nothing to plan: %+v", got.Inventory.Open)
	}
	decision := recovery.Decide([]recovery.Inventory{got.Inventory}, recovery.Promise{Strategy: recovery.Conservative})
	return fmt.Sprintf("%+v\n%+v", got.Inventory, decision)
}

// reason is what an operator wrote with a hold: free text, which is blanked.
var reason = regexp.MustCompile(`hold 7 [^})]*`)

// TestAnonymisedPlanIsThePlanRenamed: what is observed and decided is the same
// but for the names.
func TestAnonymisedPlanIsThePlanRenamed(t *testing.T) {
	for _, path := range []string{"testdata/orders.mqt", "../collector/testdata/orders.mqt", "../../examples/orders.mqt"} {
		first, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		second := anonymised(t, first)
		got := strings.ReplaceAll(facts(t, second), second.Targets()[0].Name, first.Targets()[0].Name)
		if diff := cmp.Diff(reason.ReplaceAllString(facts(t, first), ""), reason.ReplaceAllString(got, "")); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// TestRecordedPlanIsThePlan: what was recorded while a plan was made is all
// that it needs.
func TestRecordedPlanIsThePlan(t *testing.T) {
	first := orders(t)
	r := NewRecorder(first.Player(), first.Targets())
	if _, err := observe.ReadJournal(t.Context(), r, first.Targets()[0]); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again", strings.NewReader(written(t, r.Transcript())), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(facts(t, first), facts(t, again)); diff != "" {
		t.Error(diff)
	}
}
