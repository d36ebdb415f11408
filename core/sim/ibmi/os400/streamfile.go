package os400

import (
	"fmt"
	"path"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Path gives the name on [System.Disk] of a stream file, or a folder, with an
// absolute path such as /QIBM/UserData/mqm/mqs.ini.
func Path(name string) string { return path.Join("/", name)[1:] }

// WriteFile gives a stream file its content, as a whole and durably; folders
// that are missing are made. Only what it grows by needs room in the ASP.
func (s *System) WriteFile(name string, content []byte) error {
	at := Path(name)
	if err := s.Disk().MkdirAll(path.Dir(at)); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return s.writeWhole(at, content)
}

// ReadFile gives the content of a stream file. One that is not there is an
// error that wraps fs.ErrNotExist.
func (s *System) ReadFile(name string) ([]byte, error) {
	content, err := disk.ReadAll(s.opts.Disk, Path(name))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return content, nil
}

// writeWhole replaces a file, or makes it, within the limit of the ASP.
func (s *System) writeWhole(name string, content []byte) error {
	if err := s.asp.room(name, int64(len(content))-s.asp.size(name)); err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return disk.Replace(s.reserve(), name, content)
}
