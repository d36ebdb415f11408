package host

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	goplugin "github.com/hashicorp/go-plugin"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

const (
	// lastWords is how long a plugin that seems to have died is waited for.
	lastWords = 500 * time.Millisecond
	// killLimit is how long a killed one may take to be gone.
	killLimit = time.Second
	// lastLook is how long those may take whom it began in its last moments.
	lastLook = 100 * time.Millisecond
)

// Process is a plugin that runs. Its calls may be made concurrently; each
// ends with the earlier of its context and the call limit.
type Process struct {
	source   Source
	settings Settings
	binary   binary
	dir      string
	mark     mark
	family   *family         // nil: it did not come so far
	swept    <-chan struct{} // what dead hosts left
	over     atomic.Pointer[LimitError]
	owner    *flock.Flock // of dir
	log      *stderrLog
	client   *goplugin.Client
	child    atomic.Pointer[child] // there as soon as go-plugin wants to start it

	launching sync.WaitGroup
	watching  sync.WaitGroup
	service   wire.PluginClient

	description                plugins.Description
	checks, confirms, performs bool

	life     context.Context // ends when the host stops the process
	end      context.CancelCauseFunc
	stopping sync.Once
	stopErr  error
}

// Describe gives what the plugin said of itself at its start.
func (p *Process) Describe() plugins.Description { return p.description }

// Confirms tells whether the plugin can confirm actions.
func (p *Process) Confirms() bool { return p.confirms }

// Performs tells whether the plugin can perform custom actions.
func (p *Process) Performs() bool { return p.performs }

// SHA256 gives the hash of the file that runs, in lower-case hex.
func (p *Process) SHA256() string { return p.binary.sha256 }

// Protocol gives the version of the protocol that it and this program speak
// with each other.
func (p *Process) Protocol() int { return p.client.NegotiatedVersion() }

// PID gives the number of the process.
func (p *Process) PID() int {
	c := p.child.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pid
}

// Exited is closed when the process is gone, whoever ended it.
func (p *Process) Exited() <-chan struct{} { return p.child.Load().exited }

// Stop ends the plugin: it is asked to go, and killed with all its group when
// it has not gone within the stop limit. Calls under way end with ErrStopped.
// Stop may be called again; its error says what could not be ended.
func (p *Process) Stop() error {
	p.stopping.Do(func() { p.stopErr = p.stop(p.settings.StopLimit) })
	return p.stopErr
}

// stop gives the process so long to end by itself.
func (p *Process) stop(patience time.Duration) error {
	p.end(ErrStopped)
	p.watching.Wait()
	var err error
	if p.family != nil {
		err = p.endFamily(patience)
		p.family.release()
		<-p.swept // bounded by itself
	}
	p.log.close()
	p.binary.close()
	if p.owner != nil {
		_ = p.owner.Unlock() // it is about to be removed
	}
	if p.dir != "" {
		if rmErr := os.RemoveAll(p.dir); rmErr != nil && err == nil {
			err = fmt.Errorf("removing the socket directory of plugin %s: %w", p.source.Name, rmErr)
		}
	}
	return err
}

// endFamily asks the process to end, and kills it and what it started when it
// does not. The library's Kill knows no bound on a process that hangs or is
// stopped, so it has a goroutine.
func (p *Process) endFamily(patience time.Duration) error {
	p.family.look() // while all have their parents yet
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		p.launching.Wait()
		if p.client != nil {
			p.client.Kill()
		}
	}()
	c := p.child.Load()
	if !within(patience, gone) {
		p.family.look()
		if c != nil {
			c.killGroup()
		}
		_ = p.family.end(killLimit) // before the wait: who left the group may hold the pipes
	}
	var err error
	if !within(killLimit, gone) {
		err = fmt.Errorf("plugin %s: its process does not end though it was killed", p.source.Name)
	}
	if left := p.family.end(lastLook); left != nil && err == nil { // with those of its last moments
		err = fmt.Errorf("plugin %s: %w", p.source.Name, left)
	}
	if c != nil {
		c.ended(drainLimit)
		c.letGo()
	}
	return err
}

// within waits for the channel, but no longer than limit.
func within(limit time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
