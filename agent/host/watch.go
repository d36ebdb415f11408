package host

import (
	"time"
)

// watchEvery is how often a plugin's memory is looked at. What grows faster
// than that can be is the system's to bound (ulimit, systemd's MemoryMax).
const watchEvery = 200 * time.Millisecond

// watch ends the plugin when it has more memory than it may. Each look also
// notes what it started, while it can be seen whose that is.
func (p *Process) watch() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.life.Done():
			return
		case <-ticker.C:
		}
		got := p.family.memory()
		if got <= p.settings.MaxMemory {
			continue
		}
		p.over.Store(&LimitError{Plugin: p.source.Name, What: "bytes of resident memory", Limit: p.settings.MaxMemory, Got: got})
		if c := p.child.Load(); c != nil {
			c.killGroup()
		}
		_ = p.family.end(killLimit) // Stop says what could not be ended
		return
	}
}
