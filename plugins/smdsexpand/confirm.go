package smdsexpand

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// The words that the items of an action begin with.
const (
	itemGroup     = "group"
	itemStructure = "structure"
	itemOwner     = "owner"
	itemAttribute = "attribute"
	itemValue     = "value"
)

// altered is what an action was to change.
type altered struct{ group, structure, owner, attribute, value string }

// errForeign says that an action is none of this plugin's.
var errForeign = errors.New("it is no command of this plugin")

// readAltered reads the items of an action, which must be those of its command.
func readAltered(action plugins.Action) (altered, error) {
	values := points.ReadItems(action.Items)
	a := altered{values[itemGroup], values[itemStructure], values[itemOwner], values[itemAttribute], values[itemValue]}
	command, err := mqsc.ParseCommand(action.Command.Text)
	if err != nil {
		return a, err
	}
	is := func(keyword, value string) bool {
		got, ok := command.Get(keyword)
		return ok && value != "" && len(got) == 1 && strings.EqualFold(got[0], value)
	}
	if action.Kind != plugins.KindCommand || command.Verb != "ALTER" || !is("SMDS", a.owner) || !is("CFSTRUCT", a.structure) || !is(a.attribute, a.value) ||
		!mqName.MatchString(a.structure) || !mqName.MatchString(a.group) {
		return a, errForeign
	}
	return a, nil
}

// Confirm tells whether a command of [Plugin.Plan] has done what it is for, by
// what DISPLAY SMDS shows. It works from the action alone: of a run that died
// nothing else is left.
func (p Plugin) Confirm(ctx context.Context, action plugins.Action, host plugins.Host) (plugins.Result, error) {
	a, err := readAltered(action)
	if err != nil {
		return plugins.Result{}, fmt.Errorf("confirming %s: %w", action.ID, err)
	}
	result := plugins.Result{Action: action.ID, State: plugins.Unknown}
	answer, err := host.Ask(ctx, observe.Question{Language: observe.MQSC, QueueManager: a.group, Text: "DISPLAY SMDS(*) CFSTRUCT(" + a.structure + ") ALL"})
	if ctx.Err() != nil {
		return plugins.Result{}, ctx.Err()
	}
	if err != nil {
		result.Evidence = err.Error()
		return result, nil //nolint:nilerr // the outcome is unknown, and says why
	}
	answered, err := mqsc.ParseReplies(answer.Body)
	if err != nil {
		result.Evidence = err.Error()
		return result, nil //nolint:nilerr // likewise
	}
	shown, ok := a.shown(answered)
	result.Evidence = fmt.Sprintf("SMDS(%s) CFSTRUCT(%s) shows %s(%s)", a.owner, a.structure, a.attribute, shown)
	switch {
	case !ok:
		result.Evidence = "no answer shows the data set"
	case strings.EqualFold(shown, a.value):
		result.State = plugins.Done
	default:
		result.State = plugins.Failed // the command is carried out before it is answered
	}
	return result, nil
}

// shown gives the attribute as it is now.
func (a altered) shown(answered mqsc.Answered) (string, bool) {
	for _, reply := range answered.Replies {
		for _, o := range reply.Objects {
			owner, _ := o.Get("SMDS")
			structure, printed := o.Get("CFSTRUCT")
			if strings.EqualFold(owner, a.owner) && (!printed || strings.EqualFold(structure, a.structure)) {
				return o.Get(a.attribute)
			}
		}
	}
	return "", false
}
