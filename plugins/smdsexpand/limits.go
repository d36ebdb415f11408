package smdsexpand

import (
	"fmt"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// limits are what bounds a data set (DFSMS Using Data Sets). They are settings:
// a release of DFSMS may change them, and a site's own may be tighter.
type limits struct {
	total    int64 // extents without extent constraint removal
	onVolume int64 // extents on one volume
	volumes  int64 // on which a data set may lie
	kept     int64 // last extents, which the system keeps for an expansion that can't be had in one
	atOnce   int64 // extents that one expansion may take
	plain    int64 // bytes without extended addressability
	extended int64 // bytes with it
}

// room is how far a data set may still grow. The zero value is not known.
type room struct {
	known   bool
	extents int64  // that it has
	left    int64  // that it may still get
	most    int64  // that it may have in all
	why     string // what bounds them

	bytes    int64  // that it may have
	bytesWhy string // what bounds these
}

// sure is how many expansions fit for certain: each may take as many extents as
// one may at the most.
func (r room) sure(l limits) int64 { return r.left / max(1, l.atOnce) }

// best is how many fit when each is had in one extent. The last ones are not for
// these.
func (r room) best(l limits) int64 { return max(0, r.left-l.kept) }

// placing is what is known of where a data set lies, beside its catalog entry.
type placing struct {
	removed bool  // extent constraint removal is in force for its data class
	volumes int64 // on which it may lie, said by the site; 0: those in the catalog
}

// roomOf gives the room of a data set. Whatever is not known counts as the
// smaller: no extent constraint removal, no volume but those it must lie on, no
// extended addressability.
func (l limits) roomOf(c *idcams.Cluster, p placing) room {
	if c == nil || !c.Extents.Known {
		return room{}
	}
	r := room{known: true, extents: c.Extents.Value, most: l.total, why: fmt.Sprintf("%d in total without extent constraint removal", l.total)}
	if p.removed || c.Constraint == idcams.Yes {
		r.most = l.onVolume * l.volumes
		r.why = fmt.Sprintf("%d on each of %d volumes with extent constraint removal", l.onVolume, l.volumes)
	}
	r.left = max(0, r.most-r.extents)
	if onVolumes, count := l.onVolumes(c, p); onVolumes < r.left {
		r.left, r.most = onVolumes, r.extents+onVolumes
		r.why = fmt.Sprintf("%d on a volume, and it has %s", l.onVolume, plural(count, "volume"))
	}
	r.bytes, r.bytesWhy = l.plain, "its entry does not say EXT-ADDR"
	if c.Addressable == idcams.Yes || c.Allocated.Value > l.plain {
		r.bytes, r.bytesWhy = l.extended, "no data set may be larger"
	}
	return r
}

// onVolumes gives how many extents the volumes have room for, and how many
// volumes these are. A data set goes on to the next volume when one is full, and
// never back.
func (l limits) onVolumes(c *idcams.Cluster, p placing) (left, count int64) {
	used, last := int64(0), int64(0)
	for _, v := range c.Volumes {
		count++
		if v.Extents.Known && v.Extents.Value > 0 {
			used, last = used+1, v.Extents.Value
		}
	}
	if used == 0 && c.Extents.Value > 0 { // not printed: full volumes, and one that is not
		used = (c.Extents.Value + l.onVolume - 1) / l.onVolume
		last = c.Extents.Value - (used-1)*l.onVolume
	}
	count = min(max(count, used, p.volumes), max(used, l.volumes))
	return max(0, l.onVolume-last) + (count-used)*l.onVolume, count
}

// largest gives how large the data set becomes for certain, by extents and by
// bytes: when every expansion takes as many extents as it may. What is free on its
// volumes nobody tells.
func (r room) largest(l limits, g growth, size int64) int64 { return g.after(size, r.sure(l), r.bytes) }

// bound tells what ends the growth first.
func (r room) bound(l limits, g growth, size int64) string {
	if g.after(size, r.best(l), r.bytes) < r.bytes {
		return r.why
	}
	return r.bytesWhy
}

// allocated gives the size of a data set in bytes: as the catalog has it, else as
// its blocks say.
func allocated(d qsg.DataSet, block qsg.Number) qsg.Number {
	if d.Catalog != nil && d.Catalog.Allocated.Known {
		return sane(d.Catalog.Allocated.Value, 1)
	}
	if d.Usage.Total.Known && block.Known {
		return sane(d.Usage.Total.Value, block.Value)
	}
	return qsg.Number{}
}

// sane multiplies sizes; what is absurd is not known.
func sane(count, each int64) qsg.Number {
	if count < 0 || each <= 0 || count > absurd/each {
		return qsg.Number{}
	}
	return qsg.Of(count * each)
}
