package policies

import (
	"fmt"
	"time"
	_ "time/tzdata" // case 70: an image without zone data must not mean UTC

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// day keeps the bounds below readable.
const day = 24 * time.Hour

// readSchedule reads a schedule block.
func (r *reader) readSchedule(raw *hclsyntax.Block) *Schedule {
	b := open(r.source, raw, r.ds)
	if b == nil {
		return nil
	}
	b.require("cron", `a schedule says when: cron = "0 2 * * *"`)
	s := &Schedule{
		Cron:     b.text("cron"),
		Timezone: b.text("timezone"),
		Mode:     Mode(b.word("mode", string(Plan), string(Apply))),
		CatchUp:  CatchUp(b.word("catch_up", string(Once), string(Skip))),
		Overlap:  Overlap(b.word("overlap", string(SkipRun), string(QueueRun))),
		Jitter:   b.duration("jitter", 0, 0, day),
		Timeout:  b.duration("timeout", DefaultTimeout, time.Minute, 7*day),
		At:       b.at,
	}
	s.CatchUpWithin = b.duration("catch_up_within", defaultCatchUp, time.Minute, 7*day)
	if s.CatchUp == Skip {
		if b.written("catch_up_within") {
			r.ds.add(b.place("catch_up_within"), "without effect", `with catch_up = "skip" no missed run is made up for`)
		}
		s.CatchUpWithin = 0
	}
	r.checkTimes(b, s)
	b.finish()
	return s
}

// checkTimes has the zone and the expression checked. Where there is no zone
// to check it in the expression is read in UTC: what is wrong with it is wrong
// in every zone, and is better told now than after the zone was mended.
func (r *reader) checkTimes(b *block, s *Schedule) {
	zone := s.Timezone
	switch {
	case !b.written("timezone"):
		s.Timezone, zone = "UTC", "UTC"
		r.ds.warn(b.at, "no timezone", `UTC is taken; write timezone = "Area/City", or "UTC" to say so`)
	case !b.is("timezone", textValue):
		zone = "UTC" // not even a string, complained of
	default:
		if err := checkZone(zone); err != nil {
			r.ds.add(b.place("timezone"), "unknown time zone", "%v", err)
			zone = "UTC"
		}
	}
	if r.checks.Cron == nil || !b.is("cron", textValue) {
		return
	}
	doubt, err := r.checks.Cron(s.Cron, zone)
	if err != nil {
		r.ds.add(b.place("cron"), "not a schedule", "%v", err)
	} else if doubt != "" {
		r.ds.warn(b.place("cron"), "is this meant?", "%s", doubt)
	}
}

// checkZone takes names of the time zone database only. "" and "Local" would
// be UTC and the zone of whatever machine reads the file.
func checkZone(name string) error {
	if name == "" || name == "Local" {
		return fmt.Errorf("%q is not a zone: write Area/City, such as Europe/Berlin, or UTC", name)
	}
	if _, err := time.LoadLocation(name); err != nil {
		return fmt.Errorf("%q is not in the time zone database: write Area/City, such as Europe/Berlin, or UTC", name)
	}
	return nil
}
