package ibmi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// kind says what the values of a parameter are.
type kind uint8

const (
	special   kind = iota // one of the special values, and nothing else
	simple                // a name without a library
	object                // a name, with its library or without
	generic               // likewise, or the beginning of names: AMQA00*
	character             // text, in quotes or not: names of queues and queue managers
	number                // a whole number from low to high
	key                   // of a message: X'0000002A' or a number
	anything              // what changes nothing here
)

// parameter is one parameter of a command.
type parameter struct {
	keyword  string
	kind     kind
	required bool
	// specials are values with an asterisk that may stand instead of a name,
	// a text or a number.
	specials []string
	// fallback is what holds when the parameter is left out; empty: nothing.
	fallback string
	// most values that it takes; 0: one.
	most int
	// low and high bound a number, high the characters of a text.
	low, high int64
	// silent: what is wrong with a value never reaches who gave the command,
	// who sees CPF0006 alone (trap 14 of the reference).
	silent bool
}

// accepts tells whether a value is one that the parameter takes.
func (p parameter) accepts(v cl.Value) bool {
	if p.isSpecial(v) {
		return true
	}
	switch p.kind {
	case anything:
		return true
	case simple:
		q, ok := v.Qualified()
		return ok && q.Library == "" && cl.CheckName(q.Name) == nil || v.Kind == cl.Text && cl.CheckName(v.Text) == nil
	case object:
		return qualified(v, cl.CheckName)
	case generic:
		return qualified(v, checkGeneric)
	case character:
		return (v.Kind == cl.Word || v.Kind == cl.Text) && v.Text != "" && int64(len(v.Text)) <= p.high && !strings.HasPrefix(v.Text, "&")
	case number:
		n, err := strconv.ParseInt(v.Text, 10, 64)
		return v.Kind == cl.Word && err == nil && p.low <= n && n <= p.high
	case key:
		_, ok := messageKey(v)
		return ok
	default:
		return false
	}
}

// count says how many values the parameter takes.
func (p parameter) count() string {
	if p.most > 1 {
		return "1 to " + os400.Counted(p.most, "value")
	}
	return "1 value"
}

// allowed says which values the parameter takes, for who gave another.
func (p parameter) allowed() string {
	forms := map[kind]string{
		simple: "a name", object: "a name, also LIBRARY/NAME", generic: "a name, also LIBRARY/NAME and with * at its end",
		character: fmt.Sprintf("1 to %d characters", p.high), number: fmt.Sprintf("%d to %d", p.low, p.high),
		key: "a message key, X'0000002A' or a number",
	}
	all := p.specials
	if form, ok := forms[p.kind]; ok {
		all = append([]string{form}, all...)
	}
	return strings.Join(all, ", ")
}

// isSpecial tells whether a value is one of the parameter's special values. In
// quotes they are the same.
func (p parameter) isSpecial(v cl.Value) bool {
	for _, word := range p.specials {
		if v.Is(word) || v.Kind == cl.Text && strings.EqualFold(v.Text, word) {
			return true
		}
	}
	return false
}

// qualified tells whether a value is a name that check takes, in a library
// that has a name, is the job's current one or on its list.
func qualified(v cl.Value, check func(string) error) bool {
	q, ok := v.Qualified()
	if !ok || check(q.Name) != nil {
		return false
	}
	return q.Library == "" || onList(q.Library) || cl.CheckName(q.Library) == nil
}

// onList tells the special values that stand for the job's libraries.
func onList(library string) bool { return library == "*LIBL" || library == "*CURLIB" }

// checkGeneric takes a name, or the beginning of one with an asterisk.
func checkGeneric(name string) error { return cl.CheckName(strings.TrimSuffix(name, "*")) }

// messageKey reads the key of a message, four bytes in hexadecimal as
// MESSAGE_QUEUE_INFO shows them or a number.
func messageKey(v cl.Value) (uint64, bool) {
	base := 10
	switch v.Kind {
	case cl.Hex:
		base = 16
	case cl.Word:
	default:
		return 0, false
	}
	n, err := strconv.ParseUint(v.Text, base, 64)
	return n, err == nil && n > 0
}
