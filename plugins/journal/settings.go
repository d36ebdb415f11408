package journal

import (
	"slices"

	"github.com/mqhk/mqhk/plugins/points"
	"github.com/mqhk/mqhk/plugins/schema"
)

// settings is what a task's config block may hold.
func settings() schema.Schema {
	log := points.Log{Pieces: "Receivers", Newest: "the attached one", Room: "auxiliary storage pool"}
	return schema.Schema{
		Doc: "Thresholds of the findings, and whether media images are recorded. Nothing here keeps or deletes a receiver.",
		Fields: slices.Concat(
			log.LateFields("How old the entry at a recovery point may be before that is a finding."),
			[]schema.Field{{Name: "long_chain", Kind: schema.Int, Default: int64(200), Min: 2, Max: 1000000,
				Doc: "Receivers in the chain above which its length is a finding."}},
			log.ImageFields("Whether a run first attaches a new receiver and records media images of all objects (CHGJRN, RCDMQMIMG), then plans again.", 2)),
	}
}
