package cl

import "strings"

// Kind says what a value is.
type Kind uint8

// The kinds of value.
const (
	Word  Kind = iota // a name, number, special value, variable or operator: AMQA000008, *ALL, &LIB, LIB/NAME
	Text              // quoted text, without its quotes and with doubled quotes made single
	Hex               // X'C1C2': the digits, in capitals
	List              // (A B)
	Keyed             // a word with a list right behind it: a command's keyword within a value, or %SST(...)
)

// Value is one value of a parameter. Text holds a word, quoted text, hex
// digits or the word of a keyed value; Values holds what a list or a keyed
// value has in its brackets.
type Value struct {
	Kind   Kind
	Text   string
	Values []Value
}

// Qualified is a name with the library it is in: LIB/NAME. The library is
// empty when none was given, and may be a special value such as *LIBL.
type Qualified struct{ Library, Name string }

// String gives LIB/NAME, or NAME without a library.
func (q Qualified) String() string {
	if q.Library == "" {
		return q.Name
	}
	return q.Library + "/" + q.Name
}

// Qualified reads a word as NAME or LIB/NAME; the name may be generic or a
// special value. False for any other kind, for an empty part and for more
// than one qualifier (JOB names have two).
func (v Value) Qualified() (Qualified, bool) {
	if v.Kind != Word {
		return Qualified{}, false
	}
	parts := splitQualified(v.Text)
	switch {
	case len(parts) == 1 && parts[0] != "":
		return Qualified{Name: parts[0]}, true
	case len(parts) == 2 && parts[0] != "" && parts[1] != "":
		return Qualified{Library: parts[0], Name: parts[1]}, true
	default:
		return Qualified{}, false
	}
}

// splitQualified splits at slashes that are not within double quotes.
func splitQualified(text string) []string {
	var parts []string
	start, quoted := 0, false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '/' && !quoted:
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	return append(parts, text[start:])
}

// Is tells whether the value is the given word, such as *PRINT, in any case.
func (v Value) Is(word string) bool { return v.Kind == Word && strings.EqualFold(v.Text, word) }

// Walk calls visit for the value and for every value within it, outermost
// first.
func (v Value) Walk(visit func(Value)) {
	visit(v)
	for _, inner := range v.Values {
		inner.Walk(visit)
	}
}

// String prints the value as CL reads it. A word that CL would not read as one
// word is printed as quoted text.
func (v Value) String() string {
	var b strings.Builder
	v.print(&b)
	return b.String()
}

func (v Value) print(b *strings.Builder) {
	switch v.Kind {
	case Word:
		if !isWord(v.Text) {
			b.WriteString(quote(v.Text))
			return
		}
		b.WriteString(v.Text)
	case Text:
		b.WriteString(quote(v.Text))
	case Hex:
		b.WriteString("X" + quote(v.Text))
	case Keyed:
		b.WriteString(v.Text)
		printList(b, v.Values)
	default:
		printList(b, v.Values)
	}
}

func (v Value) atom() bool { return v.Kind == Word || v.Kind == Text || v.Kind == Hex }

func (v Value) signed() bool {
	return v.Kind == Word && (strings.HasSuffix(v.Text, "+") || strings.HasSuffix(v.Text, "-"))
}

func printList(b *strings.Builder, values []Value) {
	b.WriteByte('(')
	for i, value := range values {
		if i > 0 {
			b.WriteByte(' ')
		}
		value.print(b)
	}
	b.WriteByte(')')
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
