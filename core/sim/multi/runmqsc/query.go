package runmqsc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// query is what a DISPLAY asks for.
type query struct {
	name    string
	all     bool
	wanted  map[string]bool
	options map[string]string // TYPE(QLOCAL)
	where   *filter
}

// shape says what a DISPLAY may ask for.
type shape struct {
	named   bool                // it takes the name of an object
	knows   func(string) bool   // an attribute
	groups  map[string][]string // keywords that stand for several
	options []string            // keywords with one value
	plain   bool                // without WHERE
}

// query reads a DISPLAY. Without attributes it asks for all, but of a generic
// name for those alone that tell objects apart ("DISPLAY QUEUE": ALL is the
// default if the name is not generic).
func (s shape) query(command mqsc.Command) (query, error) {
	q := query{name: command.Name(), wanted: map[string]bool{}, options: map[string]string{}}
	if values := command.Params[0].Values; s.named != (len(values) == 1 && values[0] != "") || !s.named && values != nil {
		return q, &syntaxError{0}
	}
	for i, param := range command.Params[1:] {
		if !s.take(&q, param) {
			return q, &syntaxError{i + 1}
		}
	}
	if len(q.wanted) == 0 && !strings.HasSuffix(q.name, "*") {
		q.all = true
	}
	if q.where != nil {
		q.wanted[q.where.name] = true
	}
	return q, nil
}

// take takes one parameter; false: the DISPLAY has none such.
func (s shape) take(q *query, param mqsc.Param) bool {
	keyword := param.Keyword
	switch group, isGroup := s.groups[keyword]; {
	case keyword == "WHERE" && !s.plain:
		q.where = newFilter(param.Values)
		return q.where != nil && s.knows(q.where.name)
	case slices.Contains(s.options, keyword) && len(param.Values) == 1:
		q.options[keyword] = param.Values[0]
	case param.Values != nil:
		return false
	case keyword == "ALL":
		q.all = true
	case isGroup:
		for _, name := range group {
			q.wanted[name] = true
		}
	case s.knows(keyword) || slices.Contains(s.options, keyword):
		q.wanted[keyword] = true
	default:
		return false
	}
	return true
}

// shows tells whether an attribute is to be shown.
func (q query) shows(name string) bool { return q.all || q.wanted[name] }

// filter is WHERE(attribute operator value).
type filter struct {
	name, value string
	holds       func(value, wanted string) bool
}

func newFilter(values []string) *filter {
	if len(values) != 3 {
		return nil
	}
	holds, known := operators[values[1]]
	if !known {
		return nil
	}
	return &filter{values[0], values[2], holds}
}

// passes tells whether an object is shown: it has the attribute, and its value
// fits.
func (q query) passes(cells []cell) bool {
	if q.where == nil {
		return true
	}
	i := slices.IndexFunc(cells, func(c cell) bool { return c.name == q.where.name })
	return i >= 0 && q.where.holds(cells[i].value, q.where.value)
}

// operators are those of WHERE ("DISPLAY QUEUE": filter conditions). CT and EX
// are for lists.
var operators = map[string]func(value, wanted string) bool{
	"EQ":  func(a, b string) bool { return compare(a, b) == 0 },
	"NE":  func(a, b string) bool { return compare(a, b) != 0 },
	"LT":  func(a, b string) bool { return compare(a, b) < 0 },
	"GT":  func(a, b string) bool { return compare(a, b) > 0 },
	"LE":  func(a, b string) bool { return compare(a, b) <= 0 },
	"GE":  func(a, b string) bool { return compare(a, b) >= 0 },
	"LK":  func(a, b string) bool { return objects.Fits(b, a) },
	"NL":  func(a, b string) bool { return !objects.Fits(b, a) },
	"CT":  contains,
	"EX":  func(a, b string) bool { return !contains(a, b) },
	"CTG": containsLike,
	"EXG": func(a, b string) bool { return !containsLike(a, b) },
}

func contains(list, wanted string) bool { return slices.Contains(strings.Split(list, ","), wanted) }

func containsLike(list, wanted string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(part string) bool { return objects.Fits(wanted, part) })
}

// compare compares numbers as numbers and everything else as text.
func compare(a, b string) int {
	n, err := strconv.ParseInt(a, 10, 64)
	other, err2 := strconv.ParseInt(b, 10, 64)
	if err == nil && err2 == nil {
		return cmp.Compare(n, other)
	}
	return strings.Compare(a, strings.TrimSpace(b))
}
