package extents

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal"
)

// control is what the log control file holds: all that the log knows.
type control struct {
	id    wal.ID
	kind  Kind
	pages int
	first int       // number of the extent that a linear log begins with
	began time.Time // when logging started

	restart, media wal.LSN // of the last checkpoint
	list           []entry // oldest first; the last may not have been begun
	// leaving are the extents that the last checkpoint gave up. If a crash came
	// before their files went, they are listed again, and what was archived is.
	leaving []entry
}

// entry is an extent of the list.
type entry struct {
	number   int
	start    wal.LSN // 0: not known to have been begun
	archived bool
}

func (e entry) name() string { return observe.ExtentName(e.number) }

const (
	controlMagic = "mqhklfh\x01"
	entryBytes   = 13
	controlHead  = 8 + 16 + 1 + 4 + 4 + 8 + 8 + 8 + 4 + 4
)

var little = binary.LittleEndian

func (c *control) encode() []byte {
	b := append([]byte(controlMagic), c.id[:]...)
	linear := byte(0)
	if c.kind == Linear {
		linear = 1
	}
	b = append(b, linear)
	b = little.AppendUint32(b, uint32(c.pages))
	b = little.AppendUint32(b, uint32(c.first))
	began := int64(0)
	if !c.began.IsZero() {
		began = c.began.UnixNano()
	}
	b = little.AppendUint64(b, uint64(began))
	b = little.AppendUint64(b, uint64(c.restart))
	b = little.AppendUint64(b, uint64(c.media))
	b = little.AppendUint32(b, uint32(len(c.list)))
	b = little.AppendUint32(b, uint32(len(c.leaving)))
	return appendEntries(appendEntries(b, c.list), c.leaving)
}

func appendEntries(b []byte, list []entry) []byte {
	for _, e := range list {
		b = little.AppendUint32(b, uint32(e.number))
		b = little.AppendUint64(b, uint64(e.start))
		archived := byte(0)
		if e.archived {
			archived = 1
		}
		b = append(b, archived)
	}
	return b
}

// decodeControl reads what encode wrote: an error wraps [ErrTorn].
func decodeControl(b []byte) (*control, error) {
	if len(b) < controlHead || string(b[:8]) != controlMagic {
		return nil, fmt.Errorf("%w: no such file begins so", ErrTorn)
	}
	c := &control{
		id: wal.ID(b[8:24]), kind: Circular, pages: int(little.Uint32(b[25:])), first: int(little.Uint32(b[29:])),
		restart: wal.LSN(little.Uint64(b[41:])), media: wal.LSN(little.Uint64(b[49:])),
	}
	if b[24] == 1 {
		c.kind = Linear
	}
	if began := int64(little.Uint64(b[33:])); began != 0 {
		c.began = time.Unix(0, began).UTC()
	}
	listed, leaving := int64(little.Uint32(b[57:])), int64(little.Uint32(b[61:]))
	if int64(len(b)-controlHead) != (listed+leaving)*entryBytes || b[24] > 1 {
		return nil, fmt.Errorf("%w: its lengths contradict each other", ErrTorn)
	}
	all, err := readEntries(b[controlHead:])
	if err != nil {
		return nil, err
	}
	c.list, c.leaving = all[:listed:listed], all[listed:]
	return c, c.check()
}

func readEntries(b []byte) ([]entry, error) {
	list := make([]entry, 0, len(b)/entryBytes)
	for ; len(b) > 0; b = b[entryBytes:] {
		if b[12] > 1 {
			return nil, fmt.Errorf("%w: an extent is neither archived nor not", ErrTorn)
		}
		list = append(list, entry{int(little.Uint32(b)), wal.LSN(little.Uint64(b[4:])), b[12] == 1})
	}
	return list, nil
}

// check looks whether the list can be one: in the order of the log, each with a
// start but the last.
func (c *control) check() error {
	for i, e := range c.list {
		switch {
		case e.number != observe.ExtentNumber(e.number),
			e.start == 0 && i < len(c.list)-1,
			i > 0 && e.start != 0 && e.start < c.list[i-1].start,
			i > 0 && c.kind == Linear && e.number != observe.ExtentNumber(c.list[i-1].number+1):
			return fmt.Errorf("%w: extent %d can't be the %d. of its list", ErrTorn, e.number, i+1)
		}
	}
	if c.pages <= 0 {
		return fmt.Errorf("%w: its extents have %d pages", ErrTorn, c.pages)
	}
	return nil
}
