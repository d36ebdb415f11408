package engine

import (
	"bytes"
	"context"
	"maps"
)

// Note writes a passing record, such as that the queue manager was started: a
// dump of the log shows it, nothing else looks at it, and nobody waits for it
// to be durable.
func (e *Engine) Note(ctx context.Context, kind string, text []byte) error {
	_, err := e.change(ctx, func() (*record, error) {
		return &record{kind: recNote, key: kind, value: text}, nil
	}, func(Mark) {})
	return err
}

// Keep makes the engine remember what a coordinator of units of work must not
// forget. It is durable when Keep returns, and there at every start until it is
// dropped. A value that the key had is replaced.
func (e *Engine) Keep(ctx context.Context, key string, value []byte) error {
	value = bytes.Clone(value)
	return e.logged(ctx, func() (*record, error) {
		return &record{kind: recKeep, key: key, value: value}, nil
	}, func(Mark) { e.kept[key] = value })
}

// Drop makes the engine forget what was kept. A key that is not there is no
// error, and no record.
func (e *Engine) Drop(ctx context.Context, key string) error {
	return e.logged(ctx, func() (*record, error) {
		if _, ok := e.kept[key]; !ok {
			return nil, nil
		}
		return &record{kind: recDrop, key: key}, nil
	}, func(Mark) { delete(e.kept, key) })
}

// Kept gives what is kept.
func (e *Engine) Kept() map[string][]byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	kept := maps.Clone(e.kept)
	for key, value := range kept {
		kept[key] = bytes.Clone(value)
	}
	return kept
}
