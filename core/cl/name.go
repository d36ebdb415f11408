package cl

import (
	"fmt"
	"strings"
)

// nameChar tells what a simple name may go on with behind its first character.
func nameChar(c rune) bool {
	return nameStart(c) || '0' <= c && c <= '9' || c == '_' || c == '.' || 'a' <= c && c <= 'z'
}

func nameStart(c rune) bool {
	return 'A' <= c && c <= 'Z' || c == '$' || c == '#' || c == '@'
}

// wordChar tells what may stand in a word: names, special values, generic and
// qualified names, variables, numbers and operators. Nothing else does outside
// quotes; a semicolon, for one, is no CL.
func wordChar(c rune) bool { return nameChar(c) || strings.ContainsRune("*/&%:+-=<>|,", c) }

// isWord tells whether the reader would take the text as one word and leave it
// as it is.
func isWord(text string) bool {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted && (c <= ' ' || c > '~'), !quoted && (!wordChar(c) || 'a' <= c && c <= 'z'):
			return false
		case c == '*' && strings.HasSuffix(text[:i], "/") && !qualifies(text[:i-1], text[i+1:]):
			return false
		}
	}
	return text != "" && !quoted
}

// qualifies tells whether /* between the two texts is the qualifier of a
// special value, as in LIB/*ALL, and opens no comment.
func qualifies(before, after string) bool {
	if before == "" || after == "" {
		return false
	}
	last := rune(before[len(before)-1])
	return (nameChar(last) || last == '"') && nameChar(rune(after[0]))
}

// CheckName tells whether a text is the name of an IBM i object: 1 to 10
// characters, the first a letter or one of $ # @, the others also digits, an
// underscore or a full stop (MQ makes libraries such as QMSATURN.Q). A name in
// double quotes may hold other characters, 1 to 8 of them. Lower case is not
// folded here: a plain name has none. (CL, "Object naming rules".)
func CheckName(name string) error {
	if inner, ok := unquoteName(name); ok {
		return checkQuotedName(name, inner)
	}
	if name == "" || len(name) > 10 {
		return fmt.Errorf("%q is no object name: a name has 1 to 10 characters", name)
	}
	for i, c := range name {
		if i == 0 && !nameStart(c) {
			return fmt.Errorf("%q is no object name: a name begins with a letter or one of $ # @", name)
		}
		if !nameChar(c) || 'a' <= c && c <= 'z' {
			return fmt.Errorf("%q is no object name: %q cannot stand in it", name, c)
		}
	}
	return nil
}

func unquoteName(name string) (string, bool) {
	if len(name) < 2 || name[0] != '"' || name[len(name)-1] != '"' {
		return "", false
	}
	return name[1 : len(name)-1], true
}

func checkQuotedName(name, inner string) error {
	if inner == "" || len(inner) > 8 {
		return fmt.Errorf("%q is no object name: a name in double quotes has 1 to 8 characters within them", name)
	}
	for _, c := range inner {
		if c <= ' ' || c > '~' || strings.ContainsRune("*?'\"&()", c) {
			return fmt.Errorf("%q is no object name: %q cannot stand in it", name, c)
		}
	}
	return nil
}

// foldName makes a name in double quotes plain when it needs no quotes: the
// system takes "QSYS" and QSYS for the same object.
func foldName(name string) string {
	if inner, ok := unquoteName(name); ok && CheckName(inner) == nil {
		return inner
	}
	return name
}

// checkQueueManager tells whether a text is the name of a queue manager: 1 to
// 48 letters, digits and any of . / _ %.
func checkQueueManager(name string) error {
	if name == "" || len(name) > 48 {
		return fmt.Errorf("%q is no queue manager name: a name has 1 to 48 characters", name)
	}
	for _, c := range name {
		if !('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.ContainsRune("./_%", c)) {
			return fmt.Errorf("%q is no queue manager name: %q cannot stand in it", name, c)
		}
	}
	return nil
}

// keyword tells whether a text is a parameter's keyword or the word of a
// special value: 1 to 10 capitals and digits, a capital first.
func keyword(text string) bool {
	for i, c := range text {
		if !('A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return text != "" && len(text) <= 10
}

// capitals folds ASCII letters, as CL does outside quotes.
func capitals(c rune) rune {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
