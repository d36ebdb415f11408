package connect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"sync"

	"github.com/mqhk/mqhk/core/sim"
)

// Machine gives the commands of the system that a queue manager of
// Multiplatforms is on in the estate in a folder. It opens nothing.
func (e *Estates) Machine(dir, queueManager string) Commands {
	return simulatedMachine{e.held(dir), queueManager}
}

// simulatedMachine is a system of Multiplatforms in an estate.
type simulatedMachine struct {
	*held
	queueManager string
}

// Look opens the estate only to be looked at, on a disk that refuses to be
// written; while a writer of this process has it, that one is looked at.
func (m simulatedMachine) Look(ctx context.Context) (Runner, error) {
	estate, leave, err := m.look(ctx)
	if err != nil {
		return nil, err
	}
	return m.runner(estate, leave, sim.Site.Display)
}

// Change opens the estate for this process alone, or shares it. It waits some
// seconds for others that have it open, and then gives an error that wraps
// [sim.ErrLocked].
func (m simulatedMachine) Change(ctx context.Context) (Runner, error) {
	if err := m.join(ctx); err != nil {
		return nil, err
	}
	return m.runner(m.estate, m.leave, sim.Site.Run)
}

// runner makes what runs commands in one of the two ways of a system.
func (m simulatedMachine) runner(estate *sim.Estate, leave func() error, run ran) (Runner, error) {
	site, err := estate.Site(m.queueManager)
	if err != nil {
		return nil, errors.Join(err, leave())
	}
	return &commands{turn: m.turn, Site: site, run: run, leave: sync.OnceValue(leave)}, nil
}

// ran is a way to run a control command.
type ran func(s sim.Site, ctx context.Context, argv []string, input []byte) (sim.Ended, error)

// commands are those of one system.
type commands struct {
	turn turn // of the estate
	sim.Site
	run    ran
	leave  func() error
	closed bool // used by whose turn it is
}

// Run waits for the turn: an estate does one thing at a time.
func (c *commands) Run(ctx context.Context, argv []string, input []byte) (Ended, error) {
	if err := c.turn.take(ctx); err != nil {
		return Ended{}, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	defer c.turn.give()
	if c.closed {
		return Ended{}, fmt.Errorf("%w: the connection: %w", ErrNotSent, fs.ErrClosed)
	}
	if len(argv) == 1 && argv[0] == "id" {
		return Ended{Output: []byte(whoAsks())}, nil
	}
	ended, err := c.run(c.Site, ctx, argv, input)
	if errors.Is(err, sim.ErrUsage) {
		err = fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	return Ended{Output: ended.Out, Said: ended.Err, Code: ended.Code}, err
}

// Close lets others have the estate, once no command is under way.
func (c *commands) Close() error {
	c.turn <- struct{}{}
	c.closed = true
	c.turn.give()
	return c.leave()
}

// whoAsks answers id. The files of a simulated machine belong to the user of
// this process, whom its queue managers take for a member of mqm.
func whoAsks() string {
	uid, gid := os.Getuid(), os.Getgid()
	name := strconv.Itoa(uid)
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return fmt.Sprintf("uid=%d(%s) gid=%d groups=%d,1414(%s)\n", uid, name, gid, gid, administrators)
}
