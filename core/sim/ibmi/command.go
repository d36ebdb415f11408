package ibmi

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

// command is one row of the table of commands.
type command struct {
	name string
	// positional: how many of the parameters may be given without a keyword,
	// in the order of params.
	positional int
	params     []parameter
	run        func(ctx context.Context, c *call) error
}

// call is one command that is being carried out.
type call struct {
	machine *Machine
	sys     *os400.System
	job     *os400.Job
	args    arguments
	result  *Result
}

// note sends a message of the table to the job.
func (c *call) note(kind NoteKind, id string, args ...any) {
	t := wording.Of(id)
	c.result.Messages = append(c.result.Messages, Note{ID: id, Text: t.Fill(args...), Kind: kind})
}

// done sends a completion message.
func (c *call) done(id string, args ...any) { c.note(Completion, id, args...) }

// pass sends to the job what is on a message queue too, in the same words.
func (c *call) pass(kind NoteKind, m os400.Message) {
	c.result.Messages = append(c.result.Messages, Note{ID: m.ID, Text: m.Text, Kind: kind})
}

// blame sends the message of an error as a diagnostic one.
func (c *call) blame(e *os400.Error) {
	c.result.Messages = append(c.result.Messages, Note{ID: e.ID, Text: e.Text, Kind: Diagnostic})
}

// libraries in which a command may be said to be.
var commandLibraries = map[string]bool{"": true, "QSYS": true, "QMQM": true, "*LIBL": true}

// Run carries out one CL command in a job. An escape message is an
// *os400.Error, a job that waits for a reply an *os400.Waiting; both come with
// what was sent and printed before. CHGJOB changes the job. Any other error
// says that the simulator could not do its work.
//
// A command may leave something done when it fails, as on a real system: a
// generic DLTJRNRCV what it deleted before.
func (m *Machine) Run(ctx context.Context, job *os400.Job, text string) (Result, error) {
	result, err := m.RunLater(ctx, job, text)
	if forced := m.sys.Force(); forced != nil && err == nil {
		err = forced
	}
	return result, err
}

// RunLater is Run for one of many commands: what DLTJRNRCV deletes is durable,
// and its storage free, once [os400.System.Force] has returned nil. Of every
// other command it is at once, and with it all that was deleted before.
func (m *Machine) RunLater(ctx context.Context, job *os400.Job, text string) (Result, error) {
	var result Result
	c := &call{machine: m, sys: m.sys, job: job, result: &result}
	row, err := c.prepare(text)
	if err != nil {
		return result, err
	}
	err = c.permitted(row)
	if err == nil {
		err = row.run(ctx, c)
	}
	if err != nil {
		var escaped *os400.Error
		var waiting *os400.Waiting
		switch {
		case errors.As(err, &waiting):
			return result, waiting
		case errors.As(err, &escaped):
			return result, escaped
		default:
			return result, fmt.Errorf("running %s: %w", row.name, err)
		}
	}
	return result, nil
}

// prepare finds the command and reads its parameters. Whatever is wrong is
// told in diagnostic messages, and CPF0006 ends it.
func (c *call) prepare(text string) (*command, error) {
	given, err := cl.Parse(text)
	if err != nil {
		c.note(Diagnostic, "CPD0020", err)
		return nil, os400.Escape("CPF0006", os400.ID{}, "*N")
	}
	row, known := commandNamed(given.Name)
	if !known || !commandLibraries[given.Library] {
		library := given.Library
		if library == "" {
			library = "*LIBL"
		}
		c.note(Diagnostic, "CPD0030", given.Name, library)
		return nil, os400.Escape("CPF0006", os400.ID{}, given.Name)
	}
	args, faults := row.read(given)
	for _, f := range faults {
		if !f.silent {
			c.note(Diagnostic, f.id, f.args...)
		}
	}
	if len(faults) > 0 {
		return nil, os400.Escape("CPF0006", os400.ID{}, row.name)
	}
	c.args = args
	return row, nil
}
