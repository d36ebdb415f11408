package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

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

	// objects at the checkpoint, where the log does not have them: with a fixed
	// cost a checkpoint has no room for them there.
	objects []entry
	kept    map[string][]byte
	left    []Ref // deleted since the checkpoint before: their files may be there yet
}

const (
	controlName  = "control"
	controlMagic = "mqhkctl\x02"
)

func (c *control) encode() []byte {
	b := appendNumbers(c.append([]byte(controlMagic)), uint64(len(c.objects)))
	for i := range c.objects {
		b = append(c.objects[i].append(b), flag(c.objects[i].spared))
	}
	return appendSum(appendRefs(appendKept(b, c.kept), c.left))
}

// append writes the positions.
func (c *control) append(b []byte) []byte {
	b = appendMark(appendMark(append(b, c.id[:]...), c.begin), c.restart)
	return appendNumbers(b, uint64(c.durable))
}

// positions gives the control without what the checkpoint knew.
func (c *control) positions() control {
	return control{id: c.id, begin: c.begin, restart: c.restart, durable: c.durable}
}

func (d *decoder) control() control {
	return control{id: d.id(), begin: d.mark(), restart: d.mark(), durable: wal.LSN(d.number())}
}

func decodeControl(b []byte) (control, error) {
	d := summed(b, controlMagic)
	c := d.control()
	for range d.count() {
		e := d.entry()
		e.spared = d.flag()
		if d.err != nil {
			break
		}
		c.objects = append(c.objects, e)
	}
	c.kept, c.left = d.keptValues(), d.refs()
	if err := d.end(); err != nil {
		return c, err
	}
	if c.restart.LSN > c.begin.LSN || c.begin.LSN >= c.durable {
		return c, fmt.Errorf("%w: its positions contradict each other", ErrFormat)
	}
	return c, nil
}

// appendKept writes values in the order of their keys, so that equal ones have
// equal bytes.
func appendKept(b []byte, kept map[string][]byte) []byte {
	b = appendNumbers(b, uint64(len(kept)))
	for _, key := range slices.Sorted(maps.Keys(kept)) {
		b = appendText(appendText(b, key), kept[key])
	}
	return b
}

func (d *decoder) keptValues() map[string][]byte {
	kept := map[string][]byte{}
	for range d.count() {
		key := d.text()
		value := d.kept()
		if d.err != nil {
			break
		}
		kept[key] = value
	}
	return kept
}

func appendRefs(b []byte, refs []Ref) []byte {
	b = appendNumbers(b, uint64(len(refs)))
	for _, ref := range refs {
		b = appendRef(b, ref)
	}
	return b
}

func (d *decoder) refs() []Ref {
	var refs []Ref
	for range d.count() {
		ref := d.ref()
		if d.err != nil {
			break
		}
		refs = append(refs, ref)
	}
	return refs
}

func (s *store) loadControl() (control, error) {
	name := s.path(s.files.Control())
	b, err := disk.ReadAll(s.disk, name)
	var c control
	if err == nil {
		c, err = decodeControl(b)
	}
	if err != nil {
		return c, &FileError{Name: name, Err: err}
	}
	return c, nil
}

// saveControl makes a checkpoint the last one, durably.
func (s *store) saveControl(c *control) error {
	if err := s.put(s.files.Control(), c.encode()); err != nil {
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
