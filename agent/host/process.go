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
)

// Process is a plugin that runs. Its calls may be made concurrently; each
// ends with the earlier of its context and the call limit.
type Process struct {
	source   Source
	settings Settings
	binary   binary
	dir      string
	owner    *flock.Flock // of dir
	log      *stderrLog
	client   *goplugin.Client
	child    atomic.Pointer[child] // there as soon as go-plugin wants to start it

	launching sync.WaitGroup
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

// stop gives the process so long to end by itself. The library's Kill knows
// no bound on a process that hangs or is stopped, so it has a goroutine.
func (p *Process) stop(patience time.Duration) error {
	p.end(ErrStopped)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		p.launching.Wait()
		if p.client != nil {
			p.client.Kill()
		}
	}()
	within(patience, gone)
	c := p.child.Load()
	if c != nil {
		c.killGroup()
	}
	var err error
	if !within(killLimit, gone) {
		err = fmt.Errorf("plugin %s: its process does not end though it was killed", p.source.Name)
	}
	if c != nil {
		c.ended(drainLimit)
		c.letGo()
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
