package os400

import (
	"fmt"
	"strconv"
	"strings"
)

// row is a message of the operating system as this simulator words it.
// Identifiers are documented or marked as unverified; no source gives the
// exact texts of most, so all that stands in this one table.
type row struct {
	id       string
	severity int
	text     string // with &1 and so on for the substitution variables
	reply    string // default reply of an inquiry
	verified bool   // a source ties this id to this meaning
	source   string
}

// rows are sorted by id, those of one id may be used for more than one cause
// only where the manual does so.
var rows = []row{
	{"CPA4067", 99, "Save file &1 in &2 already contains data. (C G) It was answered with C; CLEAR(*ALL) replaces the data.", "C", false, "from memory; jobs do not wait for it here"},
	{"CPA7025", 99, "Receiver &1 in &2 never fully saved. (I C)", "I", true, "reference, IBM i 3.4 [S54,S43]"},
	{"CPA705E", 99, "Receiver &1 in &2 is attached to an inactive remote journal. (I C)", "C", true, "reference, IBM i 3.4 [S23]; default reply ours"},
	{"CPA7090", 99, "Entry not journaled to journal &1 in &2, receiver &8 in &9. Reason code &3: &10. (C R)", "C", true, "reference, IBM i 3.4 [S44]; the reason in words is of the second level"},
	{"CPF0006", 40, "Errors occurred in command: &1.", "", true, "reference, IBM i 3.3 [S43]"},
	{"CPF2105", 40, "Object &1 in &2 type *&3 not found.", "", false, "reference, IBM i 3.4, from memory"},
	{"CPF2110", 40, "Library &1 not found.", "", false, "reference, IBM i 3.4, from memory"},
	{"CPF2111", 40, "Library &1 already exists.", "", false, "from memory"},
	{"CPF2112", 40, "Object &1 in &2 type *&3 already exists.", "", false, "from memory"},
	{"CPF2410", 40, "Message key &1 not found in message queue &2.", "", false, "from memory"},
	{"CPF2420", 40, "Reply already sent for message &1.", "", false, "from memory"},
	{"CPF2422", 40, "Reply &1 not valid for message &2: it takes &3.", "", false, "from memory"},
	{"CPF2432", 40, "Message &1 is no inquiry: no reply can be sent.", "", false, "from memory"},
	{"CPF2555", 40, "Sequence number &1 already defined in the system reply list.", "", false, "from memory"},
	{"CPF2556", 40, "Sequence number &1 not defined in the system reply list.", "", false, "from memory"},
	{"CPF3707", 40, "Save file &1 in &2 contains no data.", "", false, "from memory"},
	{"CPF3770", 40, "No objects saved or restored for library &1.", "", false, "from memory"},
	{"CPF3771", 40, "&1 saved from &2. &3 not saved or not freed: &4.", "", false, "from memory"},
	{"CPF3773", 40, "&1 restored. &2 not restored to &3, they are there: &4.", "", false, "from memory"},
	{"CPF3782", 40, "File &1 in &2 is not a save file.", "", false, "from memory"},
	{"CPF7010", 40, "Object &1 in &2 type *&3 already exists.", "", false, "from memory"},
	{"CPF7018", 40, "Sequence number of journal &1 in &2 can't be set: &3.", "", true, "reference, IBM i 1.4 [S29]"},
	{"CPF7019", 70, "Sequence number of journal &1 in &2 should be reset: &3.", "", true, "reference, IBM i 1.4 [S30]"},
	{"CPF701A", 40, "Receiver &1 in &2 can't be attached: &3.", "", false, "id and meaning (receiver not eligible) from memory"},
	{"CPF7020", 0, "Journal receiver &1 in &2 was detached by the system.", "", true, "reference, IBM i 1.3 [S28]"},
	{"CPF7021", 40, "Receiver &1 in &2 not deleted: it is not the first of its chain.", "", false, "reference, IBM i 3.4: CPF7021 to CPF7025, mapping ours"},
	{"CPF7022", 40, "Receiver &1 in &2 not deleted: it is attached to a journal.", "", false, "reference, IBM i 3.4, mapping ours"},
	{"CPF7023", 40, "Receiver &1 in &2 not deleted: an exit program did not allow it: &3.", "", false, "reference, IBM i 3.4, mapping ours"},
	{"CPF7024", 40, "Receiver &1 in &2 not deleted: the reply to &3 was C.", "", false, "reference, IBM i 3.4, mapping ours"},
	{"CPF7053", 40, "Receiver &1 in &2 can't be read: break in the receivers.", "", true, "reference, IBM i 1.8 [S40]"},
	{"CPF705E", 40, "Receiver &1 in &2 not deleted: a remote journal has not received all of it.", "", false, "reference, IBM i 3.4, mapping ours"},
	{"CPF707F", 40, "&1 can't be restored to library &2: it belongs to library &3.", "", true, "reference, IBM i 3.4 [S44]"},
	{"CPF7099", 80, "Threshold of receiver &1 in &2 exceeded: attach a new one.", "", true, "reference, IBM i 1.3 [S28]"},
	{"CPF70E3", 40, "Journal &1 in &2 not changed: &3.", "", false, "reference, IBM i 1.7 [S43]; seen, not documented"},
	{"CPF8136", 40, "Journal receiver &1 in &2 is damaged.", "", true, "reference, IBM i 1.5 [S24]"},
	{"CPF9801", 40, "Object &1 in library &2 type *&3 not found.", "", true, "reference, IBM i 3.4 [S45]"},
	{"CPF9803", 40, "Cannot allocate object &1 in library &2: &3.", "", false, "from memory"},
	{"CPF9810", 40, "Library &1 not found.", "", true, "reference, IBM i 3.4 [S45]"},
	{"CPI70E1", 80, "Automatic deletion of receiver &1 in &2 failed: &3.", "", true, "reference, IBM i 1.7 [S27]"},
	{"CPI70E3", 80, "Journal &1 in &2: no new receiver attached, &3 in &4 exists. System management of receivers ended.", "", true, "reference, IBM i 1.1 [S5]"},
	{"CPI70E6", 80, "Receiver &1 in &2 not deleted automatically, will be tried again: &3.", "", true, "reference, IBM i 1.7 [S27]"},
	{"CPI70E7", 80, "Sequence number of journal &1 in &2 is near the maximum: &3.", "", true, "reference, IBM i 1.4 [S27]; how near is ours"},
	{"SIM0101", 40, "Journal &1 in &2 is in use: a queue manager writes it.", "", false, "ours: the message of the system is not known"},
}

// rowOf gives the row of an id that is in the table.
func rowOf(id string) *row {
	for i := range rows {
		if rows[i].id == id {
			return &rows[i]
		}
	}
	panic("no such message in the table: " + id)
}

// fill puts substitution variables in a text.
func (t *row) fill(args []any) string {
	out := t.text
	for i := len(args); i > 0; i-- {
		out = strings.ReplaceAll(out, fmt.Sprintf("&%d", i), fmt.Sprint(args[i-1]))
	}
	return out
}

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
	e.Text = rowOf(id).fill(variables(object, args))
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
	t := rowOf(id)
	kind := Informational
	if t.reply != "" {
		kind = Inquiry
	}
	return Message{
		ID: id, Kind: kind, Severity: t.severity, Text: t.fill(variables(object, args)),
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
