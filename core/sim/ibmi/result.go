package ibmi

import "strings"

// NoteKind says what a message to the job is.
type NoteKind string

// The kinds of message that a command sends beside its escape message.
const (
	Completion NoteKind = "completion" // it was done
	Diagnostic NoteKind = "diagnostic" // why it was not
	Info       NoteKind = "info"       // what else a person should know
)

// Note is a message that a command sent to its job.
type Note struct {
	ID   string // CPC2191
	Text string
	Kind NoteKind
}

// String gives the message as the system utility of PASE prints it (reference,
// IBM i 7.6).
func (n Note) String() string { return n.ID + ": " + n.Text }

// Result is what a command left in the job, also one that failed: messages in
// the order in which they were sent, and what it printed.
type Result struct {
	Messages []Note
	Output   string // of OUTPUT(*PRINT), lines with their ends; empty: nothing was printed
}

// String gives messages and print as one text.
func (r Result) String() string {
	var b strings.Builder
	for _, note := range r.Messages {
		b.WriteString(note.String() + "\n")
	}
	b.WriteString(r.Output)
	return b.String()
}
