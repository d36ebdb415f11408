package archive

import (
	"slices"

	"github.com/mqhk/mqhk/plugins/points"
	"github.com/mqhk/mqhk/plugins/schema"
)

// settings is what a task's config block may hold.
func settings() schema.Schema {
	percent := func(name, doc string) schema.Field {
		return schema.Field{Name: name, Kind: schema.Int, Default: int64(80), Min: 1, Max: 100, Doc: doc}
	}
	log := points.Log{Pieces: "Extents", Newest: "the one being written", Room: "file system of the log"}
	return schema.Schema{
		Doc: "Thresholds of the findings, and whether media images are recorded. Nothing here keeps or deletes an extent.",
		Fields: slices.Concat(
			log.LateFields("How long a recovery point may stand in one extent before that is a finding; a log younger than this has none about its media point."),
			[]schema.Field{
				percent("file_system_percent", "Per cent of the file system of the log in use from which on that is a finding."),
				percent("log_percent", "Per cent of the primary files in use for a restart (LOGINUSE, LOGUTIL) from which on that is a finding."),
			},
			log.ImageFields("Whether a run first records media images of all objects (rcdmqimg), then plans again.", 1)),
	}
}
