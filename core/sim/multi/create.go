package multi

import (
	"errors"
	"fmt"
	"path"
	"strconv"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// parents are the folders below which a queue manager has its data and its log
// in one of its own; empty: those of the installation and of mqs.ini.
type parents struct{ data, log string }

// place chooses the folders of a queue manager that its specification leaves
// open: both of one name, which no other queue manager's folder has ("IBM MQ file
// names").
func (h *Host) place(spec *qmgr.Spec, below parents, ini machineIni) error {
	if below.data == "" {
		below.data = dataFolder + "/qmgrs"
	}
	if below.log == "" {
		var err error
		if below.log, err = h.logDefaultPath(ini); err != nil {
			return err
		}
	}
	directory, err := qmgr.DirectoryFor(spec.Name, func(name string) bool {
		return h.isFolder(path.Join(below.data, name)) || h.isFolder(path.Join(below.log, name))
	})
	if err != nil {
		return err
	}
	if spec.DataDir == "" {
		spec.DataDir = path.Join(below.data, directory)
	}
	if spec.LogDir == "" {
		spec.LogDir = path.Join(below.log, directory)
	}
	for _, folder := range []string{spec.DataDir, spec.LogDir} {
		if h.isFolder(folder) { // what is in it is somebody's
			return fmt.Errorf("%w: %s", qmgr.ErrExists, h.real(folder))
		}
	}
	return nil
}

// isFolder tells whether a folder is there, empty or not.
func (h *Host) isFolder(name string) bool {
	if names, err := h.disk.List(name); err != nil || len(names) > 0 {
		return err == nil
	}
	f, err := h.disk.Open(name) // a disk in memory lists any folder, and has none
	if err != nil {
		return errors.Is(err, disk.ErrNotRegular)
	}
	_ = f.Close() // nothing was read
	return true
}

// logFlags are the kinds of log that crtmqm makes (reference, Multiplatforms
// 1.2 item 10; what -lla and -lln mean is from memory).
var logFlags = map[string]extents.Settings{
	"lc":  {Kind: extents.Circular},
	"ll":  {Kind: extents.Linear, Management: extents.Manual},
	"lla": {Kind: extents.Linear, Management: extents.Automatic},
	"lln": {Kind: extents.Linear, Management: extents.Archive},
}

// crtmqm makes a queue manager.
func crtmqm(c *call) int {
	name, ok := c.single()
	if !ok || name == "" {
		return c.wrong("crtmqm takes the name of a queue manager")
	}
	if oa := c.flags.value("oa"); c.flags.has("oa") && oa != "group" && oa != "user" {
		return c.wrong("-oa %s: group or user", oa)
	}
	attributes, err := c.managerAttributes()
	if err != nil {
		return c.wrong("%v", err)
	}
	spec := qmgr.Spec{Name: name, DeadQ: c.flags.value("u"), Attributes: attributes}
	kinds := c.flags.among("lc", "ll", "lla", "lln")
	if len(kinds) > 1 {
		return c.wrong("only one of -lc, -ll, -lla and -lln")
	}
	for _, kind := range kinds {
		if len(kind) == 3 && !c.level.AtLeast(9, 0, 2) {
			return c.wrong("-%s is no flag of this command", kind)
		}
		spec.Log = logFlags[kind]
	}
	for flag, to := range map[string]*int{"lf": &spec.Log.FilePages, "lp": &spec.Log.Primary, "ls": &spec.Log.Secondary} {
		if !c.flags.has(flag) {
			continue
		}
		n, err := strconv.Atoi(c.flags.value(flag))
		if err != nil || n <= 0 {
			return c.wrong("-%s %s is no number of log files or pages", flag, c.flags.value(flag))
		}
		*to = n
	}
	below, err := c.parents()
	if err != nil {
		fmt.Fprintln(&c.err, err)
		return badLogLocation
	}
	return c.created(spec, below)
}

// managerFlags are the attributes of the queue manager that crtmqm sets.
var managerFlags = map[string]string{"c": "DESCR", "d": "DEFXMITQ", "h": "MAXHANDS", "t": "TRIGINT", "x": "MAXUMSGS"}

// managerAttributes gives them as they were given, if they can be so.
func (c *call) managerAttributes() (map[string]string, error) {
	all := map[string]string{}
	for flag, name := range managerFlags {
		a, known := objects.Of(objects.QueueManager).Attribute(c.level, name)
		if !c.flags.has(flag) || !known {
			continue
		}
		value, err := a.Check([]string{c.flags.value(flag)})
		if err != nil {
			return nil, fmt.Errorf("-%s: %w", flag, err)
		}
		all[name] = value
	}
	return all, nil
}

// parents reads -md and -ld.
func (c *call) parents() (below parents, err error) {
	for flag, to := range map[string]*string{"md": &below.data, "ld": &below.log} {
		if err == nil && c.flags.has(flag) {
			*to, err = c.name(c.flags.value(flag))
		}
	}
	return below, err
}

// created makes the queue manager and prints what was made.
func (c *call) created(spec qmgr.Spec, below parents) int {
	m, err := c.create(c.ctx, spec, below)
	switch {
	case errors.Is(err, qmgr.ErrName):
		return c.refuse(nameError, "AMQ7048", amqerr.Inserts{C1: spec.Name})
	case errors.Is(err, qmgr.ErrExists), errors.Is(err, ErrTaken):
		return c.refuse(alreadyExists, "AMQ8110", amqerr.Inserts{C1: spec.Name})
	case errors.Is(err, extents.ErrSettings):
		fmt.Fprintln(&c.err, err)
		return badLogSize
	case err != nil:
		return c.failed(err)
	}
	c.say("AMQ8001", amqerr.Inserts{C1: m.Name()})
	c.print("Directory '%s' created.", m.DataPath())
	c.print("The queue manager is associated with installation '%s'.", installation)
	c.print("Creating or replacing default objects for queue manager '%s'.", m.Name())
	c.print("Default objects statistics : %d created. 0 replaced. 0 failed.", len(objects.System(c.level)))
	c.print("Completing setup.")
	c.print("Setup completed.")
	if !c.flags.has("q") {
		return done
	}
	if err := c.setDefault(m.Name()); err != nil {
		fmt.Fprintln(&c.err, err)
		return badDefault
	}
	return done
}

// setDefault makes a queue manager that of commands without a name.
func (h *Host) setDefault(name string) error {
	ini, err := h.readIni()
	if err != nil {
		return err
	}
	if ini, err = ini.without("DefaultQueueManager", ini.defaultManager()); err != nil {
		return err
	}
	return h.write(mqsIni, ini.with(fmt.Sprintf("DefaultQueueManager:\n   Name=%s\n", name)))
}
