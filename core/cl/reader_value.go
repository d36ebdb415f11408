package cl

import "strings"

// value reads one value; depth counts the brackets around it.
func (r *reader) value(depth int) (Value, error) {
	switch c := r.peek(); {
	case depth > maxDepth:
		return Value{}, r.fail("too many brackets")
	case c == '(':
		values, err := r.list(depth)
		return Value{Kind: List, Values: values}, err
	case c == '\'':
		text, err := r.quoted()
		return Value{Kind: Text, Text: text}, err
	}
	word, err := r.until(0)
	switch {
	case err != nil:
		return Value{}, err
	case word == "X" && r.peek() == '\'':
		return r.hex()
	case r.peek() == '(' && keyword(strings.TrimPrefix(word, "%")):
		values, err := r.list(depth)
		return Value{Kind: Keyed, Text: word, Values: values}, err
	}
	return Value{Kind: Word, Text: word}, nil
}

// list reads ( value ... ). Values are apart by blanks, but brackets need none
// in front of them.
func (r *reader) list(depth int) ([]Value, error) {
	open := r.i
	r.i++
	var values []Value
	for {
		apart := r.gap()
		switch c := r.peek(); {
		case c == 0:
			r.i = open
			return nil, r.fail("a bracket is not closed")
		case c == ')':
			r.i++
			return values, nil
		case len(values) > 0 && !apart && c != '(' && r.text[r.i-1] != ')':
			return nil, r.fail("a blank is missing between two values")
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
}

// quoted reads text in quotes; a doubled quote within stands for one.
func (r *reader) quoted() (string, error) {
	open := r.i
	var b strings.Builder
	for r.i++; r.i < len(r.text); r.i++ {
		if r.text[r.i] != '\'' {
			b.WriteRune(r.text[r.i])
			continue
		}
		if r.i++; r.peek() != '\'' {
			return b.String(), nil
		}
		b.WriteByte('\'')
	}
	r.i = open
	return "", r.fail("quoted text is not closed")
}

func (r *reader) hex() (Value, error) {
	digits, err := r.quoted()
	if err != nil {
		return Value{}, err
	}
	digits = strings.ToUpper(digits)
	if len(digits)%2 != 0 || strings.Trim(digits, "0123456789ABCDEF") != "" {
		return Value{}, r.fail("no pairs of hexadecimal digits")
	}
	return Value{Kind: Hex, Text: digits}, nil
}

// until reads a word, in capitals but for what is in double quotes, up to the
// stop character or the first that no word holds.
func (r *reader) until(stop rune) (string, error) {
	start := r.i
	var b strings.Builder
	for c := r.peek(); c == '"' || c != stop && wordChar(c); c = r.peek() {
		if c != '"' {
			b.WriteRune(capitals(c))
			r.i++
			continue
		}
		name, err := r.quotedName()
		if err != nil {
			return "", err
		}
		b.WriteString(name)
	}
	if !isWord(b.String()) {
		r.i = start
		return "", r.fail("a value or a name was expected")
	}
	return b.String(), nil
}

// quotedName reads a name in double quotes, and drops them where the name is
// the same without.
func (r *reader) quotedName() (string, error) {
	for end := r.i + 1; end < len(r.text); end++ {
		if r.text[end] != '"' {
			continue
		}
		name := string(r.text[r.i : end+1])
		if CheckName(name) != nil {
			return "", r.fail("no name in double quotes")
		}
		r.i = end + 1
		return foldName(name), nil
	}
	return "", r.fail("a name in double quotes is not closed")
}
