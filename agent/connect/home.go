package connect

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
)

// home is the library of a target's queue manager, which a command has to be
// aimed at. It is the configured one; else the system is asked, once.
type home struct {
	target observe.Target
	read   func(context.Context) (Reader, error)

	turn    turn   // of who asks
	library string // as it was learned; empty: not yet
}

func newHome(target observe.Target, read func(context.Context) (Reader, error)) *home {
	return &home{target: target, read: read, turn: newTurn()}
}

// find gives the library; empty on other platforms, which have none. The error
// says why it can't be known.
func (h *home) find(ctx context.Context) (string, error) {
	if h.target.Platform != observe.IBMi || h.target.Library != "" {
		return h.target.Library, nil
	}
	if err := h.turn.take(ctx); err != nil {
		return "", err
	}
	defer h.turn.give()
	if h.library != "" {
		return h.library, nil
	}
	library, err := h.ask(ctx)
	if err != nil {
		return "", fmt.Errorf("the library of queue manager %s is not known: %w", h.target.Name, err)
	}
	h.library = library
	return library, nil
}

// ask finds the journal as every observation does.
func (h *home) ask(ctx context.Context) (library string, err error) {
	reader, err := h.read(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	facts, err := observe.ReadJournal(ctx, reader, h.target)
	if err != nil {
		return "", err
	}
	if facts.Journal.Library != "" {
		return facts.Journal.Library, nil
	}
	why := errors.New("its journal was not found")
	for _, f := range facts.Inventory.Open {
		why = fmt.Errorf("%w; %s", why, f.Text)
	}
	return "", why
}
