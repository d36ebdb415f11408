package qmgr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Errors of names, and of what a queue manager is asked in the wrong state.
var (
	// ErrName: not a name that a queue manager can have.
	ErrName = errors.New("not a valid queue manager name")
	// ErrExists: there is a queue manager of this name (AMQ8110).
	ErrExists = errors.New("the queue manager exists already")
	// ErrUnknown: mqs.ini knows no queue manager of this name (AMQ8118).
	ErrUnknown = errors.New("the queue manager does not exist")
	// ErrRunning: it runs already (AMQ8041).
	ErrRunning = errors.New("the queue manager is running")
	// ErrNotRunning: it does not run (AMQ8146). It is an engine.ErrStopped.
	ErrNotRunning = fmt.Errorf("it was not started: %w", engine.ErrStopped)
	// ErrNotSuspended: there is nothing to resume.
	ErrNotSuspended = errors.New("the queue manager is not suspended")
)

// maxName is the length of MQMNAME (MQ_Q_MGR_NAME_LENGTH).
const maxName = 48

// libraryLength is the length of an IBM i object name.
const libraryLength = 10

// checkName accepts what MQMNAME takes: 1 to 48 letters, digits and . / _ %.
func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("%w: %q", ErrName, name)
	}
	for _, c := range []byte(name) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && !strings.ContainsRune("0123456789./_%", rune(c)) {
			return fmt.Errorf("%w: %q", ErrName, name)
		}
	}
	return nil
}

// libraryFor gives the library that MQMLIB(*AUTO) makes: QM and the name in
// capitals, cut to 10 characters (reference, IBM i 1.1: QMTEST, QMSATURN.Q).
// When it is taken its end makes room for a number; how MQ makes it unique is
// not documented.
func libraryFor(name string, taken func(string) bool) string {
	base := "QM" + strings.Map(func(c rune) rune {
		if c == '/' || c == '%' {
			return '_' // no characters of an object name
		}
		return c
	}, strings.ToUpper(name))
	base = base[:min(len(base), libraryLength)]
	for library, n := base, 1; ; n++ {
		if !taken(library) {
			return library
		}
		suffix := strconv.Itoa(n)
		library = base[:min(len(base), libraryLength-len(suffix))] + suffix
	}
}

// directoryFor gives the name of the queue manager's directory: dots become
// exclamation marks (reference, IBM i 1.1) and slashes ampersands, since
// neither may stand in a directory's name. Names in the integrated file system
// do not tell capitals from small letters, so a taken one gets a number.
func directoryFor(name string, taken func(string) bool) string {
	base := strings.NewReplacer(".", "!", "/", "&").Replace(name)
	for directory, n := base, 0; ; n++ {
		if !taken(directory) {
			return directory
		}
		directory = fmt.Sprintf("%s.%03d", base, n)
	}
}
