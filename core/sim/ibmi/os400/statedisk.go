package os400

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// What the system knows stands in two files. The first holds all of it as it
// was at some time, the other what has changed since, a sealed line for each
// change. The checksums of the lines go on from that of the whole first file
// and then from line to line: a line that belongs to an earlier first file, or
// that is left of a future which a crash has undone, is no change of this one.
const (
	stateName   = "system.json"
	changesName = "system.changes"
	// changesMost is how many bytes of changes there may be before all is
	// written anew, unless system.json is larger still.
	changesMost = 64 << 10
)

// stateDisk is the state on the disk. It is for one goroutine.
type stateDisk struct {
	disk disk.FS

	base   int64  // bytes of system.json
	size   int64  // bytes of the changes that are in system.changes
	sum    uint32 // of the last of them
	told   *state // what disk and late say together
	late   []byte // changes that were told and are not in the file yet
	behind uint32 // checksum of the last of those
	// settled: names and contents of both files are durable. They may not be
	// when a process died before this one.
	settled bool
	// stale: what the files hold is not told, or a write of them failed. The
	// state is written as a whole next.
	stale bool
}

// createState makes the file of the changes, durably, for a system that has
// none yet; the state is written next. So system.json is never without it:
// where it is missing, somebody took it, and with it the newest changes.
func createState(d disk.FS, first *state) (*stateDisk, error) {
	f, err := d.Create(changesName)
	if err == nil {
		err = f.Close()
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil // an earlier process did not get to the end
	}
	if err == nil {
		err = d.SyncDir(".")
	}
	if err != nil {
		return nil, err
	}
	return &stateDisk{disk: d, told: first, stale: true}, nil
}

// readState reads the state and does not write. What would break a rule of the
// system later is an error now.
func readState(d disk.FS) (*state, *stateDisk, error) {
	content, err := disk.ReadAll(d, stateName)
	if err != nil {
		return nil, nil, err
	}
	st, err := decode(content)
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", stateName, err)
	}
	sd := &stateDisk{disk: d, base: int64(len(content))}
	sum := crc32.Checksum(content, castagnoli)
	changes, err := disk.ReadAll(d, changesName)
	if err != nil {
		return nil, nil, err
	}
	if sd.size, sd.sum, err = replay(st, changes, sum); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", changesName, err)
	}
	if err := st.check(); err != nil {
		return nil, nil, fmt.Errorf("reading %s and %s: %w", stateName, changesName, err)
	}
	sd.told = st
	return st, sd, nil
}

// replay makes the changes of a file in a state, up to the first line that is
// torn or does not belong there. It gives how many bytes were good and their
// last checksum.
func replay(st *state, content []byte, sum uint32) (size int64, last uint32, err error) {
	for {
		line, rest, ended := bytes.Cut(content, []byte("\n"))
		text, next, ok := unseal(sum, line)
		if !ended || !ok {
			st.receivers.touched = nil
			return size, sum, nil
		}
		c, err := decodeChange(text)
		if err == nil {
			err = c.apply(st)
		}
		if err != nil {
			return 0, 0, fmt.Errorf("the change at %d: %w", size, err)
		}
		size += int64(len(line)) + 1
		content, sum = rest, next
	}
}

// tell notes a change. It is on the disk when write has returned.
func (sd *stateDisk) tell(now *state) error {
	if sd.stale {
		sd.told = now
		return nil
	}
	c := difference(sd.told, now)
	if c.empty() {
		sd.told = now
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if len(sd.late) == 0 {
		sd.behind = sd.sum
	}
	line, sum := seal(sd.behind, text)
	sd.late, sd.behind, sd.told = append(sd.late, line...), sum, now
	return nil
}

// retract takes back what was told and could not be written.
func (sd *stateDisk) retract(to *state) { sd.told, sd.late, sd.stale = to, nil, true }

// write makes durable what was told.
func (sd *stateDisk) write() error {
	if len(sd.late) == 0 && sd.settled && !sd.stale {
		return nil
	}
	whole := sd.stale || sd.size+int64(len(sd.late)) > max(sd.base, changesMost)
	sd.stale = true // unless it works
	var err error
	if whole {
		err = sd.writeAll()
	} else {
		err = sd.append()
	}
	if err != nil {
		return err
	}
	sd.late, sd.stale, sd.settled = nil, false, true
	return nil
}

// writeAll replaces system.json. The changes that were before are none any
// more, whether their file is cut to nothing or not.
func (sd *stateDisk) writeAll() error {
	content, err := sd.told.encode()
	if err != nil {
		return err
	}
	if err := disk.Replace(sd.disk, stateName, content); err != nil {
		return err
	}
	sd.base, sd.size, sd.sum = int64(len(content)), 0, crc32.Checksum(content, castagnoli)
	f, err := sd.disk.OpenWrite(changesName)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(0), f.Close())
}

// append adds what is late to system.changes.
func (sd *stateDisk) append() error {
	f, err := sd.disk.OpenWrite(changesName)
	if err != nil {
		return err
	}
	if len(sd.late) > 0 {
		_, err = f.WriteAt(sd.late, sd.size)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if !sd.settled {
		if err := sd.disk.SyncDir("."); err != nil {
			return err
		}
	}
	if len(sd.late) > 0 {
		sd.size, sd.sum = sd.size+int64(len(sd.late)), sd.behind
	}
	return nil
}
