// Package wording is the one table of the messages that a simulated IBM i sends:
// those of the operating system, of IBM MQ and of the simulator itself.
//
// Ids and what a message is about are documented where a row says so. Next to
// no source gives exact texts, severities and the order of substitution data,
// so all that stands here and nowhere else: whoever finds out more mends a row.
// Ids SIMnnnn stand where no id of a product is known.
package wording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Message is a row of the table.
type Message struct {
	ID       string
	Severity int
	// Text of the first level; &1, &2 and so on stand for the variables.
	Text string
	// Old is the text of an older form of the product, and OldData what it
	// carries; empty: it is the same.
	Old     string
	OldData []Variable
	Help    string // second level
	// Reply is the default reply of an inquiry.
	Reply string
	// Variables by their number in the text, where something asks for them by
	// name.
	Variables []Variable
	// Verified: a source ties this id to this meaning.
	Verified bool
	Source   string
}

// Variable is a substitution variable and its width in characters in the
// substitution data; 0: it is not in there.
type Variable struct {
	Name  string
	Width int
}

// Of gives the row of an id. Ids are constants of the program; one that is not
// in the table is a mistake in it.
func Of(id string) Message {
	i, ok := slices.BinarySearchFunc(Table, id, func(m Message, id string) int { return strings.Compare(m.ID, id) })
	if !ok {
		panic("no such message in the table: " + id)
	}
	return Table[i]
}

// Fill puts values in the text, in the order of their numbers.
func (m Message) Fill(values ...any) string { return fill(m.Text, values) }

func fill(text string, values []any) string {
	pairs := make([]string, 0, 2*len(values))
	for i := len(values); i > 0; i-- { // &10 before &1
		pairs = append(pairs, "&"+strconv.Itoa(i), fmt.Sprint(values[i-1]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Say gives text and substitution data with the values of the variables by
// their names, in the older form if that is asked for and there is one.
func (m Message) Say(named map[string]string, old bool) (text, data string) {
	text, variables := m.Text, m.Variables
	if old && m.Old != "" {
		text, variables = m.Old, m.OldData
	}
	values := make([]any, len(m.Variables))
	for i, v := range m.Variables {
		values[i] = named[v.Name]
	}
	var b strings.Builder
	for _, v := range variables {
		if v.Width > 0 {
			fmt.Fprintf(&b, "%-*.*s", v.Width, v.Width, named[v.Name])
		}
	}
	return fill(text, values), b.String()
}
