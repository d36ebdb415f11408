package multi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Result is what a control command came to.
type Result struct {
	Out, Err []byte // standard output and standard error
	Code     int
}

// Exit codes that several commands have (reference, Multiplatforms 3.4 item 67;
// those of crtmqm, strmqm, endmqm and dltmqm from memory).
const (
	done             = 0
	alreadyRuns      = 5
	alreadyExists    = 8
	noManager        = 16
	logNotAvailable  = 23
	notRecoverable   = 28
	unresolved       = 32 // transactions stay in doubt
	badFolder        = 33 // it could not be removed
	badArguments     = 36
	badParameter     = 39
	notAvailable     = 40
	stopping         = 49
	noMediaImage     = 66
	noMediaRecovery  = 68
	noStorage        = 69
	unexpected       = 71
	nameError        = 72
	unknownUnit      = 85
	badLogLocation   = 100
	badDefault       = 111
	badLogSize       = 115
	notAuthorised    = 119
	commandNotFound  = 127 // of the shell
	nothingProcessed = 128
	resourceProblem  = 131
	objectDamaged    = 132
	temporaryObject  = 135
	objectInUse      = 136
)

// call is a control command that is being carried out.
type call struct {
	*Host
	command
	ctx   context.Context
	flags flags
	words []string // operands
	stdin []byte
	out   bytes.Buffer
	err   bytes.Buffer
	notes bytes.Buffer // for standard error, and no errors: -z lets them through
}

// command is how a control command is called, and what it does.
type command struct {
	usage string
	// takes are its flags; a name that ends in = has a value.
	takes []string
	// badUse is the exit code for arguments that it does not take.
	badUse int
	run    func(*call) int
	// idle are flags that scripts give, and that have no meaning where there
	// are no clients, authorities or services: docs/simulator.md names them.
	idle []string
	// refuses are flags of the real command for what is not simulated.
	refuses []string
}

// flagNames are all flags that the command is read with.
func (c *command) flagNames() []string { return slices.Concat(c.takes, c.idle, c.refuses) }

// refused gives the first flag that is refused; empty: none is.
func (c *command) refused(given flags) string {
	for _, name := range c.refuses {
		if name = strings.TrimSuffix(name, "="); given.has(name) {
			return name
		}
	}
	return ""
}

// commands are those of the installation.
func commands() map[string]command {
	all := map[string]command{}
	for _, group := range []map[string]command{lifeCommands, showCommands, unitCommands, mediaCommands, mqscCommands, migrateCommands} {
		maps.Copy(all, group)
	}
	return all
}

// Commands gives the names of the control commands that [Host.Run] carries out.
func Commands() []string { return slices.Sorted(maps.Keys(commands())) }

// Run carries out a control command: its name, with or without a folder in
// front, and its arguments as a shell hands them over.
func (h *Host) Run(ctx context.Context, argv []string, stdin []byte) Result {
	if len(argv) == 0 {
		return Result{Err: []byte("no command\n"), Code: commandNotFound}
	}
	name := path.Base(strings.ReplaceAll(argv[0], `\`, "/"))
	known, ok := commands()[name]
	if !ok {
		return Result{Err: fmt.Appendf(nil, "%s: command not found\n", name), Code: commandNotFound}
	}
	c := &call{Host: h, command: known, ctx: ctx, stdin: stdin}
	var code int
	given, words, err := parseArguments(argv[1:], known.flagNames())
	c.flags, c.words = given, words
	switch refused := known.refused(given); {
	case err != nil:
		code = c.wrong("%v", err)
	case refused != "":
		code = c.wrong("-%s is not simulated", refused)
	default:
		code = known.run(c)
	}
	if c.flags.has("z") { // errors are told by the exit code alone
		c.err.Reset()
	}
	return Result{Out: c.out.Bytes(), Err: append(c.err.Bytes(), c.notes.Bytes()...), Code: code}
}

// wrong says that arguments are not what the command takes.
func (c *call) wrong(format string, args ...any) int {
	fmt.Fprintf(&c.err, format+"\nUsage: %s\n", append(args, c.usage)...)
	return c.badUse
}

// refuse prints a message and gives the exit code that belongs to it.
func (c *call) refuse(code int, id string, inserts amqerr.Inserts) int {
	fmt.Fprintln(&c.err, amqerr.Say(c.level, id, inserts))
	return code
}

// say prints a message without its id, as control commands do for what went
// well (reference, Multiplatforms 3.4 item 66).
func (c *call) say(id string, inserts amqerr.Inserts) {
	fmt.Fprintln(&c.out, amqerr.Prose(c.level, id, inserts))
}

// print prints a line.
func (c *call) print(format string, args ...any) { fmt.Fprintf(&c.out, format+"\n", args...) }

// product is the name of the product in messages.
func (c *call) product() string { return c.level.Product() }

// failed gives the message and the exit code of an error for which a command
// has none of its own.
func (c *call) failed(err error) int {
	if code, known := c.explained(err); known {
		return code
	}
	var refused *qmgr.Error
	if errors.As(err, &refused) && amqerr.Known(refused.ID) {
		fmt.Fprintln(&c.err, amqerr.Say(c.level, refused.ID, refused.Inserts))
		return unexpected
	}
	fmt.Fprintln(&c.err, amqerr.Say(c.level, "AMQ6119", amqerr.Inserts{C1: err.Error()}))
	return unexpected
}

// explained does that for errors that mean the same to every command.
func (c *call) explained(err error) (code int, known bool) {
	switch {
	case errors.Is(err, qmgr.ErrNotRunning):
		return c.refuse(notAvailable, "AMQ8146", amqerr.Inserts{}), true
	case errors.Is(err, qmgr.ErrRunning):
		return c.refuse(alreadyRuns, "AMQ7005", amqerr.Inserts{}), true
	case errors.Is(err, qmgr.ErrAccess):
		fmt.Fprintln(&c.err, err) // which file it is
		return c.refuse(notAuthorised, "AMQ7077", amqerr.Inserts{}), true
	case errors.Is(err, disk.ErrReadOnly):
		fmt.Fprintln(&c.err, err)
		return c.refuse(notAuthorised, "AMQ7077", amqerr.Inserts{}), true
	case isFull(err):
		return c.refuse(noStorage, "AMQ7083", amqerr.Inserts{}), true
	}
	return 0, false
}

// queueManager gives the queue manager of a name, without one the default.
// Where there is none it prints that, with the code of the command.
func (c *call) queueManager(name, id string, code int) (*qmgr.Manager, int) {
	if name == "" {
		ini, err := c.readIni()
		if err != nil {
			fmt.Fprintln(&c.err, err)
			return nil, unexpected
		}
		if name = ini.defaultManager(); name == "" {
			return nil, c.refuse(nameError, "AMQ7069", amqerr.Inserts{})
		}
	}
	if m := c.Manager(name); m != nil {
		return m, done
	}
	if l := c.lostOf(name); l != nil {
		return nil, c.gone(l)
	}
	return nil, c.refuse(code, id, amqerr.Inserts{C1: name})
}

// single gives the one operand that a command takes, which may be left out.
func (c *call) single() (string, bool) {
	switch len(c.words) {
	case 0:
		return "", true
	case 1:
		return c.words[0], true
	}
	return "", false
}
