package agent

import (
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// Deeds is what a run did, as its record tells.
type Deeds struct {
	Deletes int   `json:"deletes"`     // deletes that were planned
	Deleted int   `json:"deleted"`     // of these, that are done
	Saved   int   `json:"saved"`       // copies that were made, read back and compared
	Freed   int64 `json:"bytes_freed"` // of what was looked for at the end and is gone
}

// DeedsOf adds up what a run did on all targets. Of a plan it is nothing but
// the deletes that were planned.
func DeedsOf(record ledger.Record) Deeds {
	var d Deeds
	for _, t := range record.Targets {
		for _, a := range t.Actions {
			done := a.Outcome == string(plugins.Done)
			switch plugins.Kind(a.Kind) {
			case plugins.KindDelete:
				d.Deletes++
				if done {
					d.Deleted++
				}
			case plugins.KindArchive:
				if done {
					d.Saved++
				}
			}
		}
		if t.ReadBack != nil {
			d.Freed += t.ReadBack.BytesFreed
		}
	}
	return d
}
