package schedule

import "time"

// slack is how late a firing may start and still be on time: the clock is
// read at least every [tick].
const slack = 2 * tick

// listed is how many missed firings are reported one by one.
const listed = 1000

// waiting is an entry in the loop.
type waiting struct {
	Entry
	handled time.Time // At of the last firing that was dealt with, or a moment before the first
	next    *Due      // the one to wait for; nil: none ever comes
	past    memory
	running bool
	queued  *Due // starts when the run has ended
}

// newWaiting gives an entry its place in time. Without a last firing nothing
// before now was missed; one that only waits for its jitter still starts.
func newWaiting(e Entry, now time.Time) *waiting {
	w := &waiting{Entry: e, handled: e.Last}
	switch {
	case e.Last.IsZero():
		w.handled = now.Add(-e.Jitter)
		w.look()
		for w.next != nil && w.next.Start.Before(now) {
			w.handled = w.next.Firing.At
			w.look()
		}
	case e.Last.After(now): // the clock was set back while nothing was running
		w.handled = now
	}
	w.look()
	return w
}

// setBack lets the hours come again that the clock was set back by.
func (w *waiting) setBack(now time.Time) {
	if w.handled.After(now) {
		w.handled = now
	}
	w.look()
}

// look finds the firing to wait for.
func (w *waiting) look() {
	w.next = nil
	for {
		f, ok := w.Schedule.Next(w.handled)
		if !ok {
			return
		}
		if again, ok := w.past.again(f, w.repeats()); ok {
			due := w.due(again)
			w.next = &due
			return
		}
		w.handled = f.At
	}
}

func (w *waiting) repeats() bool { return w.Schedule.rule.repeats() }

// take gives the firings that are due, oldest first, and goes on to the next
// one. The last that is past may still wait for its jitter.
func (w *waiting) take(now time.Time) (due []Due, more bool) {
	if w.next == nil || w.next.Start.After(now) {
		return nil, false
	}
	missed, more := w.Schedule.Missed(w.handled, now, listed)
	for _, f := range missed {
		again, ok := w.past.again(f, w.repeats())
		if ok {
			d := w.due(again)
			if d.Start.After(now) {
				break
			}
			due = append(due, d)
		}
		w.handled = f.At
	}
	w.look()
	return due, more
}
