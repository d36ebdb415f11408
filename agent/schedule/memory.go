package schedule

import (
	"fmt"
	"time"
)

// remembered is how many runs of an entry are known again after the clock was
// set back: three years of a nightly run, seventeen hours of one each minute.
const remembered = 1024

// memory knows the latest runs of an entry by their moment. A clock that is
// set back makes hours come again, and they are treated as a doubled hour is:
// with fixed hours nothing is done twice; on elapsed time it is, under a key
// of its own. (In the cron library nothing ran for as long as the clock was
// set back: its issue 480.)
type memory struct {
	times map[int64]int // how often, by Unix seconds
	order []int64       // oldest first
}

// note remembers a run.
func (m *memory) note(at time.Time) {
	if m.times == nil {
		m.times = make(map[int64]int)
	}
	second := at.Unix()
	if m.times[second]++; m.times[second] > 1 {
		return
	}
	if m.order = append(m.order, second); len(m.order) > remembered {
		delete(m.times, m.order[0])
		m.order = m.order[1:]
	}
}

// again gives a firing as it is to be done now; false where it was done and
// is not repeated.
func (m *memory) again(f Firing, repeats bool) (Firing, bool) {
	times := m.times[f.At.Unix()]
	if times == 0 {
		return f, true
	}
	f.Key = fmt.Sprintf("%s#%d", f.Key, times+1)
	return f, repeats
}
