package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
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
	b := append([]byte(controlMagic), c.id[:]...)
	b = appendMark(appendMark(b, c.begin), c.restart)
	b = appendNumbers(b, uint64(c.durable))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func decodeControl(b []byte) (control, error) {
	var c control
	at := len(b) - 4
	if at < len(controlMagic)+len(c.id) || string(b[:len(controlMagic)]) != controlMagic ||
		binary.LittleEndian.Uint32(b[at:]) != crc32.Checksum(b[:at], castagnoli) {
		return c, fmt.Errorf("%w: it is no control file, or damaged", ErrFormat)
	}
	d := decoder{rest: b[len(controlMagic):at]}
	d.rest = d.rest[copy(c.id[:], d.rest):]
	c.begin, c.restart = d.mark(), d.mark()
	c.durable = wal.LSN(d.number())
	if err := d.end(); err != nil {
		return c, err
	}
	if c.restart.LSN > c.begin.LSN || c.begin.LSN >= c.durable {
		return c, fmt.Errorf("%w: its positions contradict each other", ErrFormat)
	}
	return c, nil
}

func (s *store) loadControl() (control, error) {
	b, err := readFile(s.disk, s.path(controlName))
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
