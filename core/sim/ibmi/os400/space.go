package os400

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// PutSpace creates or replaces a user space, durably. It is the file
// QSYS.LIB/LIBRARY.LIB/NAME.USRSPC.
func (s *System) PutSpace(id ID, content []byte) error {
	if err := s.place(id); err != nil {
		return fmt.Errorf("writing user space %s: %w", id, err)
	}
	return s.writeWhole(fileOf(id, "USRSPC"), content)
}

// Space gives the content of a user space. CPF9801: it is not there.
func (s *System) Space(id ID) ([]byte, error) {
	if id.check() != nil {
		return nil, missing(id, "USRSPC")
	}
	content, err := disk.ReadAll(s.opts.Disk, fileOf(id, "USRSPC"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(id, "USRSPC")
	case err != nil:
		return nil, fmt.Errorf("reading user space %s: %w", id, err)
	}
	return content, nil
}
