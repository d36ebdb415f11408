package archive

import (
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

const (
	minute           = time.Minute
	day              = 24 * time.Hour
	defaultNotMoving = 7 * day
)

// settings is what a task's config block may hold.
func settings() schema.Schema {
	percent := func(name string, value int64, doc string) schema.Field {
		return schema.Field{Name: name, Kind: schema.Int, Default: value, Min: 1, Max: 100, Doc: doc}
	}
	return schema.Schema{
		Doc: "Thresholds of the findings, and whether media images are recorded. Nothing here keeps or deletes an extent.",
		Fields: []schema.Field{
			{Name: "behind", Kind: schema.Int, Default: int64(20), Min: 1, Max: 1000000,
				Doc: "Extents that a recovery point may lie behind the one being written before that is a finding."},
			{Name: "not_moving", Kind: schema.Duration, Default: defaultNotMoving, Min: int64(minute), Max: int64(366 * day),
				Doc: "How long a recovery point may stand in one extent before that is a finding; a log younger than this has none about its media point."},
			percent("file_system_percent", 80, "Per cent of the file system of the log in use from which on that is a finding."),
			percent("log_percent", 80, "Per cent of the primary files in use for a restart (LOGINUSE, LOGUTIL) from which on that is a finding."),
			{Name: "record_images", Kind: schema.Bool, Default: false,
				Doc: "Whether a run first records media images of all objects (rcdmqimg), then plans again."},
			{Name: "images_when_behind", Kind: schema.Int, Default: int64(2), Min: 1, Max: 1000000,
				Doc: "Extents that the media point must lie behind the one being written for images to be recorded, not counting those that the last images filled."},
			{Name: "images_leave_free", Kind: schema.Int, Default: int64(10), Min: 1, Max: 90,
				Doc: "Per cent of the file system of the log that images must leave free."},
			{Name: "images_within", Kind: schema.Duration, Default: time.Hour, Min: int64(minute), Max: int64(day),
				Doc: "How long the images may take."},
		},
	}
}
