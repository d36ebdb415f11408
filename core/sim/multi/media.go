package multi

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

var mediaCommands = map[string]command{
	"rcdmqimg": {"rcdmqimg [-m QMgrName] [-z] [-l] -t ObjectType [GenericObjName]", []string{"m=", "z", "l", "t="}, badArguments, rcdmqimg},
	"rcrmqobj": {"rcrmqobj [-m QMgrName] [-z] -t ObjectType [GenericObjName]", []string{"m=", "z", "t="}, badArguments, rcrmqobj},
}

// once are the types that stand for one thing, whose name is left out
// (reference, Multiplatforms 3.4 item 64).
var once = []string{"qmgr", "syncfile", "catalog", "ctlg", "clchltab"}

// selection reads -t and the name behind it.
func (c *call) selection() (qmgr.Selection, error) {
	s := qmgr.Selection{Type: strings.ToLower(c.flags.value("t"))}
	var ok bool
	if s.Name, ok = c.single(); !ok {
		// What a shell makes of a star without quotes is a list of files.
		return s, fmt.Errorf("one name of objects, not %d: put '*' in quotes", len(c.words))
	}
	_, known := objects.ByWord(s.Type)
	switch {
	case !known:
		return s, fmt.Errorf("-t %s is no type of objects", c.flags.value("t"))
	case s.Name == "" && !slices.Contains(once, s.Type):
		return s, errors.New("the name of the objects is missing")
	}
	return s, nil
}

// mediaCall is what rcdmqimg and rcrmqobj have in common: the arguments, and a
// queue manager that runs.
func (c *call) mediaCall() (m *qmgr.Manager, s qmgr.Selection, code int) {
	s, err := c.selection()
	if err != nil {
		return nil, s, c.wrong("%v", err)
	}
	m, code = c.running()
	return m, s, code
}

// rcdmqimg records media images. Its exit code is that of the worst that came
// of an object.
func rcdmqimg(c *call) int {
	m, s, code := c.mediaCall()
	if m == nil {
		return code
	}
	all, err := m.Image(c.ctx, s)
	for _, image := range all {
		if image.Outcome == qmgr.NotRecoverable && strings.HasSuffix(s.Name, "*") {
			continue // of many objects those that have no images are passed over
		}
		code = worse(code, c.outcome(image.Ref, image.Outcome))
	}
	switch {
	case err != nil:
		return c.notDone(s, err)
	case code == done && !slices.ContainsFunc(all, func(i qmgr.Imaged) bool { return i.Outcome == qmgr.Recorded }):
		return c.quietly(nothingProcessed, "AMQ7080", amqerr.Inserts{})
	case c.flags.has("l"):
		c.needed(m)
	}
	return code
}

// needed reports the oldest extents that are needed: -l. They are in the error
// log, since a checkpoint was taken.
func (c *call) needed(m *qmgr.Manager) {
	status := m.Status()
	fmt.Fprintln(&c.err, amqerr.Say(c.level, "AMQ7467", amqerr.Inserts{C1: m.Name(), C2: status.RecLog}))
	fmt.Fprintln(&c.err, amqerr.Say(c.level, "AMQ7468", amqerr.Inserts{C1: m.Name(), C2: status.MediaLog}))
}

// rcrmqobj creates damaged objects anew from their images.
func rcrmqobj(c *call) int {
	m, s, code := c.mediaCall()
	if m == nil {
		return code
	}
	if s.Type == "clchltab" {
		return c.rebuildTable(m)
	}
	all, err := m.Recreate(c.ctx, s)
	for _, r := range all {
		code = worse(code, c.outcome(r.Ref, r.Outcome))
	}
	var lost *engine.LogError
	switch {
	case errors.As(err, &lost):
		var refused *qmgr.Error
		if errors.As(err, &refused) {
			c.quietly(noMediaImage, refused.ID, refused.Inserts)
		}
		return c.quietly(noMediaImage, "AMQ7042", amqerr.Inserts{C1: lost.Object.Name, C2: objects.WordOf(lost.Object.Kind)})
	case err != nil:
		return c.notDone(s, err)
	case len(all) == 0:
		return c.quietly(nothingProcessed, "AMQ7080", amqerr.Inserts{})
	}
	return code
}

// quietly is refuse for commands that -z keeps quiet.
func (c *call) quietly(code int, id string, inserts amqerr.Inserts) int {
	if c.flags.has("z") {
		return code
	}
	return c.refuse(code, id, inserts)
}

// outcomes are the messages and exit codes of what came of an object (reference,
// Multiplatforms 3.4 item 67; most of the codes unverified there).
var outcomes = map[qmgr.Outcome]struct {
	id   string
	code int
}{
	qmgr.Recorded:       {"AMQ7086", done},
	qmgr.Recreated:      {"AMQ7081", done},
	qmgr.Sound:          {"AMQ7082", nothingProcessed},
	qmgr.NotRecoverable: {"AMQ7042", notRecoverable},
	qmgr.IsDamaged:      {"AMQ7084", objectDamaged},
	qmgr.NoImage:        {"AMQ7042", noMediaImage},
	qmgr.Busy:           {"AMQ7088", objectInUse},
}

// outcome prints what came of an object and gives its exit code.
func (c *call) outcome(ref engine.Ref, came qmgr.Outcome) int {
	o := outcomes[came]
	inserts := amqerr.Inserts{C1: ref.Name, C2: objects.WordOf(ref.Kind)}
	switch {
	case o.code == done:
		c.say(o.id, inserts)
		return done
	case came == qmgr.NoImage: // told with the error
		return done
	}
	return c.quietly(o.code, o.id, inserts)
}

// worse gives the worse of two exit codes: that of damage before others, and
// any before none.
func worse(a, b int) int {
	if a == objectDamaged || b == done {
		return a
	}
	return b
}

// notDone is what neither command could do at all.
func (c *call) notDone(s qmgr.Selection, err error) int {
	var full *qmgr.Error
	switch {
	case errors.Is(err, qmgr.ErrLogType):
		return c.quietly(noMediaRecovery, "AMQ7044", amqerr.Inserts{})
	case errors.Is(err, engine.ErrNoObject) && strings.HasSuffix(s.Name, "*"):
		return c.quietly(nothingProcessed, "AMQ7080", amqerr.Inserts{})
	case errors.Is(err, engine.ErrNoObject):
		return c.quietly(nothingProcessed, "AMQ7085", amqerr.Inserts{C1: s.Name, C2: s.Type})
	case errors.Is(err, syscall.ENOSPC):
		return c.quietly(noStorage, "AMQ7083", amqerr.Inserts{})
	case isFull(err), errors.As(err, &full) && full.Reason == qmgr.ResourceProblem:
		return c.quietly(resourceProblem, "AMQ7083", amqerr.Inserts{})
	}
	return c.failed(err)
}

// clientTable is the client channel definition table below the data folder.
const clientTable = "@ipcc/AMQCLCHL.TAB"

// rebuildTable writes the client channel definition table anew, on any type of
// log. What is in it is the simulator's own: MQSC in place of a binary format.
func (c *call) rebuildTable(m *qmgr.Manager) int {
	var b strings.Builder
	for _, o := range m.Objects() {
		if o.Ref.Kind == objects.ClientChannel && !o.Damaged {
			b.WriteString(definition(c.level, o, nil, true))
		}
	}
	if err := c.write(path.Join(m.DataDir(), clientTable), []byte(b.String())); err != nil {
		return c.failed(err)
	}
	c.say("AMQ7081", amqerr.Inserts{C1: "AMQCLCHL.TAB", C2: "clchltab"})
	return done
}
