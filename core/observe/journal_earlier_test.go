package observe

import (
	"testing"
	"time"
)

// A point that an earlier run saw in a receiver that is not listed: one that
// has gone since is nothing new, one that is still to come says that the queue
// manager was put back.
func TestPointsOfEarlierRuns(t *testing.T) {
	saw := func(at, name string) *system {
		return full().with("history", "AT,KIND,LIBRARY,SEGMENT,POSITION\n"+at+",media,LIBA,"+name+",2026-05-27 14:05:35.123\n")
	}
	const before, later = "2026-05-27T20:00:00Z", "2026-06-27T20:00:00Z"
	runCases(t, []journalCase{
		{name: "in a receiver that has gone", system: saw(before, "AMQA000003"), goes: good},
		{name: "in one that has gone, and the clock was put back since", system: saw(later, "AMQA000003"), goes: good},
		{name: "in one that is listed, and the clock was put back since", system: saw(later, "AMQA000007"), goes: good},
		{name: "in the one after the attached one", system: saw(before, "AMQA000011"), open: "mark-went-back"},
		{name: "far ahead", system: saw(before, "AMQA050009"), open: "mark-went-back"},
		{name: "as far behind", system: saw(before, "AMQA050010"), goes: good},
		{name: "before the names wrapped", system: saw(before, "AMQA099990"), goes: good},
		{name: "before all six digits wrapped", system: saw(before, "AMQA999990"), goes: good},
		{name: "after a restore that raised the digit", system: saw(before, "AMQA100003"), open: "mark-went-back"},
		{name: "of another letter, before", system: saw(before, "AMQC000011"), goes: good},
		{name: "of another letter, and still to come", system: saw(later, "AMQC000003"), open: "mark-went-back"},
		{name: "of another letter, and no clock", system: func() *system {
			s := saw(later, "AMQC000003")
			s.at = time.Time{}
			return s
		}(), goes: good},
	})
}
