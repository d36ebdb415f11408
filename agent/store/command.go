package store

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// CommandSettings are those of a store that hands segments to the site's own
// archive. A command is a program with its absolute path and its arguments;
// there is no shell. In an argument stand {queue_manager}, {library},
// {segment}, {opened}, {closed}, {key} (a name for the copy that is safe as the
// name of a file and of no other copy) and, but for Archive, {bytes} and
// {sha256}.
type CommandSettings struct {
	Name string // what the policy calls the store
	// Path is the folder of the manifests, as in [Settings]: they are kept
	// here.
	Path string
	// Archive reads the segment from its standard input. Exit status 0: the
	// archive has it, durably.
	Archive []string
	// Verify makes sure that the archive has a copy. Exit status 0: it has it
	// whole; any other: the copy counts as damaged until a later one says 0.
	Verify []string
	// Restore writes the segment to its standard output. Exit status 0: all
	// of it.
	Restore []string
	// Env names the variables that the commands get beside [DefaultEnv].
	Env []string
	// Timeout ends a command; 0: [DefaultTimeout].
	Timeout time.Duration
	// Rate is how many bytes a second are read of segments; 0: no limit.
	Rate int64
	// Now is this machine's clock; nil: time.Now.
	Now func() time.Time
}

// DefaultTimeout is how long a command of the site's archive may take.
const DefaultTimeout = time.Hour

// DefaultEnv lists the variables that such a command inherits: what a program
// needs to find its files and to write in the right language and time zone.
func DefaultEnv() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR",
		// Without these a Windows program can't open a socket or a file.
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "USERPROFILE", "TEMP", "TMP", "PATHEXT",
	}
}

// Command is a store that hands segments to the site's own archive: kind
// "command".
type Command struct{ catalogue }

var _ Catalogue = (*Command)(nil)

// NewCommand gives such a store. It starts nothing yet.
func NewCommand(settings CommandSettings) (*Command, error) {
	if settings.Name == "" || settings.Path == "" {
		return nil, errors.New("a store of commands needs a name, and a path for its manifests")
	}
	path, err := filepath.Abs(settings.Path)
	if err = errors.Join(err, settings.check()); err != nil {
		return nil, fmt.Errorf("store %s: %w", settings.Name, err)
	}
	settings.Timeout = cmp.Or(max(settings.Timeout, 0), DefaultTimeout)
	if settings.Now == nil {
		settings.Now = time.Now
	}
	return &Command{catalogue{
		name: settings.Name, files: newFolder(path), own: newFolders(lockIn(path)), turns: make(chan struct{}, 1), now: settings.Now, form: Plain,
		pace: &pace{rate: settings.Rate}, full: true, kept: keptElsewhere{settings},
	}}, nil
}

func (s CommandSettings) check() error {
	return errors.Join(
		checkArguments("archive", s.Archive, placesBefore),
		checkArguments("verify", s.Verify, placesAfter),
		checkArguments("restore", s.Restore, placesAfter))
}
