package sim

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
)

// Ended is a control command that came to its end.
type Ended struct {
	Out, Err []byte // standard output and standard error
	Code     int
}

// machine is a system that has control commands.
type machine interface {
	// run carries out a control command.
	run(ctx context.Context, argv []string, stdin []byte) Ended
	// dataRoot gives the real path of the folder of mqs.ini.
	dataRoot() string
	// room gives size and free bytes of its file system, where it has a limit.
	room() (size, free int64, limited bool)
}

// Site is a system that has control commands. Its methods are for one goroutine
// at a time, but for those that say otherwise.
type Site struct {
	estate  *Estate
	system  *system
	machine machine
}

// Site gives the system of a queue manager, also of one whose files can't be
// read: its control commands say so.
func (e *Estate) Site(queueManager string) (Site, error) {
	s, _, err := e.find(queueManager)
	if l, ok := e.lostOf(queueManager); ok {
		s, err = l.system, nil
	}
	if err != nil {
		return Site{}, err
	}
	m, ok := s.platform.(machine)
	if !ok {
		return Site{}, fmt.Errorf("%w: %s is on a system without control commands: %s", ErrUsage, queueManager, e.platformOf(s))
	}
	return Site{e, s, m}, nil
}

// SiteNamed gives a system that has control commands by its own name; without
// one the only one there is.
func (e *Estate) SiteNamed(name string) (Site, error) {
	var found []Site
	var names []string
	for _, s := range e.systems {
		if m, ok := s.platform.(machine); ok && (name == "" || s.name == name) {
			found, names = append(found, Site{e, s, m}), append(names, s.name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Site{}, fmt.Errorf("%w: say which system it is for, of %s", ErrUsage, strings.Join(names, ", "))
	case name != "":
		return Site{}, fmt.Errorf("%w: the estate has no system %q with control commands", ErrUsage, name)
	default:
		return Site{}, fmt.Errorf("%w: the estate has no system with control commands", ErrUsage)
	}
}

// SiteOf gives the system that a control command is for where none is said: that
// of the queue manager which it names, else the only one there is.
func (e *Estate) SiteOf(argv []string) (Site, error) {
	name := managerOf(argv)
	if site, err := e.Site(name); err == nil {
		return site, nil
	}
	site, err := e.SiteNamed("")
	if err != nil && name != "" {
		return Site{}, fmt.Errorf("no system has queue manager %s: %w", name, err)
	}
	return site, err
}

// managerOf gives the queue manager that a control command names: behind -m,
// or as its operand, which stands last; empty: none.
func managerOf(argv []string) string {
	if len(argv) < 2 {
		return ""
	}
	last := argv[len(argv)-1]
	switch path.Base(argv[0]) {
	case "strmqm", "endmqm", "dltmqm", "dspmqinf", "runmqsc":
		if strings.HasPrefix(last, "-") {
			return ""
		}
		return last
	}
	for i, arg := range argv[1:] {
		if value, ok := strings.CutPrefix(arg, "-m"); ok && value != "" {
			return value
		} else if ok && i+2 < len(argv) {
			return argv[i+2]
		}
	}
	return ""
}

// Control carries out a control command, such as runmqsc or rcdmqimg. It takes
// two seconds of the estate's time. An exit code is no error; after an error
// nobody knows what came of the command.
func (s Site) Control(ctx context.Context, argv []string, stdin []byte) (Ended, error) {
	ended := s.machine.run(ctx, argv, stdin)
	return ended, s.estate.pass(ctx)
}

// Display carries out a control command that only shows something ([Shows]);
// others are [ErrUsage]. It takes no time, and works in an estate that is only
// looked at.
func (s Site) Display(ctx context.Context, argv []string, stdin []byte) (Ended, error) {
	if !Shows(argv, stdin) {
		return Ended{}, fmt.Errorf("%w: %s does more than show something", ErrUsage, strings.Join(argv, " "))
	}
	return s.machine.run(ctx, argv, stdin), nil
}

// Run is [Site.Display] for a command that only shows something, and
// [Site.Control] for others.
func (s Site) Run(ctx context.Context, argv []string, stdin []byte) (Ended, error) {
	if Shows(argv, stdin) {
		return s.Display(ctx, argv, stdin)
	}
	return s.Control(ctx, argv, stdin)
}

// ControlCommands gives the names of the control commands that there are.
func ControlCommands() []string {
	return []string{
		"crtmqm", "strmqm", "endmqm", "dltmqm", "dspmq", "dspmqinf", "dspmqver", "dspmqfls", "dspmqtrn", "rsvmqtrn",
		"rcdmqimg", "rcrmqobj", "migmqlog", "dmpmqlog", "dmpmqcfg", "runmqsc",
	}
}

// Name gives the name of the system.
func (s Site) Name() string { return s.system.name }

// DataRoot gives the real path of the folder of mqs.ini.
func (s Site) DataRoot() string { return s.machine.dataRoot() }

// Now gives what the system's clock shows. It is safe for concurrent use.
func (s Site) Now() time.Time { return s.system.clock.Now() }

// Room gives size and free bytes of the system's file system, where it has a
// limit. It is safe for concurrent use.
func (s Site) Room() (size, free int64, limited bool) { return s.machine.room() }

// Control is [Site.Control] on the system of a queue manager.
func (e *Estate) Control(ctx context.Context, queueManager string, argv []string, stdin []byte) (Ended, error) {
	site, err := e.Site(queueManager)
	if err != nil {
		return Ended{}, err
	}
	return site.Control(ctx, argv, stdin)
}
