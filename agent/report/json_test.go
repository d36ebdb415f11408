package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/ledger"
)

// What a program reads is the record itself, nothing less.
func TestJSONHoldsTheRecord(t *testing.T) {
	for name, build := range records {
		want := build()
		Normalise(&want)
		var got ledger.Record
		if err := json.Unmarshal([]byte(render(t, build(), Options{Format: JSON})), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestJSONHasNoNullListAndNoHTMLEscapes(t *testing.T) {
	r := ledger.Record{Targets: []ledger.Target{{
		Name: "A<B>&C", Objects: []ledger.Object{{}}, Actions: []ledger.Action{{}}, Pictures: []ledger.Picture{{}},
	}}}
	text := render(t, r, Options{Format: JSON})
	for _, l := range strings.Split(text, "\n") {
		known := strings.Contains(l, `"restart": null`) || strings.Contains(l, `"media": null`)
		if strings.Contains(l, "null") && !known {
			t.Errorf("null in %q", l)
		}
	}
	if !strings.Contains(text, `"A<B>&C"`) || !strings.Contains(text, `"schema": "mqhk.report/v1"`) {
		t.Errorf("got %s", text)
	}
}

// Two runs over the same observations differ only in run.
func TestJSONDiffersOnlyInRun(t *testing.T) {
	a, b := sideBySide(), sideBySide()
	b.Run = ledger.Run{ID: "another"}
	one, two := render(t, a, Options{Format: JSON}), render(t, b, Options{Format: JSON})
	cut := func(text string) string {
		before, rest, _ := strings.Cut(text, `  "run": {`)
		_, after, _ := strings.Cut(rest, "\n  },\n")
		return before + after
	}
	if one == two || cut(one) != cut(two) {
		t.Error("records that differ in run only should give JSON that differs in run only")
	}
}

func TestJSONEscapesWhatATerminalActsOn(t *testing.T) {
	name := "A\u009b31m\u202eB\x7f\U000e0041"
	text := render(t, ledger.Record{Targets: []ledger.Target{{Name: name}}}, Options{Format: JSON})
	if !strings.Contains(text, `A\u009b31m\u202eB\u007f\udb40\udc41`) {
		t.Errorf("got %s", text)
	}
	var back ledger.Record
	if err := json.Unmarshal([]byte(text), &back); err != nil || back.Targets[0].Name != name {
		t.Errorf("read back %q, %v", back.Targets[0].Name, err)
	}
}

// A renderer that changed the record would change what another one shows.
func TestWriteChangesNothing(t *testing.T) {
	for name, build := range records {
		r, want := build(), build()
		for _, f := range []Format{Text, JSON, Markdown, Script} {
			render(t, r, Options{Format: f})
		}
		if !reflect.DeepEqual(r, want) {
			t.Errorf("%s was changed: %s", name, cmp.Diff(want, r))
		}
	}
}
