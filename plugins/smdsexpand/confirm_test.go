package smdsexpand

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// planned gives the action by which QMBK's buffers are raised to 112.
func planned(t *testing.T) plugins.Action {
	t.Helper()
	plan := planWith(t, example(t), map[string]any{"alter_buffers": true})
	if len(plan.Actions) != 1 {
		t.Fatalf("%+v", plan.Actions)
	}
	return plan.Actions[0]
}

// A command is done when DISPLAY SMDS shows what it was to change, not when it was
// accepted.
func TestConfirm(t *testing.T) {
	const before = "SMDS(QMBK)\nCFSTRUCT(APPSTR1)\nDSBUFS(DEFAULT)"
	const question = ">>> MQSC QSG1: DISPLAY SMDS(*) CFSTRUCT(APPSTR1) ALL\n"
	text := example(t)
	tests := []struct {
		name, text string
		want       plugins.State
	}{
		{"it shows", edit(t, text, before, "SMDS(QMBK)\nCFSTRUCT(APPSTR1)\nDSBUFS(112)"), plugins.Done},
		{"it does not", text, plugins.Failed},
		{"another number", edit(t, text, before, "SMDS(QMBK)\nCFSTRUCT(APPSTR1)\nDSBUFS(110)"), plugins.Failed},
		{"not answered", edit(t, text, question, ">>> MQSC QSG1: DISPLAY SMDS(*) CFSTRUCT(OTHER) ALL\n"), plugins.Unknown},
		{"the data set is not shown", edit(t, text, before, "SMDS(QMB2)\nCFSTRUCT(APPSTR1)\nDSBUFS(112)"), plugins.Unknown},
	}
	action := planned(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			asker, _ := asking(t, test.text)
			result, err := Plugin{}.Confirm(t.Context(), action, played{asker})
			if err != nil || result.State != test.want || result.Action != action.ID || result.Evidence == "" {
				t.Errorf("%+v %v, want %s", result, err, test.want)
			}
		})
	}
}

// What it did not plan it does not confirm, and asks nothing for it.
func TestConfirmForeign(t *testing.T) {
	good := planned(t)
	tests := map[string]func(a *plugins.Action){
		"another command":        func(a *plugins.Action) { a.Command.Text = "BACKUP CFSTRUCT(APPSTR1)" },
		"another data set":       func(a *plugins.Action) { a.Command.Text = strings.Replace(a.Command.Text, "QMBK", "QMA1", 1) },
		"another value":          func(a *plugins.Action) { a.Command.Text = strings.Replace(a.Command.Text, "112", "113", 1) },
		"another kind":           func(a *plugins.Action) { a.Kind = plugins.KindAlert },
		"no items":               func(a *plugins.Action) { a.Items = nil },
		"a command that is none": func(a *plugins.Action) { a.Command.Text = "ALTER (" },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			action := good
			change(&action)
			n := &noting{asked: map[observe.Question]int{}}
			if result, err := (Plugin{}).Confirm(t.Context(), action, played{n}); err == nil || len(n.asked) > 0 {
				t.Errorf("%+v", result)
			}
		})
	}
}

// Whatever an action says, it is confirmed or refused, and no question is made of
// names that are none.
func TestConfirmAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		action := plugins.Action{
			Kind: plugins.KindCommand, Items: rapid.SliceOf(rapid.String()).Draw(t, "items"),
			Command: plugins.Command{Language: observe.MQSC, Text: rapid.String().Draw(t, "text")},
		}
		if a, err := readAltered(action); err == nil && (a.group == "" || a.structure == "" || a.owner == "") {
			t.Fatalf("%+v", a)
		}
	})
}
