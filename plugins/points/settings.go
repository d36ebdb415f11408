package points

import (
	"time"

	"github.com/mqhk/mqhk/plugins/schema"
)

const (
	defaultBehind    = 20
	defaultNotMoving = 7 * day
	defaultLeaveFree = 10
)

// Log says how a platform's log is spoken of in the settings of its task.
type Log struct {
	Pieces string // "Extents": at the beginning of a sentence
	Newest string // "the one being written": behind which points lie
	Room   string // "file system of the log": what images fill
}

// LateFields are the settings that say when a recovery point that does not move
// is a finding; the doc is that of not_moving, whose time platforms tell in
// their own ways.
func (l Log) LateFields(notMoving string) []schema.Field {
	return []schema.Field{
		{Name: "behind", Kind: schema.Int, Default: int64(defaultBehind), Min: 1, Max: 1000000,
			Doc: l.Pieces + " that a recovery point may lie behind " + l.Newest + " before that is a finding."},
		{Name: "not_moving", Kind: schema.Duration, Default: defaultNotMoving, Min: int64(time.Minute), Max: int64(366 * day), Doc: notMoving},
	}
}

// ImageFields are the settings of the recording of media images; doc says what
// is sent for them, and least is how far the media point has to lie behind at
// least.
func (l Log) ImageFields(doc string, least int64) []schema.Field {
	return []schema.Field{
		{Name: "record_images", Kind: schema.Bool, Default: false, Doc: doc},
		{Name: "images_when_behind", Kind: schema.Int, Default: int64(2), Min: least, Max: 1000000,
			Doc: l.Pieces + " that the media point must lie behind " + l.Newest + " for images to be recorded, not counting those that the last images filled."},
		{Name: "images_leave_free", Kind: schema.Int, Default: int64(defaultLeaveFree), Min: 1, Max: 90,
			Doc: "Per cent of the " + l.Room + " that images must leave free."},
		{Name: "images_within", Kind: schema.Duration, Default: time.Hour, Min: int64(time.Minute), Max: int64(day),
			Doc: "How long the images may take."},
	}
}
