package engine

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// control is what a restart must know before it can read the log. It is
// written whole, when a checkpoint is complete.
type control struct {
	id      wal.ID
	begin   Mark    // of the last complete checkpoint
	restart Mark    // where reading begins
	durable wal.LSN // the log was forced up to here at least
}

const (
	controlName  = "control"
	controlMagic = "mqhkctl\x01"
)

func (c *control) encode() []byte {
	return appendSum(c.append([]byte(controlMagic)))
}

func (c *control) append(b []byte) []byte {
	b = appendMark(appendMark(append(b, c.id[:]...), c.begin), c.restart)
	return appendNumbers(b, uint64(c.durable))
}

func (d *decoder) control() control {
	return control{id: d.id(), begin: d.mark(), restart: d.mark(), durable: wal.LSN(d.number())}
}

func decodeControl(b []byte) (control, error) {
	d := summed(b, controlMagic)
	c := d.control()
	if err := d.end(); err != nil {
		return c, err
	}
	if c.restart.LSN > c.begin.LSN || c.begin.LSN >= c.durable {
		return c, fmt.Errorf("%w: its positions contradict each other", ErrFormat)
	}
	return c, nil
}

func (s *store) loadControl() (control, error) {
	b, err := disk.ReadAll(s.disk, s.path(controlName))
	var c control
	if err == nil {
		c, err = decodeControl(b)
	}
	if err != nil {
		return c, &FileError{Name: s.path(controlName), Err: err}
	}
	return c, nil
}

// saveControl makes a checkpoint the last one, durably.
func (s *store) saveControl(c *control) error {
	if err := s.put(controlName, c.encode()); err != nil {
		return fmt.Errorf("writing the control file: %w", err)
	}
	return s.syncNames()
}

// fresh says whether the folder has no control file yet.
func (s *store) fresh() error {
	_, err := s.loadControl()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = fs.ErrExist
	}
	return fmt.Errorf("making a queue manager in folder %q: %w", s.folder, err)
}
