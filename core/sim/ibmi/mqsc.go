package ibmi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

// attribute is one attribute of what a DISPLAY shows; an empty value is
// printed as NAME( ).
type attribute[T any] struct {
	name  string
	value func(T) string
}

// display is one DISPLAY command.
type display struct {
	attributes []string
	identity   int                 // how many of them are always shown
	named      bool                // it takes the name of an object
	types      []string            // values of TYPE
	groups     map[string][]string // keywords that stand for several attributes
	headline   string              // of each object
	missing    string              // when nothing fits
	// show gives the values of all attributes, object by object.
	show func(manager *qmgr.Manager, name string) [][]string
}

// displayOf makes the attributes of a display and what it shows.
func displayOf[T any](d display, all func(*qmgr.Manager, string) []T, attributes ...attribute[T]) display {
	for _, a := range attributes {
		d.attributes = append(d.attributes, a.name)
	}
	d.show = func(manager *qmgr.Manager, name string) [][]string {
		var objects [][]string
		for _, object := range all(manager, name) {
			values := make([]string, len(attributes))
			for i, a := range attributes {
				values[i] = a.value(object)
			}
			objects = append(objects, values)
		}
		return objects
	}
	return d
}

// errSyntax says that the queue manager can't read a command: AMQ8405I.
var errSyntax = errors.New("syntax error")

// askMQSC answers a DISPLAY in the layout of runmqsc. A command that it can't
// read is answered with AMQ8405I, as runmqsc does; a queue manager that does
// not run is *observe.Failed with AMQ8146E, and a user who may not ask with
// AMQ8135E.
func (m viewer) askMQSC(q observe.Question) ([]byte, error) {
	manager, err := m.Manager(q.QueueManager)
	if err != nil {
		return nil, err
	}
	if !m.mayAdminister(m.user) {
		return nil, &observe.Failed{Question: q, Body: []byte("AMQ8135E: " + wording.Of("AMQ8135").Text + "\n")}
	}
	if !running(manager) {
		t := wording.Of("AMQ8146")
		return nil, &observe.Failed{Question: q, Body: []byte("AMQ8146E: " + t.Fill(manager.Name()) + "\n")}
	}
	command, err := mqsc.ParseCommand(q.Text)
	if err != nil {
		return nil, fmt.Errorf("reading MQSC: %w", err)
	}
	echo := "     1 : " + command.String() + "\n"
	shown, err := perform(command, manager)
	if err != nil { // what runmqsc prints is an answer too
		shown = "AMQ8405I: Syntax error detected at or near end of command segment below:-\n" + command.String() + "\n"
	}
	return []byte(echo + shown), nil
}

// perform shows what a DISPLAY asks for.
func perform(command mqsc.Command, manager *qmgr.Manager) (string, error) {
	d, known := displayNamed(command.Object())
	if !known || d.named == (command.Name() == "") {
		return "", errSyntax
	}
	wanted, err := d.wanted(command)
	if err != nil {
		return "", err
	}
	filter, err := d.filter(command)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, values := range d.show(manager, command.Name()) {
		if !filter(values) {
			continue
		}
		b.WriteString(d.headline + "\n")
		b.WriteString(d.layout(values, wanted))
	}
	if b.Len() == 0 {
		return strings.ReplaceAll(d.missing, "&1", command.Name()) + "\n", nil
	}
	return b.String(), nil
}

// wanted reads which attributes are asked for; without any, or with ALL, all.
func (d display) wanted(command mqsc.Command) ([]bool, error) {
	wanted := make([]bool, len(d.attributes))
	asked := false
	for _, param := range command.Params[1:] {
		switch names, isGroup := d.groups[param.Keyword]; {
		case param.Keyword == "WHERE":
		case param.Keyword == "TYPE" && param.Values != nil:
			if len(param.Values) != 1 || !slices.Contains(d.types, param.Values[0]) {
				return nil, errSyntax
			}
		case param.Values != nil:
			return nil, errSyntax
		case param.Keyword == "ALL":
			names = d.attributes
			fallthrough
		case isGroup:
			for _, name := range names {
				wanted[slices.Index(d.attributes, name)] = true
			}
			asked = true
		case slices.Contains(d.attributes, param.Keyword):
			wanted[slices.Index(d.attributes, param.Keyword)] = true
			asked = true
		default:
			return nil, errSyntax
		}
	}
	for i := range wanted {
		wanted[i] = wanted[i] || !asked || i < d.identity
	}
	return wanted, nil
}

// columnWidth is how wide the first column of runmqsc is, behind the three
// blanks of each line (reference, IBM i 7.5).
const columnWidth = 40

// layout prints attributes in two columns. One that is too wide for the first
// has its line to itself.
func (d display) layout(values []string, wanted []bool) string {
	var b strings.Builder
	left := ""
	flush := func() {
		if left != "" {
			b.WriteString("   " + left + "\n")
			left = ""
		}
	}
	for i, name := range d.attributes {
		if !wanted[i] {
			continue
		}
		text := name + "(" + either(values[i] == "", " ", values[i]) + ")"
		gap := columnWidth - utf8.RuneCountInString(left)
		if left != "" && gap > 0 {
			left += strings.Repeat(" ", gap) + text
			flush()
			continue
		}
		flush()
		left = text
	}
	flush()
	return b.String()
}
