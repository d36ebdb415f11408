package runmqsc

import (
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// remove is DELETE. A queue with messages needs PURGE; a damaged object can be
// deleted (SEED 7.2.2.4).
func (p *performer) remove(command mqsc.Command) (string, error) {
	class, ok := classNamed(command.Object())
	if !ok || len(command.Params[0].Values) != 1 || command.Name() == "" {
		return "", &syntaxError{0}
	}
	purge := false
	for i, param := range command.Params[1:] {
		switch single := len(param.Values) == 1; {
		case param.Values == nil && class.Kind == objects.Queue && (param.Keyword == "PURGE" || param.Keyword == "NOPURGE"):
			purge = param.Keyword == "PURGE"
		case single && param.Keyword == "CHLTABLE" && class.Heading == "CHANNEL" && param.Values[0] == "CLNTTAB":
			class = objects.Of(objects.ClientChannel)
		case single && param.Keyword == "CHLTABLE" && class.Heading == "CHANNEL" && param.Values[0] == "QMGRTBL":
		case single && (param.Keyword == "IGNSTATE" || param.Keyword == "AUTHREC") && (param.Values[0] == "YES" || param.Values[0] == "NO"):
		default:
			return "", &syntaxError{i + 1}
		}
	}
	ref := engine.Ref{Kind: class.Kind, Name: command.Name()}
	if _, err := p.m.Object(ref); err != nil {
		return "", err
	}
	if err := p.m.DeleteObject(p.ctx, ref, purge); err != nil {
		return "", err
	}
	return p.says(class.Deleted, amqerr.Inserts{}), nil
}

// clearQueue is CLEAR QLOCAL.
func (p *performer) clearQueue(command mqsc.Command) (string, error) {
	if object := command.Object(); object != "QLOCAL" && object != "QL" || len(command.Params[0].Values) != 1 || command.Name() == "" {
		return "", &syntaxError{0}
	}
	if len(command.Params) > 1 {
		return "", &syntaxError{1}
	}
	if err := p.m.ClearQueue(p.ctx, command.Name()); err != nil {
		return "", err
	}
	return p.says("AMQ8022", amqerr.Inserts{}), nil
}
