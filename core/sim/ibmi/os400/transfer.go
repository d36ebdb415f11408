package os400

import (
	"errors"
	"fmt"
	"io"
)

// FetchSaveFile reads a save file as it is, byte for byte, as FTP does in
// binary, and gives its length. What is read stays the same whatever becomes of
// the file meanwhile. CPF9801: it is not there. CPF3782: it is none, or was
// damaged.
func (s *System) FetchSaveFile(id ID) (io.ReadCloser, int64, error) {
	f, err := s.openSaveFile(id)
	if err != nil {
		return nil, 0, fmt.Errorf("fetching save file %s: %w", id, err)
	}
	return transfer{io.NewSectionReader(f, 0, f.size), f}, f.size, nil
}

// transfer is a save file that is being read.
type transfer struct {
	io.Reader
	io.Closer
}

// SendSaveFile gives a save file that is there another content, durably and as
// a whole. That the content is one is seen only when something is restored from
// it, as after FTP. CPF9801: it is not there; CRTSAVF comes first.
func (s *System) SendSaveFile(id ID, content io.Reader) error {
	if err := s.sendSaveFile(id, content); err != nil {
		return fmt.Errorf("sending save file %s: %w", id, err)
	}
	return nil
}

func (s *System) sendSaveFile(id ID, content io.Reader) error {
	f, err := s.openSaveFile(id)
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, errNoIndex):
		err = nil // it is there, and no longer needed
	}
	if err != nil {
		return err
	}
	name := fileOf(id, "SAVF")
	if err := s.writeNew(name+".new", content); err != nil {
		return err
	}
	if err := s.reserve().Rename(name+".new", name); err != nil {
		return err
	}
	return s.opts.Disk.SyncDir(folder(id.Library))
}

// writeNew writes a file in place of one that a process may have left when it
// died. When it fails nothing is left.
func (s *System) writeNew(name string, content io.Reader) error {
	if err := s.removeFile(name); err != nil {
		return err
	}
	f, err := s.Disk().Create(name)
	if err != nil {
		return err
	}
	err = copyTo(f, 0, content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, s.removeFile(name))
	}
	return nil
}
