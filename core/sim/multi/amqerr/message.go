package amqerr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/multi/level"
)

// Text is a row of the table: what the catalogue of messages has for an id.
// In its texts {A1}, {A2} and {C1} to {C3} stand for the inserts, {P} for the
// name of the product.
type Text struct {
	ID       string // AMQ7467, without the letter of its severity
	Severity byte   // I, W, E, S or T
	Text     string
	// Explanation and Action stand in the error log below the message; empty:
	// nothing is known of them, and a sentence of the simulator's own stands
	// there.
	Explanation, Action string
	// Source says where the id and what it is about are from. Wordings are
	// exact only where it says so.
	Source string
}

// Inserts are the variables of a message.
type Inserts struct {
	A1, A2     int64
	C1, C2, C3 string
	// Percent stands in the place of A1 with two decimals, as AMQ5782 has it;
	// 0: it has none.
	Percent float64
}

// arith gives the arithmetic inserts as they are printed; empty: not used.
func (i Inserts) arith() [2]string {
	var texts [2]string
	for n, value := range []int64{i.A1, i.A2} {
		if value != 0 {
			texts[n] = fmt.Sprint(value)
		}
	}
	if percent := i.percent(); percent != "" {
		texts[0] = percent
	}
	return texts
}

func (i Inserts) percent() string {
	if i.Percent > 0 && i.Percent <= 100 {
		return fmt.Sprintf("%.2f", i.Percent)
	}
	return ""
}

func (i Inserts) comment() [3]string { return [3]string{i.C1, i.C2, i.C3} }

// Of gives the row of an id. Ids are constants of the program; one that is not
// in the table is a mistake in it.
func Of(id string) Text {
	i, ok := slices.BinarySearchFunc(Table, id, func(t Text, id string) int { return strings.Compare(t.ID, id) })
	if !ok {
		panic("no such message in the table: " + id)
	}
	return Table[i]
}

// Known tells whether the table has an id.
func Known(id string) bool {
	_, ok := slices.BinarySearchFunc(Table, id, func(t Text, id string) int { return strings.Compare(t.ID, id) })
	return ok
}

// fill puts inserts into one of the texts.
func fill(text string, l level.Level, i Inserts) string {
	first := i.percent()
	if first == "" {
		first = fmt.Sprint(i.A1)
	}
	return strings.NewReplacer(
		"{A1}", first, "{A2}", fmt.Sprint(i.A2), "{C1}", i.C1, "{C2}", i.C2, "{C3}", i.C3, "{P}", l.Product(),
	).Replace(text)
}

// Say gives the message as a command of a release prints it, on one line:
// "AMQ8005I: IBM MQ queue manager changed."
func Say(l level.Level, id string, i Inserts) string {
	t := Of(id)
	return t.head(l) + fill(t.Text, l, i)
}

// Prose gives the text of the message without its id, as commands of 7.x print
// some of theirs ("Object QL.A, type qlocal recreated."; reference,
// Multiplatforms 3.4 item 66).
func Prose(l level.Level, id string, i Inserts) string { return fill(Of(id).Text, l, i) }

// head gives "AMQ8005I: ".
func (t Text) head(l level.Level) string {
	if l.Severity() {
		return t.ID + string(rune(t.Severity)) + ": "
	}
	return t.ID + ": "
}
