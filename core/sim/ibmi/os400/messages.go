package os400

import (
	"fmt"
	"strconv"

	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

// Error is an escape message: a command that was refused.
type Error struct {
	ID     string // CPF7022
	Text   string
	Object ID    // that it was about; zero: none
	Err    error // cause, nil if the message says all
}

// Error gives "CPF7022: text": what a person is shown. The cause, which is the
// simulator's and not the system's, is for errors.Is and errors.As.
func (e *Error) Error() string { return e.ID + ": " + e.Text }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Escape makes an escape message of the table. The first two substitution
// variables are the object's name and library, args the ones behind them. An
// object without a library leaves the second to args. An argument that is an
// error is the cause as well.
func Escape(id string, object ID, args ...any) *Error {
	e := &Error{ID: id, Object: object}
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			e.Err, args[i] = err, err.Error()
		}
	}
	e.Text = wording.Of(id).Fill(variables(object, args)...)
	return e
}

func variables(object ID, args []any) []any {
	all := []any{}
	if object.Name != "" {
		all = append(all, object.Name)
	}
	if object.Library != "" {
		all = append(all, object.Library)
	}
	return append(all, args...)
}

// message makes a message for a queue of a row of the table.
func message(id string, object ID, args ...any) Message {
	t := wording.Of(id)
	kind := Informational
	if t.Reply != "" {
		kind = Inquiry
	}
	return Message{
		ID: id, Kind: kind, Severity: t.Severity, Text: t.Fill(variables(object, args)...),
		Tokens: fmt.Sprintf("%-10s%-10s", object.Name, object.Library), User: "QSYS", Program: "QJOURNAL",
	}
}

// missing is the escape for an object that is not there.
func missing(id ID, kind string) *Error { return Escape("CPF9801", id, kind) }

// Counted gives a number of things as a message says it: 1 object, 2 objects.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
