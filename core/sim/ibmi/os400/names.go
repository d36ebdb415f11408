package os400

import (
	"fmt"
	"strings"
)

const (
	maxName       = 10 // characters of a library's or an object's name
	maxSystemName = 8
	pathRoot      = "QSYS.LIB/"
)

// CheckSystemName says what is wrong with the name of a system: 1 to 8
// letters and digits, the first a letter.
func CheckSystemName(name string) error {
	if len(name) > maxSystemName || checkName(name) != nil || strings.ContainsAny(name, "._") {
		return fmt.Errorf("system name %q: it must be 1 to 8 upper-case letters and digits", name)
	}
	return nil
}

// checkName says what is wrong with the name of an object or library. A dot
// may be in one: QMSATURN.Q (reference, IBM i 1.1).
func checkName(name string) error {
	if len(name) < 1 || len(name) > maxName {
		return fmt.Errorf("name %q: it must have 1 to 10 characters", name)
	}
	for i, c := range []byte(name) {
		letter := c >= 'A' && c <= 'Z' || strings.IndexByte("$#@", c) >= 0
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '_' && c != '.') {
			return fmt.Errorf("name %q: it can't have %q there", name, c)
		}
	}
	return nil
}

// check says what is wrong with the name of an object and its library.
func (id ID) check() error {
	if err := checkName(id.Library); err != nil {
		return fmt.Errorf("library of %s: %w", id, err)
	}
	return checkName(id.Name)
}

// NextName gives the name that the system generates for the receiver that
// follows one, in the same library. Which digits count, and what follows all
// nines, depends on [Settings.SixDigits] (reference, IBM i 1.1; case 5).
func (s *System) NextName(id ID) ID {
	counting := 5
	if s.state().Settings.SixDigits {
		counting = 6
	}
	return ID{id.Library, following(id.Name, counting)}
}

// following adds one to the last digits of a name, at most so many of them. A
// name without digits gets four: the first rule of the system counts the last
// four characters (reference, IBM i 1.1 [S34]).
func following(name string, counting int) string {
	first := len(name)
	for first > 0 && len(name)-first < counting && name[first-1] >= '0' && name[first-1] <= '9' {
		first--
	}
	if first == len(name) {
		return name[:min(len(name), maxName-4)] + "0001"
	}
	digits := []byte(name[first:])
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			break
		}
		digits[i] = '0'
	}
	return name[:first] + string(digits)
}

// restoredName raises the restore digit of a receiver's name, the one before
// the last five (of a shorter number the first): AMQA000044 is followed by
// AMQA100044 when the journal was restored (reference, IBM i 1.1 and 7.1).
func restoredName(name string) string {
	digits := 0
	for digits < min(6, len(name)) && name[len(name)-1-digits] >= '0' && name[len(name)-1-digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return following(name, 4)
	}
	at := len(name) - digits
	digit := name[at] + 1
	if digit > '9' {
		digit = '0'
	}
	return name[:at] + string(digit) + name[at+1:]
}

// folder gives the folder of a library on the disk.
func folder(library string) string { return pathRoot + library + ".LIB" }

// fileOf gives the name of an object's file on the disk.
func fileOf(id ID, kind string) string { return folder(id.Library) + "/" + id.Name + "." + kind }

// FileOf gives the name of a receiver's file on [System.Disk], be there one or
// not: QSYS.LIB/QMTEST.LIB/AMQA000000.JRNRCV.
func (s *System) FileOf(id ID) string { return fileOf(id, "JRNRCV") }

// Generic tells whether a pattern means a name: *ALL, the beginning of names
// with an asterisk behind it (AMQA*), or one name. An asterisk alone is none.
func Generic(pattern, name string) bool {
	if prefix, generic := strings.CutSuffix(pattern, "*"); generic && prefix != "" {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name || pattern == "*ALL"
}

// receiverOf gives the receiver that a file on the disk belongs to.
func receiverOf(name string) (ID, bool) {
	rest, below := strings.CutPrefix(name, pathRoot)
	library, object, found := strings.Cut(rest, ".LIB/")
	object, kind := strings.CutSuffix(object, ".JRNRCV")
	return ID{library, object}, below && found && kind
}

// parseID reads LIBRARY/NAME.
func parseID(text string) ID {
	library, name, _ := strings.Cut(text, "/")
	return ID{library, name}
}
