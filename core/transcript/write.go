package transcript

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// title is the comment that begins every written transcript.
const title = "# mqhk transcript\n"

// WriteTo writes the transcript in its canonical form, which [Parse] reads
// back to an equal one: one header a line, every body in the file itself, as
// text where that loses nothing and as BASE64 where it would. A question that
// no header can hold, such as one with " # " in it, is an error that names
// it, and so is an answer of the host that Parse would refuse because nobody
// would ask for it; nothing is written then.
func (t *Transcript) WriteTo(w io.Writer) (int64, error) {
	if _, wrong := hostMistake(t.entries, declaredNames(t.entries)); wrong != "" {
		return 0, fmt.Errorf("writing transcript: %s", visible(wrong))
	}
	var out bytes.Buffer
	out.WriteString(title)
	for _, e := range t.entries {
		if err := writeEntry(&out, e); err != nil {
			return 0, fmt.Errorf("writing transcript: %w", err)
		}
	}
	return out.WriteTo(w)
}

func writeEntry(out *bytes.Buffer, e entry) error {
	line, body := headerLine(e), []byte(nil)
	if b, ok := e.(*block); ok {
		body = escape(b.body)
		if !textual(b.body) {
			line += " BASE64"
			body = encode(b.body)
		}
	}
	if err := readsBack(line, e); err != nil {
		return err
	}
	out.WriteString(mark + " " + line + "\n")
	out.Write(body)
	return nil
}

// headerLine writes an entry's header without the mark.
func headerLine(e entry) string {
	switch e := e.(type) {
	case *clock:
		return strings.Join(strings.Fields("CLOCK "+e.manager+" "+e.at.Format(time.RFC3339Nano)), " ")
	case *target:
		word := "QMGR"
		if e.group {
			word = "QSG"
		}
		return fmt.Sprintf("%s %s %s", word, e.name, e.platform)
	case *zone:
		return fmt.Sprintf("ZONE %s %s", e.name, e.area)
	case *member:
		state := "ended"
		if e.active {
			state = "active"
		}
		return fmt.Sprintf("MEMBER %s %s %s", e.manager, e.group, state)
	case *block:
		line := string(e.language) + " " + e.manager
		if e.failed {
			line = "ERROR " + line
		}
		switch {
		case strings.HasPrefix(e.text, "#"): // with a blank before it, it would begin a comment
			line += ":" + e.text
		case e.text != "":
			line += ": " + e.text
		}
		return line
	}
	return ""
}

// readsBack makes sure that a header says what it was made from.
func readsBack(line string, e entry) error {
	h, err := parseHeader(" " + line)
	if err == nil && utf8.ValidString(line) && !strings.ContainsAny(line, "\r\n") && h.attach == "" && sameHeader(h.entry, e) {
		return nil
	}
	if b, ok := e.(*block); ok {
		return fmt.Errorf("question %q cannot be written in a header", b.question().String())
	}
	return fmt.Errorf("%q is no header", line)
}

func sameHeader(a, b entry) bool {
	x, ok := a.(*block)
	y, both := b.(*block)
	if ok && both {
		return x.question() == y.question() && x.failed == y.failed
	}
	return reflect.DeepEqual(a, b)
}
