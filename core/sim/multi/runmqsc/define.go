package runmqsc

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// definition is a DEFINE or ALTER as it was read.
type definition struct {
	class   *objects.Class
	name    string
	like    string
	replace bool
	given   map[string]string
	typeAt  int // where CHLTYPE or AUTHTYPE stands; 0: nowhere
}

// define is DEFINE: what is not given is as in the object named by LIKE, else as
// in the default object of the kind.
func (p *performer) define(command mqsc.Command) (string, error) {
	d, err := p.definition(command, true)
	if err != nil {
		return "", err
	}
	attributes, err := p.model(d)
	if err != nil {
		return "", err
	}
	maps.Copy(attributes, d.given)
	now := p.m.Now()
	for _, name := range []string{"ALT", "CR"} {
		if _, has := d.class.Attribute(p.level, name+"DATE"); has {
			attributes[name+"DATE"], attributes[name+"TIME"] = now.Format(dateForm), now.Format(timeForm)
		}
	}
	ref := engine.Ref{Kind: d.class.Kind, Name: d.name}
	if err := p.put(d, ref, d.class.Differences(attributes)); err != nil {
		return "", err
	}
	return p.says(d.class.Created, amqerr.Inserts{}), nil
}

// put defines the object, or replaces one of its name and kind.
func (p *performer) put(d definition, ref engine.Ref, attributes map[string]string) error {
	for _, kind := range objects.FamilyOf(ref.Kind) {
		there, err := p.m.Object(engine.Ref{Kind: kind, Name: ref.Name})
		switch {
		case errors.Is(err, engine.ErrNoObject):
			continue
		case err != nil:
			return err
		case kind != ref.Kind || !d.replace:
			return fmt.Errorf("%s: %w", there.Ref, engine.ErrExists)
		case p.damaged(there):
			return fmt.Errorf("%s: %w", there.Ref, engine.ErrDamaged)
		case there.Attributes[d.class.Selector] != attributes[d.class.Selector]:
			return &refusal{p.says("AMQ8151", amqerr.Inserts{})}
		}
		return p.m.AlterObject(p.ctx, ref, attributes)
	}
	return p.m.DefineObject(p.ctx, ref, attributes)
}

// model gives the attributes that a new object starts from.
func (p *performer) model(d definition) (map[string]string, error) {
	name := d.like
	if name == "" {
		name = d.class.Default[d.given[d.class.Selector]]
	}
	o, err := p.m.Object(engine.Ref{Kind: d.class.Kind, Name: name})
	switch {
	case errors.Is(err, engine.ErrNoObject) && d.like == "":
		return map[string]string{}, nil // the default object was deleted: what is usual
	case errors.Is(err, engine.ErrNoObject):
		return nil, &refusal{p.says("AMQ8147", amqerr.Inserts{C1: name})}
	case err != nil:
		return nil, err
	case p.damaged(o):
		return nil, &refusal{p.says("AMQ8149", amqerr.Inserts{}) + damagedLine(d.class.Heading, name)}
	case d.class.Selector != "" && o.Attributes[d.class.Selector] != d.given[d.class.Selector]:
		return nil, &refusal{p.says("AMQ8151", amqerr.Inserts{})}
	}
	attributes := maps.Clone(o.Attributes)
	if attributes == nil {
		attributes = map[string]string{}
	}
	return attributes, nil
}

// alter is ALTER: what is given replaces what there was.
func (p *performer) alter(command mqsc.Command) (string, error) {
	if command.Object() == "QMGR" {
		return p.alterManager(command)
	}
	d, err := p.definition(command, false)
	if err != nil {
		return "", err
	}
	o, err := p.m.Object(engine.Ref{Kind: d.class.Kind, Name: d.name})
	switch {
	case err != nil:
		return "", err
	case p.damaged(o):
		return "", fmt.Errorf("%s: %w", o.Ref, engine.ErrDamaged)
	case d.class.Selector != "" && d.given[d.class.Selector] != o.Attributes[d.class.Selector]:
		return "", &refusal{p.says("AMQ8151", amqerr.Inserts{})}
	}
	attributes := maps.Clone(o.Attributes)
	if attributes == nil {
		attributes = map[string]string{}
	}
	maps.Copy(attributes, d.given)
	now := p.m.Now()
	attributes["ALTDATE"], attributes["ALTTIME"] = now.Format(dateForm), now.Format(timeForm)
	if err := p.m.AlterObject(p.ctx, o.Ref, d.class.Differences(attributes)); err != nil {
		return "", err
	}
	return p.says(d.class.Changed, amqerr.Inserts{}), nil
}

// alterManager is ALTER QMGR.
func (p *performer) alterManager(command mqsc.Command) (string, error) {
	class := objects.Of(objects.QueueManager)
	if command.Params[0].Values != nil {
		return "", &syntaxError{0}
	}
	given := map[string]string{}
	for i, param := range command.Params[1:] {
		if param.Keyword == "FORCE" && param.Values == nil {
			continue
		}
		if !p.take(class, given, param, false) {
			return "", &syntaxError{i + 1}
		}
	}
	attributes := p.m.Attributes()
	switch {
	case attributes == nil:
		return "", fmt.Errorf("queue manager %s: %w", p.m.Name(), engine.ErrDamaged)
	case given["LOGGEREV"] == "ENABLED" && p.m.Status().Log.Kind == extents.Circular:
		// Reference, Multiplatforms 3.3 item 60: refused on a circular log.
		return "", &refusal{p.says("AMQ8518", amqerr.Inserts{})}
	}
	maps.Copy(attributes, given)
	now := p.m.Now()
	attributes["ALTDATE"], attributes["ALTTIME"] = now.Format(dateForm), now.Format(timeForm)
	if err := p.m.AlterManager(p.ctx, class.Differences(attributes)); err != nil {
		return "", err
	}
	return p.says(class.Changed, amqerr.Inserts{}), nil
}

// definition reads DEFINE or ALTER of an object.
func (p *performer) definition(command mqsc.Command, define bool) (definition, error) {
	class, ok := classNamed(command.Object())
	if !ok {
		return definition{}, &syntaxError{0}
	}
	d := definition{class: class, name: command.Name(), given: map[string]string{}}
	if d.class.Kind == objects.Channel {
		if kind, at, given := one(command, "CHLTYPE"); given && kind == "CLNTCONN" {
			d.class, d.typeAt = objects.Of(objects.ClientChannel), at
		}
	}
	if len(command.Params[0].Values) != 1 || !validName(d.name, d.class.Longest) {
		return d, &syntaxError{0}
	}
	if at := d.takeType(command); at >= 0 {
		return d, &syntaxError{at}
	}
	for i, param := range command.Params[1:] {
		switch {
		case i+1 == d.typeAt:
		case define && d.takeOption(param):
		case !define && param.Values == nil && (param.Keyword == "FORCE" || param.Keyword == "NOFORCE"):
		case p.take(d.class, d.given, param, define):
		default:
			return d, &syntaxError{i + 1}
		}
	}
	return d, nil
}

// takeType takes CHLTYPE or AUTHTYPE, which a command has to have; else it
// gives where the command is wrong, -1: it is not.
func (d *definition) takeType(command mqsc.Command) int {
	if d.class.Selector == "" {
		return -1
	}
	kind, at, given := one(command, d.class.Selector)
	if !given {
		return len(command.Params) - 1
	}
	if _, known := d.class.Default[kind]; !known {
		return at
	}
	d.given[d.class.Selector], d.typeAt = kind, at
	return -1
}

// takeOption takes what a DEFINE has besides attributes.
func (d *definition) takeOption(param mqsc.Param) bool {
	switch {
	case param.Keyword == "LIKE" && len(param.Values) == 1 && param.Values[0] != "":
		d.like = param.Values[0]
	case param.Keyword == "REPLACE" && param.Values == nil:
		d.replace = true
	case param.Keyword == "NOREPLACE" && param.Values == nil:
	default:
		return false
	}
	return true
}

// take takes one attribute that may be set; false: there is none such.
func (p *performer) take(class *objects.Class, given map[string]string, param mqsc.Param, define bool) bool {
	a, ok := class.Attribute(p.level, param.Keyword)
	if !ok || a.Fixed || a.Made && !define || !class.Has(p.level, a, given) {
		return false
	}
	if a.Form == objects.Flag {
		given[a.Name] = param.Keyword
		return param.Values == nil
	}
	if param.Values == nil {
		return false
	}
	value, err := a.Check(param.Values)
	if err != nil {
		return false
	}
	given[a.Name] = value
	return true
}

// validName tells whether an object may have a name ("Rules for naming IBM MQ
// objects").
func validName(name string, longest int) bool {
	for _, c := range name {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && !slices.Contains([]rune("0123456789./_%"), c) {
			return false
		}
	}
	return name != "" && len(name) <= longest
}
