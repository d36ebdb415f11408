package multi

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/dmpmqlog"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/sim/multi/runmqsc"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var mqscCommands = map[string]command{
	"runmqsc": {
		usage: "runmqsc [-e] [-v] [-f File] [QMgrName]", takes: []string{"e", "v", "f="}, badUse: runmqsc.NotRun, run: runScript,
		// A queue manager elsewhere, a client connection, a user.
		refuses: []string{"n", "c", "x", "w=", "m=", "u=", "r="},
	},
	"dmpmqcfg": {
		usage:  "dmpmqcfg [-m QMgrName] [-n Name] [-t Type] [-x Export] [-o mqsc | 1line | 2line] [-a] [-z]",
		takes:  []string{"m=", "n=", "t=", "x=", "o=", "a", "z"},
		badUse: badArguments, run: dmpmqcfg,
		refuses: []string{"c", "d=", "r=", "s=", "u=", "w="},
	},
	"dmpmqlog": {
		usage:  "dmpmqlog [-b | -s StartLSN | -n ExtentNumber] [-e EndLSN] [-f LogFilePath] [-m QMgrName]",
		takes:  []string{"b", "s=", "n=", "e=", "f=", "m="},
		badUse: badArguments, run: dumpLog,
	},
}

// runScript is runmqsc: MQSC commands on standard input, or in a file of the
// host (reference, Multiplatforms 8 item 122).
func runScript(c *call) int {
	name, ok := c.single()
	if !ok {
		return c.wrong("runmqsc takes one name of a queue manager")
	}
	script := c.stdin
	if c.flags.has("f") {
		file, err := c.name(c.flags.value("f"))
		if err == nil {
			script, err = disk.ReadAll(c.disk, file)
		}
		if err != nil {
			fmt.Fprintln(&c.err, err)
			return runmqsc.NotRun
		}
	}
	if name == "" {
		m, _ := c.queueManager("", "AMQ8118", runmqsc.NotRun)
		if m == nil {
			return runmqsc.NotRun
		}
		name = m.Name()
	}
	var on runmqsc.Manager
	if m := c.Manager(name); m != nil {
		on = m
	}
	opts := runmqsc.Options{NoEcho: c.flags.has("e"), Verify: c.flags.has("v")}
	out, code := opts.Run(c.ctx, on, name, script)
	c.out.Write(out)
	return code
}

// dumpLog is dmpmqlog. The queue manager must not run: what is in its log then
// is not all on the disk (reference, Multiplatforms 3.4 item 69).
func dumpLog(c *call) int {
	opts := dmpmqlog.Options{
		Base: c.flags.has("b"), Extent: c.flags.value("n"), Zone: c.opts.Now().Location(), Data: true,
		Say: func(id string) string { return amqerr.Say(c.level, id, amqerr.Inserts{}) + "\n" },
	}
	var err error
	for flag, to := range map[string]*wal.LSN{"s": &opts.Start, "e": &opts.End} {
		if err == nil && c.flags.has(flag) {
			*to, err = logged.ParseLSN(c.flags.value(flag))
		}
	}
	switch {
	case err != nil:
		return c.wrong("%v", err)
	case len(c.words) > 0 || len(c.flags.among("b", "s", "n")) > 1:
		return c.wrong("dmpmqlog takes one of -b, -s and -n")
	}
	folder, settings, code := c.dumped()
	if code != done {
		return code
	}
	log, err := extents.Open(disk.ReadOnly(c.disk), folder, settings)
	if err != nil {
		fmt.Fprintln(&c.err, err)
		return c.undumped(logNotAvailable, "AMQ7017")
	}
	set := log.Settings()
	restart, _ := log.Marks()
	source := dmpmqlog.Source{
		Segments: log.Segments(), Open: log.Open, Head: restart, Circular: set.Kind == extents.Circular,
		Primary: set.Primary, Secondary: set.Secondary, FilePages: set.FilePages,
	}
	return c.dump(source, opts)
}

// dumped gives the log that is meant: that of a queue manager that is down, or
// of a folder with its control file.
func (c *call) dumped() (folder string, settings extents.Settings, code int) {
	m, code := c.queueManager(c.flags.value("m"), "AMQ7048", nameError)
	if m == nil {
		return "", settings, c.undumped(code, "")
	}
	if !c.flags.has("f") {
		if m.State() == qmgr.Running {
			return "", settings, c.undumped(alreadyRuns, "AMQ7005")
		}
		return m.LogDir(), m.LogSettings(), done
	}
	folder, err := c.name(c.flags.value("f"))
	if err != nil {
		fmt.Fprintln(&c.err, err)
		return "", settings, c.undumped(badLogLocation, "")
	}
	return strings.TrimSuffix(folder, "/"+extents.ActiveName), m.LogSettings(), done
}

// undumped says that nothing was dumped, and why.
func (c *call) undumped(code int, id string) int {
	c.print("%s", amqerr.Say(c.level, "AMQ7701", amqerr.Inserts{}))
	if id != "" {
		c.refuse(code, id, amqerr.Inserts{})
	}
	c.print("%s", amqerr.Say(c.level, "AMQ7716", amqerr.Inserts{}))
	return code
}

// dump prints the log.
func (c *call) dump(source dmpmqlog.Source, opts dmpmqlog.Options) int {
	var to io.Writer = &c.out
	err := dmpmqlog.Dump(c.ctx, to, source, opts)
	switch {
	case err == nil:
		return done
	case errors.Is(err, dmpmqlog.ErrOptions), errors.Is(err, dmpmqlog.ErrCircular), errors.Is(err, dmpmqlog.ErrExtent), errors.Is(err, dmpmqlog.ErrStart):
		fmt.Fprintln(&c.err, err)
		return badArguments
	}
	fmt.Fprintln(&c.err, err)
	return unexpected
}
