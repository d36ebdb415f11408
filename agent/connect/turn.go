package connect

import "context"

// turn lets one at a time do something. Unlike with a mutex, nobody waits
// longer than his context lasts.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn; the error is that of the context.
func (t turn) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) give() { <-t }
