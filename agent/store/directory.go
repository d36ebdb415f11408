package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Settings are those of a store that keeps files in a folder of this machine.
type Settings struct {
	Name string // what the policy calls it
	// Path is the folder. It is made with mode 0700 when the first copy is
	// put; one that is there must not be open to others.
	Path string
	// SameFilesystem lets it lie on the file system of the log.
	SameFilesystem bool
	// Form is that of what is put without one; empty: Plain.
	Form Form
	// Compress keeps the content as zstd, in frames that are compressed and
	// read back on several processors.
	Compress bool
	// Rate is how many bytes a second are read of segments, however many are put
	// at once; 0: [LogRate] of those whose log is on this machine, and of others
	// no limit.
	Rate int64
	// FullSpeed sets no limit where Rate does not, and does nothing at low
	// priority. Without it segments whose log is
	// on this machine are copied, and copies are verified, by threads that give
	// way to a queue manager (Linux only).
	FullSpeed bool
	// Now is this machine's clock; nil: time.Now.
	Now func() time.Time
}

// Directory is a store that keeps copies in a folder: kind "directory", and
// kind "savf" for the save files that were fetched.
type Directory struct {
	catalogue
	path           string
	sameFilesystem bool
}

var _ Catalogue = (*Directory)(nil)

// NewDirectory gives the store in a folder. It makes nothing yet and does not
// look whether the folder is there.
func NewDirectory(settings Settings) (*Directory, error) {
	if settings.Name == "" || settings.Path == "" {
		return nil, errors.New("a store in a folder needs a name and a path")
	}
	path, err := filepath.Abs(settings.Path)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", settings.Name, err)
	}
	settings.Path = path
	return newDirectory(settings, newFolder(path), lockIn(path)), nil
}

func newDirectory(settings Settings, files disk.FS, lock locker) *Directory {
	d := &Directory{path: settings.Path, sameFilesystem: settings.SameFilesystem}
	d.catalogue = catalogue{
		name: settings.Name, files: files, own: newFolders(lock), turns: engine.turns, now: settings.Now,
		form: settings.Form, pace: &pace{rate: settings.Rate}, logPace: logPace(settings), full: settings.FullSpeed,
		kept: keptFiles{files: files, frame: frameOf(settings), refuse: d.refuse},
	}
	if d.form == "" {
		d.form = Plain
	}
	if d.now == nil {
		d.now = time.Now
	}
	return d
}

// logPace gives the pace of a log on this machine, where nobody has said another.
func logPace(settings Settings) *pace {
	if settings.Rate > 0 || settings.FullSpeed {
		return nil
	}
	return &pace{rate: LogRate}
}

func frameOf(settings Settings) int64 {
	if settings.Compress {
		return frameBytes
	}
	return 0
}

// refuse refuses to keep copies where the log itself lies.
func (d *Directory) refuse(facts Facts) error {
	if facts.Log == "" || d.sameFilesystem {
		return nil
	}
	same, err := d.SharesFilesystem(facts.Log)
	if err == nil && same {
		err = ErrSameFilesystem
	}
	return err
}

// Fit says why the store would take no copy of a log that lies at a path of this
// machine; an empty one is that of a log elsewhere. Nothing is made or written.
// The error is [ErrSameFilesystem], or says what kept it from looking.
func (d *Directory) Fit(log string) error { return d.refuse(Facts{Log: log}) }

// SharesFilesystem tells whether the store lies, or would lie, on the file
// system of a path, such as that of a log: one failure takes both then.
func (d *Directory) SharesFilesystem(log string) (bool, error) {
	at := d.path
	for {
		_, err := os.Stat(at)
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	same, err := sameDevice(at, log)
	if err != nil {
		return false, fmt.Errorf("comparing the file system of %s with that of %s: %w", at, log, err)
	}
	return same, nil
}
