package connect

import (
	"slices"

	"github.com/mqhk/mqhk/core/cl"
)

// authorityOrder is the order in which authorities are written, those of GRTOBJAUT.
var authorityOrder = []string{
	"*OBJOPR", "*OBJMGT", "*OBJEXIST", "*OBJALTER", "*OBJREF", "*READ", "*ADD", "*UPD", "*DLT", "*EXECUTE",
}

// use is what *USE stands for.
var use = []string{"*OBJOPR", "*READ", "*EXECUTE"}

// union gives the words of several lists once, in order; *USE where they are
// just that.
func union(lists ...[]string) []string {
	all := slices.Concat(lists...)
	if slices.Contains(all, "*USE") {
		all = append(all, use...)
	}
	words := slices.DeleteFunc(slices.Clone(authorityOrder), func(word string) bool { return !slices.Contains(all, word) })
	if slices.Equal(words, use) {
		return []string{"*USE"}
	}
	return words
}

// checkObject gives CHKOBJ OBJ(library/name) OBJTYPE() AUT(): the test of an
// authority that changes nothing.
func checkObject(o object, words []string) (string, error) {
	return o.statement("CHKOBJ", nil, words)
}

// grantObject gives GRTOBJAUT of these authorities to a user.
func grantObject(o object, user string, words []string) (string, error) {
	if err := cl.CheckName(user); err != nil {
		return "", err
	}
	return o.statement("GRTOBJAUT", []cl.Param{param("USER", user)}, words)
}

// object is an object of the system.
type object struct {
	library, name string // the name may end in * where it is to be granted
	kind          string // *JRN
}

// statement gives a command on the object.
func (o object) statement(command string, more []cl.Param, words []string) (string, error) {
	plain := o.name
	if n := len(plain); n > 1 && plain[n-1] == '*' {
		plain = plain[:n-1]
	}
	for _, name := range []string{o.library, plain} {
		if err := cl.CheckName(name); err != nil {
			return "", err
		}
	}
	params := append([]cl.Param{param("OBJ", o.String()), param("OBJTYPE", o.kind)}, more...)
	return cl.Command{Name: command, Params: append(params, param("AUT", words...))}.String(), nil
}

// String gives LIBRARY/NAME.
func (o object) String() string { return cl.Qualified{Library: o.library, Name: o.name}.String() }

func param(keyword string, words ...string) cl.Param {
	values := make([]cl.Value, len(words))
	for i, word := range words {
		values[i] = cl.Value{Text: word}
	}
	return cl.Param{Keyword: keyword, Values: values}
}
