package runmqsc

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

func classesOf(kinds ...engine.Kind) []*objects.Class {
	all := make([]*objects.Class, len(kinds))
	for i, kind := range kinds {
		all[i] = objects.Of(kind)
	}
	return all
}

// typeKeywords are the attributes behind the name of an object that say which
// type it is, with what a DISPLAY may select by.
var typeKeywords = map[string][]string{
	"QUEUE": {"TYPE", "QTYPE"}, "CHANNEL": {"CHLTYPE", "TYPE"}, "AUTHINFO": {"AUTHTYPE"}, "TOPIC": {"TYPE"},
}

// displayObjects shows objects of some classes: DISPLAY QUEUE, QLOCAL, CHANNEL,
// and so on.
func (p *performer) displayObjects(command mqsc.Command, classes []*objects.Class) (string, error) {
	heading := classes[0].Heading
	known := func(name string) bool {
		return name == heading || slices.ContainsFunc(classes, func(c *objects.Class) bool {
			a, ok := c.Attribute(p.level, name)
			return ok && a.Name == name
		})
	}
	q, err := shape{named: true, knows: known, options: typeKeywords[heading]}.query(command)
	if err != nil {
		return "", err
	}
	if at, ok := p.typesFit(command, heading); !ok {
		return "", &syntaxError{at}
	}
	var b, damaged strings.Builder
	for _, o := range p.chosen(q, classes) {
		if p.damaged(o) {
			damaged.WriteString(p.says("AMQ8149", amqerr.Inserts{}) + damagedLine(heading, o.Ref.Name))
			continue
		}
		class := objects.Of(o.Ref.Kind)
		all := p.cells(class, o)
		if q.passes(all) && q.ofType(all) {
			b.WriteString(p.says(class.Shown, amqerr.Inserts{}) + q.show(all, append([]string{heading}, typeKeywords[heading]...)...))
		}
	}
	switch {
	case damaged.Len() > 0:
		return b.String(), &refusal{damaged.String()}
	case b.Len() == 0:
		return "", &refusal{p.says("AMQ8147", amqerr.Inserts{C1: q.name})}
	}
	return b.String(), nil
}

// typesFit tells whether the values of TYPE, CHLTYPE and so on are ones that
// there are, else where one is that is not.
func (p *performer) typesFit(command mqsc.Command, heading string) (at int, ok bool) {
	for _, keyword := range typeKeywords[heading] {
		value, at, given := one(command, keyword)
		if given && command.Params[at].Values != nil && !slices.Contains(typeValues(heading), value) {
			return at, false
		}
	}
	return 0, true
}

func typeValues(heading string) []string {
	switch heading {
	case "QUEUE":
		return []string{"ALL", "QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QCLUSTER"}
	case "CHANNEL":
		return append([]string{"ALL", "CLNTCONN"}, objects.ChannelTypes...)
	case "AUTHINFO":
		return append([]string{"ALL"}, objects.AuthTypes...)
	}
	return []string{"ALL", "LOCAL", "CLUSTER"}
}

// ofType tells whether an object is of the type that is asked for.
func (q query) ofType(all []cell) bool {
	for _, value := range q.options {
		if value != "ALL" && value != all[1].value {
			return false
		}
	}
	return true
}

// chosen gives the objects that a name stands for, by name.
func (p *performer) chosen(q query, classes []*objects.Class) []engine.Object {
	var found []engine.Object
	for _, o := range p.m.Objects() {
		if slices.ContainsFunc(classes, func(c *objects.Class) bool { return c.Kind == o.Ref.Kind }) && objects.Fits(q.name, o.Ref.Name) {
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b engine.Object) int {
		return cmp.Or(cmp.Compare(a.Ref.Name, b.Ref.Name), cmp.Compare(a.Ref.Kind, b.Ref.Kind))
	})
	return found
}

// damaged tells whether an object is damaged. To show it its file is read, so
// that a DISPLAY QUEUE finds damage, as it is told to (SEED 7.5.1). A queue
// manager that is only looked at reads none.
func (p *performer) damaged(o engine.Object) bool {
	return o.Damaged || errors.Is(p.m.Verify(p.ctx, o.Ref), engine.ErrDamaged)
}

// cells gives an object's attributes as they are shown: name, type where there
// are types, and the others in the order of the class.
func (p *performer) cells(class *objects.Class, o engine.Object) []cell {
	all := []cell{{name: class.Heading, value: o.Ref.Name}}
	switch {
	case class.Heading == "QUEUE":
		all = append(all, cell{name: "TYPE", value: class.MQSC})
	case class.Selector != "":
		all = append(all, cell{name: class.Selector, value: o.Attributes[class.Selector]})
	case class.Kind == objects.ClientChannel:
		all = append(all, cell{name: "CHLTYPE", value: class.MQSC})
	case class.Kind == objects.Topic:
		all = append(all, cell{name: "TYPE", value: "LOCAL"})
	}
	for _, a := range class.Showing(p.level, o.Attributes) {
		value, computed := p.computed(a.Name, o)
		if !computed {
			value = class.Value(a, o.Attributes)
		}
		all = append(all, cell{name: a.Name, value: value, bare: a.Form == objects.Flag, list: a.Form == objects.List})
	}
	return all
}

// computed gives the values that no attribute holds. The objects of crtmqm are
// as old as the queue manager.
func (p *performer) computed(name string, o engine.Object) (string, bool) {
	switch name {
	case "CURDEPTH":
		return strconv.Itoa(o.Current), true
	case "NAMCOUNT":
		if o.Attributes["NAMES"] == "" {
			return "0", true
		}
		return strconv.Itoa(strings.Count(o.Attributes["NAMES"], ",") + 1), true
	case "ALTDATE", "ALTTIME", "CRDATE", "CRTIME":
		if o.Attributes[name] == "" && strings.HasPrefix(o.Ref.Name, "SYSTEM.") {
			return p.ownAttributes()["CR"+strings.TrimPrefix(strings.TrimPrefix(name, "ALT"), "CR")], true
		}
	}
	return "", false
}

// displayManager is DISPLAY QMGR.
func (p *performer) displayManager(command mqsc.Command) (string, error) {
	class := objects.Of(objects.QueueManager)
	known := func(name string) bool {
		a, ok := class.Attribute(p.level, name)
		return ok && a.Name == name || name == class.Heading
	}
	q, err := shape{knows: known, plain: true}.query(command)
	if err != nil {
		return "", err
	}
	attributes := p.ownAttributes()
	if attributes == nil {
		return "", &refusal{p.says("AMQ8149", amqerr.Inserts{}) + damagedLine("QMGR", p.m.Name())}
	}
	all := []cell{{name: class.Heading, value: p.m.Name()}}
	for _, a := range class.Showing(p.level, attributes) {
		value := class.Value(a, attributes)
		if value == "" {
			value = p.ofManager(a.Name)
		}
		all = append(all, cell{name: a.Name, value: value, bare: a.Form == objects.Flag})
	}
	return p.says(class.Shown, amqerr.Inserts{}) + q.show(all, class.Heading), nil
}

// ofManager gives what a queue manager has where nothing was set.
func (p *performer) ofManager(name string) string {
	switch name {
	case "CMDLEVEL":
		return strconv.Itoa(p.level.Command())
	case "VERSION":
		return p.level.Digits()
	case "CERTLABL":
		return "ibmwebspheremq" + strings.ToLower(p.m.Name())
	case "SSLKEYR":
		return p.m.Status().DataPath + "/ssl/key"
	case "ALTDATE", "ALTTIME":
		return p.ownAttributes()["CR"+strings.TrimPrefix(name, "ALT")]
	}
	return ""
}
