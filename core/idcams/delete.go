package idcams

import (
	"fmt"
	"strings"
)

// NameError says that a text can't be a data set's name in a statement.
type NameError struct{ Name string }

// Error names it.
func (e *NameError) Error() string { return fmt.Sprintf("%.60q is no name of a data set", e.Name) }

// CopyError says that the data sets of one run are not of one copy of a log.
type CopyError struct {
	Name  string
	First int // the copy of those before it
	Copy  int // its own
}

// Error names the data set and the copies.
func (e *CopyError) Error() string {
	return fmt.Sprintf("%s is of copy %d, those before it of copy %d: both copies never go in one run", e.Name, e.Copy, e.First)
}

// Doomed is a data set that is to be deleted: an archive log of copy 1 or 2.
type Doomed struct {
	Name string
	Copy int
}

// Deletes writes the statements that delete archive logs, one to a line. All are
// of one copy, so that a run never takes both. They are of data sets that are not
// VSAM, and of nothing else by that name; NOPURGE leaves those whose retention has
// not ended. A name that is none, or that comes twice, is an error, and nothing is
// written.
func Deletes(doomed []Doomed) ([]string, error) {
	var statements []string
	seen := map[string]bool{}
	for _, d := range doomed {
		quoted, err := Quote(d.Name)
		switch {
		case err != nil:
			return nil, err
		case d.Copy != 1 && d.Copy != 2 || d.Copy != doomed[0].Copy:
			return nil, &CopyError{d.Name, doomed[0].Copy, d.Copy}
		case seen[d.Name]:
			return nil, fmt.Errorf("%w: it comes twice", &NameError{d.Name})
		}
		seen[d.Name] = true
		statements = append(statements, "DELETE "+quoted+" NONVSAM NOPURGE")
	}
	return statements, nil
}

// Quote gives the name of a data set as it stands in a statement. Within
// apostrophes no character of it means anything else; a name with one in it is
// none. So is a generic one: an asterisk would stand for more than was meant.
func Quote(name string) (string, error) {
	if !isName(name) {
		return "", &NameError{name}
	}
	return "'" + name + "'", nil
}

// The characters of a qualifier, and those that it can't begin with.
const (
	nameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ@#$0123456789-"
	notFirst       = "0123456789-"
	longestName    = 44
)

// isName tells whether a text is the name of a data set: qualifiers of up to
// eight characters with points between, 44 in all (DFSMS Using Data Sets).
func isName(name string) bool {
	if len(name) > longestName {
		return false
	}
	for qualifier := range strings.SplitSeq(name, ".") {
		if qualifier == "" || len(qualifier) > 8 || strings.Trim(qualifier, nameCharacters) != "" || strings.Contains(notFirst, qualifier[:1]) {
			return false
		}
	}
	return true
}
