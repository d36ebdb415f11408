package os400

import (
	"fmt"
	"slices"
	"strings"
)

// accessList says who was granted what on an object: USER=words, in the order
// of the users, with blanks within the words and semicolons between the users.
// It is a text so that what has one can be compared.
type accessList string

// public stands for whoever was granted nothing in person.
const public = "*PUBLIC"

// each gives the entries in order.
func (l accessList) each(visit func(user, words string)) {
	for entry := range strings.SplitSeq(string(l), ";") {
		if user, words, ok := strings.Cut(entry, "="); ok {
			visit(user, words)
		}
	}
}

// of gives what a user was granted in person; false: nothing was said of it.
func (l accessList) of(user string) (Authority, bool) {
	var found Authority
	there := false
	l.each(func(name, words string) {
		if name == user {
			found, _ = ParseAuthority(strings.Fields(words)...) // checked when it was read
			there = true
		}
	})
	return found, there
}

// with gives the list with another entry for a user.
func (l accessList) with(user string, a Authority) accessList {
	return l.put(user, user+"="+a.String())
}

// without gives the list in which nothing is said of a user.
func (l accessList) without(user string) accessList { return l.put(user, "") }

func (l accessList) put(user, entry string) accessList {
	var entries []string
	l.each(func(name, words string) {
		if name != user {
			entries = append(entries, name+"="+words)
		}
	})
	if entry != "" {
		entries = append(entries, entry)
	}
	slices.Sort(entries)
	return accessList(strings.Join(entries, ";"))
}

// check says what is wrong with a list that was read from a file.
func (l accessList) check() error {
	if l == "" {
		return nil
	}
	for entry := range strings.SplitSeq(string(l), ";") {
		user, words, ok := strings.Cut(entry, "=")
		if !ok || user != public && checkName(user) != nil {
			return fmt.Errorf("%q says nothing of a user", entry)
		}
		if _, err := ParseAuthority(strings.Fields(words)...); err != nil {
			return fmt.Errorf("user %s: %w", user, err)
		}
	}
	return nil
}
