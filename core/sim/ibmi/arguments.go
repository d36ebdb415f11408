package ibmi

import (
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// arguments are the values of a command's parameters by keyword, those that
// were left out with their defaults.
type arguments map[string][]cl.Value

// fault says what is wrong with a command: the id of a diagnostic message of
// package wording and its data. Silent ones are not told.
type fault struct {
	id     string
	args   []any
	silent bool
}

// read holds the parameters of a command against its row of the table and
// gives all that is wrong with them.
func (c *command) read(given cl.Command) (arguments, []fault) {
	args, faults := arguments{}, []fault(nil)
	for i, param := range given.Params {
		p, wrong := c.parameterAt(i, param)
		if wrong != nil {
			faults = append(faults, *wrong)
			continue
		}
		if _, twice := args[p.keyword]; twice {
			faults = append(faults, fault{id: "CPD0041", args: []any{p.keyword}})
			continue
		}
		values, wrong := p.check(param.Values)
		if wrong != nil {
			faults = append(faults, *wrong)
		}
		args[p.keyword] = values
	}
	return args, append(faults, c.complete(args)...)
}

// parameterAt finds the parameter that is meant: by its keyword, or by its
// place when it has none.
func (c *command) parameterAt(place int, given cl.Param) (*parameter, *fault) {
	if given.Keyword == "" {
		if place >= c.positional {
			return nil, &fault{id: "CPD0031", args: []any{c.name, os400.Counted(c.positional, "positional parameter")}}
		}
		return &c.params[place], nil
	}
	for i := range c.params {
		if c.params[i].keyword == given.Keyword {
			return &c.params[i], nil
		}
	}
	return nil, &fault{id: "CPD0043", args: []any{given.Keyword}}
}

// check holds the values of a parameter against what it takes and gives them,
// special values as words in capitals.
func (p *parameter) check(given []cl.Value) ([]cl.Value, *fault) {
	if len(given) == 0 || len(given) > max(p.most, 1) && p.kind != anything {
		return given, &fault{id: "CPD0038", args: []any{p.keyword, p.count(), len(given)}, silent: p.silent}
	}
	var values []cl.Value
	for _, v := range given {
		switch {
		case p.isSpecial(v):
			v = cl.Value{Text: strings.ToUpper(v.Text)}
		case !p.accepts(v):
			return given, &fault{id: "CPD0084", args: []any{p.keyword, v.String(), p.allowed()}, silent: p.silent}
		}
		values = append(values, v)
	}
	return values, nil
}

// complete puts the defaults in and complains about what is missing.
func (c *command) complete(args arguments) []fault {
	var faults []fault
	for _, p := range c.params {
		if _, given := args[p.keyword]; given {
			continue
		}
		switch {
		case p.required:
			faults = append(faults, fault{id: "CPD0071", args: []any{p.keyword}})
		case p.fallback != "":
			args[p.keyword] = []cl.Value{{Text: p.fallback}}
		}
	}
	return faults
}

// given tells whether a parameter has a value, be it the default.
func (a arguments) given(keyword string) bool { return len(a[keyword]) > 0 }

// text gives the value of a parameter, as it stands; empty when it has none.
func (a arguments) text(keyword string) string {
	if !a.given(keyword) {
		return ""
	}
	return a[keyword][0].Text
}

// texts gives all values of a parameter.
func (a arguments) texts(keyword string) []string {
	var all []string
	for _, v := range a[keyword] {
		all = append(all, v.Text)
	}
	return all
}

// has tells whether one of the values of a parameter is the word.
func (a arguments) has(keyword, word string) bool {
	for _, v := range a[keyword] {
		if v.Text == word {
			return true
		}
	}
	return false
}

// number gives the value of a numeric parameter, 0 for a special value.
func (a arguments) number(keyword string) int64 {
	n, err := strconv.ParseInt(a.text(keyword), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// object gives the object that a parameter names; without a library, or with
// one of the job's list, it is in the given one.
func (a arguments) object(keyword, library string) os400.ID {
	if !a.given(keyword) {
		return os400.ID{}
	}
	q, _ := a[keyword][0].Qualified()
	if q.Library == "" || onList(q.Library) {
		q.Library = library
	}
	return os400.ID{Library: q.Library, Name: q.Name}
}
