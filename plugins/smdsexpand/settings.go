package smdsexpand

import (
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins/schema"
)

const day = 24 * time.Hour

// settings is what a task's config block may hold.
func settings() schema.Schema {
	return schema.Schema{
		Doc:    "How far shared message data sets may grow, from when on their growth is a finding, and which of the advice a run carries out itself.",
		Fields: slices.Concat(limitFields(), thresholdFields(), actionFields()),
	}
}

// number is a setting that is a whole number.
func number(name string, usual, least, most int64, doc string) schema.Field {
	return schema.Field{Name: name, Kind: schema.Int, Default: usual, Min: least, Max: most, Doc: doc}
}

// size is one that is a number of bytes.
func size(name string, usual, least, most int64, doc string) schema.Field {
	return schema.Field{Name: name, Kind: schema.Size, Default: usual, Min: least, Max: most, Doc: doc}
}

func limitFields() []schema.Field {
	return []schema.Field{
		number("extents", idcams.MostExtents, 1, 100000, "Extents that a data set may have in all without extent constraint removal."),
		number("extents_on_volume", idcams.MostOnVolume, 1, 100000, "Extents that a data set may have on one volume."),
		number("volumes_at_most", 59, 1, 1000, "Volumes on which a data set may lie at the most, which bounds it with extent constraint removal."),
		number("extents_kept", 4, 0, 1000, "Last extents that the system keeps for an expansion that can't be had in one extent."),
		number("extents_at_once", 5, 1, 1000, "Extents that one expansion may take."),
		{Name: "constraint_removed", Kind: schema.Strings, Default: []string{},
			Doc: "SMS data classes with extent constraint removal, which no catalog prints; of a data set whose class is not listed the smaller limit counts."},
		number("volumes", 0, 0, 1000, "Volumes on which each data set may come to lie, such as by a dynamic volume count; 0 is those that its catalog entry names, candidates too."),
		size("largest", 4<<30, 1<<20, 1<<50, "Bytes that a data set may have without extended addressability."),
		size("largest_extended", 16<<40, 1<<20, 1<<50, "Bytes that a data set may have with extended addressability."),
	}
}

func thresholdFields() []schema.Field {
	return []schema.Field{
		number("full_percent", 80, 1, 100, "Per cent of a data set in use from which on that is a finding."),
		number("few_extents", 10, 0, 100000, "Extents that a data set may still get, below or at which that is a finding."),
		number("offload_near", 5, 0, 100, "Per cent of a structure that may lie between its fill and its next offload rule for that to be a finding."),
		{Name: "recent", Kind: schema.Duration, Default: day, Min: int64(time.Hour), Max: int64(366 * day),
			Doc: "How long a message of an expansion, or of one that failed, is a finding."},
		{Name: "horizon", Kind: schema.Duration, Default: 7 * day, Min: int64(6 * time.Hour), Max: int64(60 * day),
			Doc: "How far ahead the fill of data sets is forecast."},
		size("expect", 0, 0, 1<<50, "Bytes of messages that each data set is to hold before a known peak; 0 is no more than the forecast."),
		size("backup_data", 10<<30, 1<<20, 1<<60, "Bytes in the data sets of one structure from which on it is advised to back the structure up more often."),
		number("pictures", 6, 0, 100, "Data sets of which fill and extents are drawn, those in most need first."),
	}
}

func actionFields() []schema.Field {
	return []schema.Field{
		size("buffer_storage", 512<<20, 1<<20, 1<<50, "Storage that the buffers of one queue manager for one structure may take: DSBUFS times DSBLOCK."),
		{Name: "alter_buffers", Kind: schema.Bool, Default: false,
			Doc: "Whether a run raises DSBUFS itself by the number of requests that waited at once (ALTER SMDS); else the command is shown."},
		{Name: "expand_again", Kind: schema.Strings, Default: []string{},
			Doc: "Data sets, each as STRUCTURE/OWNER, that a run lets expand again (ALTER SMDS DSEXPAND(YES)): those of which you have removed the cause of a failed expansion."},
	}
}

// config is the settings as they are worked with.
type config struct {
	limits    limits
	removed   []string // data classes
	volumes   int64
	full, few int64
	near      int64
	recent    time.Duration
	horizon   time.Duration
	expect    int64
	backup    int64
	pictures  int64
	storage   int64
	alter     bool
	again     []string
}

func configOf(v schema.Value) config {
	return config{
		limits: limits{
			total: v.Int("extents"), onVolume: v.Int("extents_on_volume"), volumes: v.Int("volumes_at_most"),
			kept: v.Int("extents_kept"), atOnce: v.Int("extents_at_once"),
			plain: v.Int("largest"), extended: v.Int("largest_extended"),
		},
		removed: v.Strings("constraint_removed"), volumes: v.Int("volumes"),
		full: v.Int("full_percent"), few: v.Int("few_extents"), near: v.Int("offload_near"),
		recent: v.Duration("recent"), horizon: v.Duration("horizon"), expect: v.Int("expect"), backup: v.Int("backup_data"),
		pictures: v.Int("pictures"), storage: v.Int("buffer_storage"), alter: v.Bool("alter_buffers"), again: v.Strings("expand_again"),
	}
}

// placing gives what the site says of where a data set lies.
func (c config) placing(d qsg.DataSet) placing {
	return placing{removed: d.Catalog != nil && slices.Contains(c.removed, d.Catalog.Classes.Data), volumes: c.volumes}
}

// mayExpand tells whether the site says that a data set may expand again.
func (c config) mayExpand(d qsg.DataSet) bool { return slices.Contains(c.again, key(d)) }

// key names a data set: by its structure and its owner, of whom every queue
// manager of the group may have answered (case 50).
func key(d qsg.DataSet) string { return d.Structure + "/" + d.Owner }
