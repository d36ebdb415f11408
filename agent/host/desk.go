package host

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// Do sends the command of the action that a plugin performs.
type Do func(context.Context, plugins.Command) (observe.Answer, error)

// askersLimit is how long a call that has ended waits for askers that don't
// heed their context.
const askersLimit = time.Second

// maxOpen is how many questions of one call may wait for their turn.
const maxOpen = 1024

// desk answers the questions of one call, several at a time. The others wait
// for their turn and can be cancelled meanwhile; when too many wait the
// plugin's stream is not read until one is answered.
type desk struct {
	plugin    string
	call      string
	languages []observe.Language
	asked     int // so far; the stream's reader counts
	most      int
	asker     observe.Asker
	command   plugins.Command // that may be done
	do        Do              // nil: no command may
	send      func(*wire.FromHost) error
	slots     chan struct{} // taken by those being answered
	room      chan struct{} // taken by all that are open

	answering sync.WaitGroup
	mu        sync.Mutex
	open      map[uint64]context.CancelFunc
}

// ask begins to answer a question. Whatever goes wrong with it is the
// question's error, sent to the plugin; the error returned is that of a
// plugin that breaks the protocol, or of the context.
func (d *desk) ask(ctx context.Context, q *wire.Question) error {
	question := wire.DecodeQuestion(q)
	return d.begin(ctx, q.GetId(), func(ctx context.Context) (observe.Answer, error) {
		if why := d.objection(question); why != "" {
			return observe.Answer{}, d.refuse(question, why)
		}
		if d.asker == nil {
			return observe.Answer{}, &observe.NotAnswered{Question: question}
		}
		return d.asker.Ask(ctx, question)
	})
}

// refuse refuses what a plugin asked or sent, and tells the asker.
func (d *desk) refuse(question observe.Question, why string) error {
	refused := &observe.Refused{Question: question, Why: why}
	if told, ok := d.asker.(Refuser); ok {
		told.Refused(refused)
	}
	return refused
}

// Refuser is an asker that wants to be told of the questions that are refused
// before they get to it, and of commands that a plugin tries to send and may not:
// whoever does that is wrong or hostile.
type Refuser interface{ Refused(*observe.Refused) }

// objection says why a question is not passed on; empty: it is. The asker
// reads the text once more, as it does everybody's.
func (d *desk) objection(question observe.Question) string {
	if !slices.Contains(d.languages, question.Language) {
		return fmt.Sprintf("plugin %s does not say of itself that it asks in %s", d.plugin, clean(string(question.Language), 20))
	}
	class, _, err := observe.Classify(question.Language, question.Text)
	switch {
	case err != nil:
		return err.Error()
	case class != observe.Display:
		return fmt.Sprintf("a %s is no question", class)
	default:
		return ""
	}
}

// perform begins to send the action's command, if it is that.
func (d *desk) perform(ctx context.Context, m *wire.Do) error {
	command := wire.DecodeCommand(m.GetCommand())
	return d.begin(ctx, m.GetId(), func(ctx context.Context) (observe.Answer, error) {
		if d.do == nil || command == (plugins.Command{}) || command != d.command {
			question := observe.Question{Language: command.Language, QueueManager: command.QueueManager, Text: command.Text}
			return observe.Answer{}, d.refuse(question, "it is not the command of the action that is performed")
		}
		return d.do(ctx, command)
	})
}

func (d *desk) begin(ctx context.Context, id uint64, answer func(context.Context) (observe.Answer, error)) error {
	select {
	case d.room <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if d.asked++; d.asked > d.most {
		<-d.room
		return &LimitError{Plugin: d.plugin, Call: d.call, What: "questions", Limit: int64(d.most), Got: int64(d.asked)}
	}
	ctx, cancel := context.WithCancel(ctx)
	if !d.enter(id, cancel) {
		cancel()
		<-d.room
		return fmt.Errorf("question %d is asked while it is open", id)
	}
	d.answering.Go(func() {
		defer func() { <-d.room }()
		got, err := d.inTurn(ctx, answer)
		cancelled := ctx.Err() != nil
		d.cancel(id)
		if cancelled {
			return // nobody waits
		}
		for _, part := range wire.EncodeAnswer(id, got, err) {
			if d.send(part) != nil {
				return // the stream is gone, and its reader says so
			}
		}
	})
	return nil
}

// inTurn answers when there is a slot, unless the question was given up.
func (d *desk) inTurn(ctx context.Context, answer func(context.Context) (observe.Answer, error)) (observe.Answer, error) {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
		return answer(ctx)
	case <-ctx.Done():
		return observe.Answer{}, ctx.Err()
	}
}

func (d *desk) enter(id uint64, cancel context.CancelFunc) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.open[id]; taken {
		return false
	}
	d.open[id] = cancel
	return true
}

// cancel ends the answering of a question, if it is open.
func (d *desk) cancel(id uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cancel, ok := d.open[id]; ok {
		cancel()
		delete(d.open, id)
	}
}

// close waits for the askers; the context of the call must have ended.
func (d *desk) close() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.answering.Wait()
	}()
	within(askersLimit, done)
}
