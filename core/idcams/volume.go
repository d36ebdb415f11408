package idcams

import (
	"strconv"
	"strings"
)

// MostExtents is how many extents a data set may have in all without extent
// constraint removal, and MostOnVolume how many on one volume in any case (DFSMS
// Using Data Sets).
const (
	MostExtents  = 255
	MostOnVolume = 123
)

// The classes of devices in the third byte of a device type.
const (
	tape = 0x80
	disk = 0x20
)

// Tape tells whether the volume is a tape, by its device type.
func (v Volume) Tape() Answer {
	if len(v.Device) != 8 {
		return Unsaid
	}
	class, err := strconv.ParseUint(v.Device[4:6], 16, 8)
	switch {
	case err != nil:
		return Unsaid
	case class == tape:
		return Yes
	case class == disk:
		return No
	}
	return Unsaid
}

// migrated are the volumes that catalogs name for data sets that DFSMShsm or its
// like took away from their own.
var migrated = map[string]bool{"MIGRAT": true, "ARCIVE": true} //nolint:misspell // so it is written there

// Migrated tells whether the data set was migrated, so that reading it needs it
// recalled first.
func (n NonVSAM) Migrated() bool {
	for _, volume := range n.Volumes {
		if migrated[volume.Serial] {
			return true
		}
	}
	return false
}

// OnTape tells whether any of its volumes is a tape; not known when one of them
// may be.
func (n NonVSAM) OnTape() Answer {
	answer := No
	for _, volume := range n.Volumes {
		switch volume.Tape() {
		case Yes:
			return Yes
		case Unsaid:
			answer = Unsaid
		}
	}
	if len(n.Volumes) == 0 {
		return Unsaid
	}
	return answer
}

// constraint tells what of extent constraint removal shows.
func (c Cluster) constraint() Answer {
	switch {
	case c.Extents.Known && c.Extents.Value > MostExtents:
		return Yes
	case c.Extended == No:
		return No
	}
	return Unsaid
}

// parseNumber reads a number as it stands behind the dashes.
func parseNumber(text string) Number {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.HasPrefix(text, "+") {
		return Number{}
	}
	return Number{value, true}
}
