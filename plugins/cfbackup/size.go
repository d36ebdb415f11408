package cfbackup

import (
	"fmt"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/points"
)

const megabyte = 1 << 20

// image is how much log a backup will write.
type image struct {
	bytes int64
	by    string // how that is known
	known bool
}

// String says it for people.
func (i image) String() string {
	if !i.known {
		return "not known"
	}
	return points.SizeUp(i.bytes) + " (" + i.by + ")"
}

// imageOf estimates the image of a structure: it is as large as the last one,
// which BKUPSIZE gives in whole megabytes, cut off. Of a structure that was never
// backed up it is what is used of it, with what lies in its data sets, and a tenth
// more: that counts nonpersistent messages too, which no image holds.
func imageOf(g *qsg.Group, s qsg.Structure) image {
	if b := s.Backup; b.Taken() && b.SizeMB.Known && b.SizeMB.Value >= 0 && b.SizeMB.Value < 1<<40 {
		return image{(b.SizeMB.Value + 1) * megabyte, "as BKUPSIZE of the last", true}
	}
	if !s.SizeMaxKB.Known || s.SizeMaxKB.Value < 0 || s.SizeMaxKB.Value > 1<<40 {
		return image{}
	}
	bytes, by := s.SizeMaxKB.Value<<10, "as SIZEMAX: how much is used is not known"
	if s.SizeUsed.Known && s.SizeUsed.Value >= 0 && s.SizeUsed.Value <= 100 {
		bytes, by = bytes/100*s.SizeUsed.Value, "by SIZEUSED"
	}
	for _, d := range g.DataSets {
		block := s.Defined.DSBlock
		if d.Structure == s.Name && d.Usage.Used.Known && block.Known {
			bytes += max(d.Usage.Used.Value, 0) * block.Value
		}
	}
	return image{bytes + bytes/10, by, true}
}

// ring is the room in the active logs of a member.
type ring struct {
	free  int64 // bytes until the last data set is full, if nothing is offloaded meanwhile
	size  int64 // of all data sets
	known bool
}

// String says it for people.
func (r ring) String() string {
	if !r.known {
		return "not known"
	}
	return fmt.Sprintf("%s of %s", points.SizeDown(r.free), points.SizeDown(r.size))
}

// ringOf gives the room: the data sets that are offloaded, and the rest of the one
// that is being written. The last one that is free counts half: from 5 per cent of
// it on the queue manager warns (CSQJ110E), and where it ends all work stops
// (CSQJ111A).
func ringOf(m *qsg.Member) ring {
	log := m.Log
	if m.BSDS == nil || !log.Known || !log.Total.Known || !log.ToOffload.Known || len(log.Copies) == 0 {
		return ring{}
	}
	var each int64 // the smallest data set: a new one has no size yet
	for _, active := range m.BSDS.Active[0] {
		if active.Status == bsds.New || active.Start.Zero() && active.End.Zero() {
			continue
		}
		if order, ok := active.Start.Compare(active.End); !ok || order > 0 {
			continue
		}
		if bytes := int64(min(active.End.Value()-active.Start.Value(), 1<<50)) + 1; !active.Truncated && (each == 0 || bytes < each) { //nolint:gosec // bounded
			each = bytes
		}
	}
	if each == 0 || log.Total.Value < 1 || log.Total.Value > 1000 {
		return ring{}
	}
	var full int64
	for _, c := range log.Copies {
		if !c.Full.Known {
			return ring{}
		}
		full = max(full, c.Full.Value)
	}
	free := max(log.Total.Value-1-log.ToOffload.Value, 0)*each + max(100-full, 0)*(each/100) - each/2
	return ring{max(free, 0), log.Total.Value * each, true}
}
