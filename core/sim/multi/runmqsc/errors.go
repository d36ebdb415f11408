package runmqsc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// syntaxError says that a command is none of the level's: its verb (at -1), or
// one of its parameters.
type syntaxError struct{ at int }

func (e *syntaxError) Error() string { return fmt.Sprintf("syntax error at parameter %d", e.at+1) }

// segment gives the command up to the part that is wrong.
func (e *syntaxError) segment(command mqsc.Command) string {
	command.Params = command.Params[:min(e.at+1, len(command.Params))]
	return command.String()
}

// refusal is what the queue manager said instead of doing something, or beside
// the objects that it could show.
type refusal struct{ text string }

func (e *refusal) Error() string { return strings.TrimSpace(e.text) }

// answers are the messages for what a queue manager refuses. Which ids SET LOG
// and RESET QMGR answer with is not known: see the table.
var answers = []struct {
	err error
	id  string
}{
	{engine.ErrStopped, "AMQ8145"},
	{engine.ErrNoObject, "AMQ8147"},
	{engine.ErrExists, "AMQ8150"},
	{engine.ErrInUse, "AMQ8148"},
	{engine.ErrNotEmpty, "AMQ8143"},
	{qmgr.ErrLogType, "AMQ3175"},
	{extents.ErrLogType, "AMQ3175"},
	{extents.ErrCurrent, "AMQ3378"},
	{extents.ErrNotFound, "AMQ3379"},
	{extents.ErrNotReduced, "AMQ3380"},
	{extents.ErrReuse, "AMQ3381"},
	{extents.ErrName, "AMQ3381"},
}

// explain gives the message for an error.
func (s *session) explain(command mqsc.Command, err error) string {
	name := command.Name()
	if archived, ok := command.Get("ARCHIVED"); ok && len(archived) == 1 {
		name = archived[0]
	}
	inserts := amqerr.Inserts{C1: name}
	if errors.Is(err, engine.ErrDamaged) {
		return amqerr.Say(s.level, "AMQ8149", inserts) + "\n" + damagedLine(command.Object(), name)
	}
	for _, answer := range answers {
		if errors.Is(err, answer.err) {
			return amqerr.Say(s.level, answer.id, inserts) + "\n"
		}
	}
	reason := qmgr.Reason(err)
	if reason == 0 {
		return amqerr.Say(s.level, "AMQ8404", inserts) + "\n   " + strings.ReplaceAll(err.Error(), "\n", " ") + "\n"
	}
	inserts.C1 = fmt.Sprintf("%X", reason)
	return amqerr.Say(s.level, "AMQ8101", inserts) + "\n"
}

// nameIDs are the attributes that have the names of objects (MQCA_Q_NAME and so
// on): the line below AMQ8149 says which, and the name (reference, Multiplatforms
// 2.1: [2016, QL.A]).
var nameIDs = map[string]int{
	"QUEUE": 2016, "QMNAME": 2015, "PROCESS": 2012, "NAMELIST": 2010, "CHANNEL": 3501, "TOPIC": 2092, "AUTHINFO": 2045,
	"LISTENER": 3554, "SERVICE": 2077, "COMMINFO": 2111, "SUB": 3152,
}

// damagedLine gives the line below AMQ8149.
func damagedLine(object, name string) string {
	heading := object
	if c, ok := objects.ByKeyword(object); ok {
		heading = c.Heading
	}
	id, ok := nameIDs[heading]
	if !ok {
		id = nameIDs["QUEUE"]
	}
	return fmt.Sprintf("   [%d, %s]\n", id, name)
}
