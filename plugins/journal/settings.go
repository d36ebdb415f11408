package journal

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
	return schema.Schema{
		Doc: "Thresholds of the findings, and whether media images are recorded. Nothing here keeps or deletes a receiver.",
		Fields: []schema.Field{
			{Name: "behind", Kind: schema.Int, Default: int64(20), Min: 1, Max: 1000000,
				Doc: "Receivers that a recovery point may lie behind the attached one before that is a finding."},
			{Name: "not_moving", Kind: schema.Duration, Default: defaultNotMoving, Min: int64(minute), Max: int64(366 * day),
				Doc: "How old the entry at a recovery point may be before that is a finding."},
			{Name: "long_chain", Kind: schema.Int, Default: int64(200), Min: 2, Max: 1000000,
				Doc: "Receivers in the chain above which its length is a finding."},
			{Name: "record_images", Kind: schema.Bool, Default: false,
				Doc: "Whether a run first attaches a new receiver and records media images of all objects (CHGJRN, RCDMQMIMG), then plans again."},
			{Name: "images_when_behind", Kind: schema.Int, Default: int64(2), Min: 2, Max: 1000000,
				Doc: "Receivers that the media point must lie behind the attached one for images to be recorded, not counting those that the last images filled."},
			{Name: "images_leave_free", Kind: schema.Int, Default: int64(10), Min: 1, Max: 90,
				Doc: "Per cent of the auxiliary storage pool that images must leave free."},
			{Name: "images_within", Kind: schema.Duration, Default: time.Hour, Min: int64(minute), Max: int64(day),
				Doc: "How long the images may take."},
		},
	}
}
