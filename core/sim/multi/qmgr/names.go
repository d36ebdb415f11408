package qmgr

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
)

// maxName is the length of a queue manager's name (MQ_Q_MGR_NAME_LENGTH).
const maxName = 48

// checkName accepts what crtmqm takes: 1 to 48 letters, digits and . / _ %.
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

// lastSuffix is the highest number that crtmqm appends to a folder's name.
const lastSuffix = 9

// DirectoryFor gives the name of a queue manager's folder below qmgrs and log:
// its own with . written ! and / written &, and .000 to .009 appended where
// that is taken ("IBM MQ file names"; reference, Multiplatforms 1.4 item 24).
func DirectoryFor(name string, taken func(string) bool) (string, error) {
	base := mqini.MangledName(name)
	if !taken(base) {
		return base, nil
	}
	for n := range lastSuffix + 1 {
		if directory := fmt.Sprintf("%s.%03d", base, n); !taken(directory) {
			return directory, nil
		}
	}
	return "", fmt.Errorf("%w: the folders %s to %s.%03d are taken", ErrExists, base, base, lastSuffix)
}
