package crashdisk

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
)

// sector is what a disk writes as one; torn, it holds the beginning of what
// was written and the end of what was there.
const sector = 512

// Kill ends the process: files that are open are dead, everything else is as
// it was.
func (d *Disk) Kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.life++
}

// Crash forgets everything that was not synced.
func (d *Disk) Crash() { d.CrashAfter(0) }

// Unsynced counts the bytes that were written and are not durable, the most
// that CrashAfter can keep.
func (d *Disk) Unsynced() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	var sum int64
	for n := range d.nodes() {
		for _, c := range n.changes {
			sum += int64(len(c.data))
		}
	}
	return sum
}

// CrashAfter keeps the first bytes of what was not synced, in the order in
// which it was written and over all files: the write that holds the last of
// them is torn there. Names given before the first byte that is lost are kept.
func (d *Disk) CrashAfter(keep int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	type unsynced struct {
		change
		node *node
	}
	var all []unsynced
	for n := range d.nodes() {
		for _, c := range n.changes {
			all = append(all, unsynced{c, n})
		}
	}
	slices.SortFunc(all, func(a, b unsynced) int { return cmp.Compare(a.clock, b.clock) })
	reached := 0 // on the clock
	for _, u := range all {
		part := u.change
		if part.data != nil {
			part.data = part.data[:min(keep, int64(len(part.data)))]
			keep -= int64(len(part.data))
		} else if keep == 0 {
			break
		}
		if len(part.data) > 0 || part.data == nil {
			u.node.safe = part.apply(u.node.safe)
			reached = u.clock
		}
		if len(part.data) < len(u.data) {
			break
		}
	}
	d.restart(func(op nameOp) bool { return op.clock < reached })
}

// CrashScattered keeps any part of what was not synced: of every sector that
// was written the first so many bytes, all of them or none, whatever became of
// the sectors around it. Of the names given or taken away since each may be
// kept or not, whatever became of those before it: a folder that nobody has
// synced promises no order.
func (d *Disk) CrashScattered(r *rand.Rand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := range d.nodes() {
		n.scatter(r)
	}
	d.restart(func(nameOp) bool { return r.IntN(2) == 0 })
}

// scatter makes a part of each sector's changes durable.
func (n *node) scatter(r *rand.Rand) {
	left := map[int64]int{} // by sector: how many bytes are still kept
	for _, c := range n.changes {
		if c.data == nil {
			if r.IntN(2) == 0 {
				n.safe = c.apply(n.safe)
			}
			continue
		}
		for off := c.off; off < c.off+int64(len(c.data)); {
			end := min((off/sector+1)*sector, c.off+int64(len(c.data)))
			keep, seen := left[off/sector]
			if !seen {
				keep = [...]int{0, r.IntN(sector), 1 << 30}[r.IntN(3)]
			}
			part := c.data[off-c.off : end-c.off]
			part = part[:min(keep, len(part))]
			if len(part) > 0 {
				n.safe = change{off: off, data: part}.apply(n.safe)
			}
			left[off/sector] = keep - len(part)
			off = end
		}
	}
}

// nodes goes through every file that has or had a name, once, in an order
// that is the same each time.
func (d *Disk) nodes() func(yield func(*node) bool) {
	return func(yield func(*node) bool) {
		seen := map[*node]bool{}
		for _, names := range []map[string]*node{d.names, d.safe} {
			for _, name := range slices.Sorted(maps.Keys(names)) {
				n := names[name]
				if !seen[n] {
					seen[n] = true
					if !yield(n) {
						return
					}
				}
			}
		}
	}
}

// restart brings the disk up again with what is durable, and with the names
// that are kept.
func (d *Disk) restart(kept func(nameOp) bool) {
	for _, op := range d.ops {
		if kept(op) {
			op.apply(d.safe)
		}
	}
	d.ops = nil
	d.names = maps.Clone(d.safe)
	for _, n := range d.names {
		n.now, n.changes = bytes.Clone(n.safe), nil
	}
	d.life++
}

// Contents gives a copy of what is in a file.
func (d *Disk) Contents(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.names[name]
	if n == nil {
		return nil, fmt.Errorf("contents of %s: %w", name, fs.ErrNotExist)
	}
	return bytes.Clone(n.now), nil
}

// Put makes a file be what is given, durably and under a durable name: how a
// test damages one, or brings one back.
func (d *Disk) Put(name string, contents []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := &node{now: bytes.Clone(contents), safe: bytes.Clone(contents)}
	d.names[name], d.safe[name] = n, n
	d.ops = slices.DeleteFunc(d.ops, func(op nameOp) bool { return op.from == name || op.to == name })
}
