package plugintest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// ask answers a question, as a host does.
func (c *call) ask(ctx context.Context, id uint64, question observe.Question) {
	c.answer(ctx, id, func(ctx context.Context) (observe.Answer, error) {
		if why := objection(c.description, question); why != "" {
			refused := &observe.Refused{Question: question, Why: why}
			if told, ok := c.asker.(Refuser); ok {
				told.Refused(refused)
			}
			return observe.Answer{}, refused
		}
		if c.asker == nil {
			return observe.Answer{}, &observe.NotAnswered{Question: question}
		}
		return c.asker.Ask(ctx, question)
	})
}

// objection says why a question is not passed on; empty: it is.
func objection(description plugins.Description, question observe.Question) string {
	if !slices.Contains(description.Languages, question.Language) {
		return fmt.Sprintf("plugin %s does not say of itself that it asks in %s", description.Name, question.Language)
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

// perform sends the action's command, if it is that.
func (c *call) perform(ctx context.Context, id uint64, command plugins.Command) {
	c.answer(ctx, id, func(ctx context.Context) (observe.Answer, error) {
		if c.do == nil || command == (plugins.Command{}) || command != c.command {
			question := observe.Question{Language: command.Language, QueueManager: command.QueueManager, Text: command.Text}
			return observe.Answer{}, &observe.Refused{Question: question, Why: "it is not the command of the action that is performed"}
		}
		return c.do(ctx, command)
	})
}

func (c *call) answer(ctx context.Context, id uint64, get func(context.Context) (observe.Answer, error)) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.open[id] = cancel
	c.mu.Unlock()
	c.answering.Go(func() {
		answer, err := get(ctx)
		cancelled := ctx.Err() != nil
		c.cancel(id)
		if cancelled {
			return // nobody waits
		}
		for _, part := range wire.EncodeAnswer(id, answer, err) {
			c.send(part)
		}
	})
}

// cancel ends the answering of a question, if it is open.
func (c *call) cancel(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.open[id]; ok {
		cancel()
		delete(c.open, id)
	}
}

// level is the lowest level that somebody listens to.
func (c *call) level(ctx context.Context) int32 {
	for level := slog.LevelDebug; level <= slog.LevelError; level += 4 {
		if c.events.Log != nil && c.events.Log.Enabled(ctx, level) {
			return int32(level)
		}
	}
	return int32(slog.LevelError) + 4
}
