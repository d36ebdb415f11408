package runmqsc

import (
	"context"
	"slices"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// performer carries one command out.
type performer struct {
	ctx   context.Context
	m     Manager
	level level.Level
	own   map[string]string // attributes of the queue manager; see [performer.ownAttributes]
}

// ownAttributes gives the attributes of the queue manager, asked for once.
func (p *performer) ownAttributes() map[string]string {
	if p.own == nil {
		p.own = p.m.Attributes()
	}
	return p.own
}

// do carries the command out and gives the reply. The error is *syntaxError,
// *refusal, or what the queue manager answered.
func (p *performer) do(command mqsc.Command) (string, error) {
	if len(command.Params) == 0 {
		return "", &syntaxError{-1}
	}
	switch command.Verb {
	case "DISPLAY", "DIS":
		return p.display(command)
	case "DEFINE", "DEF":
		return p.define(command)
	case "ALTER", "ALT":
		return p.alter(command)
	case "DELETE", "DEL":
		return p.remove(command)
	case "CLEAR":
		return p.clearQueue(command)
	case "SET":
		return p.set(command)
	case "RESET":
		return p.reset(command)
	case "PING":
		return p.ping(command)
	case "REFRESH", "REF":
		return p.refresh(command)
	}
	return "", &syntaxError{-1}
}

// says gives a message as a reply.
func (p *performer) says(id string, inserts amqerr.Inserts) string {
	return amqerr.Say(p.level, id, inserts) + "\n"
}

// classNamed finds the class of objects that a command is about. A
// client-connection channel is a CHANNEL with CHLTYPE(CLNTCONN), and the queue
// manager is no object with a name.
func classNamed(word string) (*objects.Class, bool) {
	class, ok := objects.ByKeyword(word)
	if !ok || class.Kind == objects.ClientChannel || class.Kind == objects.QueueManager {
		return nil, false
	}
	return class, true
}

// only refuses parameters behind the first that a command does not have.
func only(command mqsc.Command, known ...string) error {
	for i, param := range command.Params[1:] {
		if !slices.Contains(known, param.Keyword) {
			return &syntaxError{i + 1}
		}
	}
	return nil
}

// one gives the single value of a parameter.
func one(command mqsc.Command, keyword string) (value string, at int, given bool) {
	for i, param := range command.Params {
		if param.Keyword == keyword {
			if len(param.Values) == 1 {
				return param.Values[0], i, true
			}
			return "", i, true
		}
	}
	return "", -1, false
}
