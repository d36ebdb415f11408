package extents

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// ControlName is the log control file's, beside the folder of the extents;
// ActiveName is that folder's (reference, Multiplatforms 1.4 item 15).
const (
	ControlName = "amqhlctl.lfh"
	ActiveName  = "active"
)

// The control file has two slots of equal length. A state is written to the one
// that does not hold the newest whole state, so that a torn write loses nothing,
// and the file is changed in place: on a file system that is full an extent can
// still be given up, which is what makes room. Only a list that outgrows the
// slots makes the file longer, by a new one.
//
//	slot   0  8  generation, from 1; the higher one counts
//	       8  4  n, the length of the state
//	      12  4  CRC-32C of the slot up to there and of the state
//	      16  n  the state
//
// The checksum is of the generation too: a torn write may leave the old state
// of the slot behind a new head.
const (
	slotHead  = 16
	leastSlot = 4096
)

// controlFile writes and reads it.
type controlFile struct {
	disk       disk.FS
	name       string
	slot       int64 // length of each
	newest     int   // the slot with the newest state that is durable
	generation uint64
}

// create makes the file anew, with a slot for twice as much.
func (f *controlFile) create(state []byte) error {
	slot := int64(leastSlot)
	for slot < 2*int64(slotHead+len(state)) {
		slot *= 2
	}
	content := make([]byte, 2*slot)
	copy(content, sealSlot(f.generation+1, state))
	if err := disk.Replace(f.disk, f.name, content); err != nil {
		f.slot = 0 // which of the two files is there now is not known: it is made anew
		return err
	}
	f.slot, f.newest, f.generation = slot, 0, f.generation+1
	return nil
}

// write makes a state the newest, durably. After an error the one before it
// still holds, and the same slot is tried again.
func (f *controlFile) write(state []byte) error {
	if f.slot == 0 || int64(slotHead+len(state)) > f.slot {
		return f.create(state)
	}
	file, err := f.disk.OpenWrite(f.name)
	if err != nil {
		return fmt.Errorf("writing log control file %s: %w", f.name, err)
	}
	_, err = file.WriteAt(sealSlot(f.generation+1, state), int64(1-f.newest)*f.slot)
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing log control file %s: %w", f.name, err)
	}
	f.newest, f.generation = 1-f.newest, f.generation+1
	return nil
}

func sealSlot(generation uint64, state []byte) []byte {
	b := little.AppendUint64(make([]byte, 0, slotHead+len(state)), generation)
	b = little.AppendUint32(b, uint32(len(state)))
	b = little.AppendUint32(b, slotSum(b, state))
	return append(b, state...)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func slotSum(head, state []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, state)
}

// openControl reads the newest state. The error is a *[ControlError].
func openControl(d disk.FS, dir string) (*controlFile, *control, error) {
	return readControl(d, path.Join(dir, ControlName))
}

func readControl(d disk.FS, name string) (*controlFile, *control, error) {
	f := &controlFile{disk: d, name: name}
	content, err := disk.ReadAll(d, f.name)
	var c *control
	if err == nil {
		c, err = f.decode(content)
	}
	if err != nil {
		return nil, nil, &ControlError{Name: f.name, Err: err}
	}
	return f, c, nil
}

// decode finds the newest whole state in what the file holds.
func (f *controlFile) decode(content []byte) (*control, error) {
	f.slot = int64(len(content) / 2)
	if f.slot < leastSlot {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrTorn, len(content))
	}
	var newest *control
	failed := ErrTorn
	for i := range 2 {
		generation, state, err := openSlot(content[int64(i)*f.slot:][:f.slot])
		var c *control
		if err == nil {
			c, err = decodeControl(state)
		}
		switch {
		case err != nil:
			failed = err
		case newest == nil || generation > f.generation:
			newest, f.newest, f.generation = c, i, generation
		}
	}
	if newest == nil {
		return nil, failed
	}
	return newest, nil
}

func openSlot(b []byte) (uint64, []byte, error) {
	n := int64(little.Uint32(b[8:]))
	if slotHead+n > int64(len(b)) || slotSum(b[:12], b[slotHead:slotHead+n]) != little.Uint32(b[12:]) {
		return 0, nil, fmt.Errorf("%w: no state was written whole", ErrTorn)
	}
	return little.Uint64(b), b[slotHead : slotHead+n], nil
}
