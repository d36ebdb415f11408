package runmqsc

import (
	"context"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// performer carries one command out.
type performer struct {
	ctx   context.Context //nolint:containedctx // of one command
	m     Manager
	level level.Level
}

// verbs are the commands by their verbs and synonyms.
var verbs map[string]func(*performer, mqsc.Command) (string, error)

func init() { //nolint:gochecknoinits // a table of methods that use each other
	verbs = map[string]func(*performer, mqsc.Command) (string, error){
		"DISPLAY": (*performer).display, "DIS": (*performer).display,
		"DEFINE": (*performer).define, "DEF": (*performer).define,
		"ALTER": (*performer).alter, "ALT": (*performer).alter,
		"DELETE": (*performer).remove, "DEL": (*performer).remove,
		"CLEAR":   (*performer).clear,
		"SET":     (*performer).set,
		"RESET":   (*performer).reset,
		"PING":    (*performer).ping,
		"REFRESH": (*performer).refresh, "REF": (*performer).refresh,
	}
}

// do carries the command out and gives the reply. The error is *syntaxError,
// *refusal, or what the queue manager answered.
func (p *performer) do(command mqsc.Command) (string, error) {
	verb, known := verbs[command.Verb]
	if !known || len(command.Params) == 0 {
		return "", &syntaxError{-1}
	}
	return verb(p, command)
}

// says gives a message as a reply.
func (p *performer) says(id string, inserts amqerr.Inserts) string {
	return amqerr.Say(p.level, id, inserts) + "\n"
}

// classNamed finds a class by the object of a command; QUEUE is any queue.
func classNamed(word string) (*objects.Class, bool) {
	if word == "QUEUE" || word == "Q" {
		return objects.Of(objects.Queue), true
	}
	return objects.ByKeyword(word)
}

// only refuses parameters that a command does not have.
func only(command mqsc.Command, from int, known ...string) error {
	for i := from; i < len(command.Params); i++ {
		found := false
		for _, keyword := range known {
			found = found || command.Params[i].Keyword == keyword
		}
		if !found {
			return &syntaxError{i}
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
