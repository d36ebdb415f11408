package host

import (
	"context"
	"errors"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// told is an asker that hears of what was refused.
type told struct{ refused []*observe.Refused }

func (*told) Ask(context.Context, observe.Question) (observe.Answer, error) {
	return observe.Answer{}, errors.New("it was asked")
}

func (a *told) Refused(r *observe.Refused) { a.refused = append(a.refused, r) }

// A command in a plan or a confirm, and one that is not word for word that of the
// action that is performed, is not sent; who answers the plugin's questions is
// told of it.
func TestCommandsThatAreNotTheActions(t *testing.T) {
	own := plugins.Command{Language: observe.CL, QueueManager: "Q", Text: "CHGJRN JRN(A/B)"}
	for name, test := range map[string]struct {
		performs bool
		command  plugins.Command
		sent     int
	}{
		"in a plan":          {false, own, 0},
		"its own":            {true, own, 1},
		"in other words":     {true, plugins.Command{Language: observe.CL, QueueManager: "Q", Text: "chgjrn jrn(a/b)"}, 0},
		"of another manager": {true, plugins.Command{Language: observe.CL, QueueManager: "R", Text: own.Text}, 0},
		"none":               {true, plugins.Command{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			sent, asker := 0, &told{}
			d := &desk{
				plugin: "x", most: 9, asker: asker, slots: make(chan struct{}, 1), room: make(chan struct{}, 1), open: map[uint64]context.CancelFunc{},
				send: func(*wire.FromHost) error { return nil },
			}
			if test.performs {
				d.command = own
				d.do = func(context.Context, plugins.Command) (observe.Answer, error) { sent++; return observe.Answer{}, nil }
			}
			c := test.command
			err := d.perform(t.Context(), &wire.Do{Id: 1, Command: &wire.Command{Language: string(c.Language), QueueManager: c.QueueManager, Text: c.Text}})
			d.close()
			if err != nil || sent != test.sent || len(asker.refused) != 1-test.sent {
				t.Errorf("%v: sent %d times, told of %v", err, sent, asker.refused)
			}
		})
	}
}
