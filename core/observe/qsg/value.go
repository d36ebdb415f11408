package qsg

import (
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe"
)

// numberOf reads a whole number, with the per cent sign or the unit behind it
// cut off where it has one of 1. What is none is not known.
func numberOf(text string) Number {
	text = strings.TrimSuffix(strings.TrimSpace(text), "%")
	value, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	if err != nil {
		return Number{}
	}
	return Of(value)
}

// bytesOf reads a size such as DSBLOCK(256K) or OFFLD1SZ(32K) as bytes.
func bytesOf(text string) Number {
	text = strings.ToUpper(strings.TrimSpace(text))
	unit := int64(1)
	switch {
	case strings.HasSuffix(text, "K"):
		unit = 1 << 10
	case strings.HasSuffix(text, "M"):
		unit = 1 << 20
	}
	number := numberOf(strings.TrimRight(text, "KM"))
	if number.Value < 0 || number.Value > 1<<40 {
		return Number{}
	}
	number.Value *= unit
	return number
}

// positionOf reads an RBA; blank or torn, it is not known.
func positionOf(text string) Position {
	position, err := bsds.ParseRBA(text)
	if err != nil {
		return Position{}
	}
	return position
}

// lrsnOf reads an LRSN likewise.
func lrsnOf(text string) bsds.LRSN {
	lrsn, err := bsds.ParseLRSN(text)
	if err != nil {
		return bsds.LRSN{}
	}
	return lrsn
}

// stampOf reads a day and a time as MQ prints them, 2005-06-01 and 15.56.15; the
// zero stamp where one of them is blank or none.
func stampOf(day, clock string) observe.Stamp {
	day, clock = strings.TrimSpace(day), strings.TrimSpace(clock)
	if day == "" || clock == "" {
		return observe.Stamp{}
	}
	stamp, err := observe.ParseStamp(day + " " + clock)
	if err != nil {
		return observe.Stamp{}
	}
	return stamp
}
