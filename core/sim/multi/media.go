package multi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

var mediaCommands = map[string]command{
	"rcdmqimg": {usage: "rcdmqimg [-m QMgrName] [-z] [-l] -t ObjectType [GenericObjName]", takes: []string{"m=", "z", "l", "t="}, badUse: badArguments, run: rcdmqimg},
	"rcrmqobj": {usage: "rcrmqobj [-m QMgrName] [-z] -t ObjectType [GenericObjName]", takes: []string{"m=", "z", "t="}, badUse: badArguments, run: rcrmqobj},
}

// selection reads -t and the name behind it.
func (c *call) selection() (qmgr.Selection, error) {
	s := qmgr.Selection{Type: strings.ToLower(c.flags.value("t"))}
	var ok bool
	if s.Name, ok = c.single(); !ok {
		// What a shell makes of a star without quotes is a list of files.
		return s, fmt.Errorf("one name of objects, not %d: put '*' in quotes", len(c.words))
	}
	kinds, known := objects.ByWord(s.Type)
	switch {
	case !known:
		return s, fmt.Errorf("-t %s is no type of objects", c.flags.value("t"))
	case s.Name == "" && (len(kinds) > 1 || !objects.Once(kinds[0])):
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
		none := image.Outcome == qmgr.NotRecoverable || image.Outcome == qmgr.Temporary
		if none && strings.HasSuffix(s.Name, "*") {
			continue // of many objects those that have no images are passed over
		}
		code = worse(code, c.outcome(image.Ref, image.Outcome))
	}
	switch {
	case err != nil:
		return c.notDone(s, err)
	case code == done && !slices.ContainsFunc(all, func(i qmgr.Imaged) bool { return i.Outcome == qmgr.Recorded }):
		return c.refuse(nothingProcessed, "AMQ7080", amqerr.Inserts{})
	case c.flags.has("l"):
		c.needed(m)
	}
	return code
}

// needed reports the oldest extents that are needed: -l. They are in the error
// log, since a checkpoint was taken.
func (c *call) needed(m *qmgr.Manager) {
	status := m.Status()
	fmt.Fprintln(&c.notes, amqerr.Say(c.level, "AMQ7467", amqerr.Inserts{C1: m.Name(), C2: status.RecLog}))
	fmt.Fprintln(&c.notes, amqerr.Say(c.level, "AMQ7468", amqerr.Inserts{C1: m.Name(), C2: status.MediaLog}))
}

// rcrmqobj creates damaged objects anew from their images.
func rcrmqobj(c *call) int {
	m, s, code := c.mediaCall()
	if m == nil {
		return code
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
			c.refuse(noMediaImage, refused.ID, refused.Inserts)
		}
		return c.refuse(noMediaImage, "AMQ7042", amqerr.Inserts{C1: lost.Object.Name, C2: objects.WordOf(lost.Object.Kind)})
	case err != nil:
		return c.notDone(s, err)
	case len(all) == 0:
		return c.refuse(nothingProcessed, "AMQ7080", amqerr.Inserts{})
	}
	return code
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
	qmgr.Temporary:      {"AMQ7087", temporaryObject},
}

// outcome prints what came of an object and gives its exit code.
func (c *call) outcome(ref engine.Ref, came qmgr.Outcome) int {
	o, known := outcomes[came]
	if !known {
		return c.failed(fmt.Errorf("%s: %s", ref, came))
	}
	inserts := amqerr.Inserts{C1: ref.Name, C2: objects.WordOf(ref.Kind)}
	switch {
	case o.code == done:
		c.say(o.id, inserts)
		return done
	case came == qmgr.NoImage: // told with the error
		return done
	}
	return c.refuse(o.code, o.id, inserts)
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
		return c.refuse(noMediaRecovery, "AMQ7044", amqerr.Inserts{})
	case errors.Is(err, engine.ErrNoObject) && strings.HasSuffix(s.Name, "*"):
		return c.refuse(nothingProcessed, "AMQ7080", amqerr.Inserts{})
	case errors.Is(err, engine.ErrNoObject):
		return c.refuse(nothingProcessed, "AMQ7085", amqerr.Inserts{C1: s.Name, C2: s.Type})
	case errors.Is(err, syscall.ENOSPC):
		return c.refuse(noStorage, "AMQ7083", amqerr.Inserts{})
	case isFull(err), errors.As(err, &full) && full.Reason == qmgr.ResourceProblem:
		return c.refuse(resourceProblem, "AMQ7083", amqerr.Inserts{})
	}
	return c.failed(err)
}
