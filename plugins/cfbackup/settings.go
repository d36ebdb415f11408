package cfbackup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

const day = 24 * time.Hour

// The bounds of EXCLINT (BACKUP CFSTRUCT, case 41).
const (
	leastExclint = 30 * time.Second
	mostExclint  = 600 * time.Second
)

// readRate is what IBM's example for page sets reads of the log in a second, 2.7
// MB ("Achieving specific recovery targets").
const readRate = 2700 << 10

// settings is what a task's config block may hold.
func settings() schema.Schema {
	return schema.Schema{
		Doc: "How often structures are backed up, when, and on which member; and the thresholds of the findings.",
		Fields: []schema.Field{
			{Name: "interval", Kind: schema.Duration, Default: time.Hour, Min: int64(time.Minute), Max: int64(day),
				Doc: "How old a backup may get before the next. At twice this a late one is a warning, at 24 hours it is critical."},
			{Name: "skip_younger", Kind: schema.Duration, Default: time.Duration(0), Min: 0, Max: int64(day),
				Doc: "A structure whose backup is younger than this is left out of a run; 0s leaves out none."},
			{Name: "exclint", Kind: schema.Duration, Default: leastExclint, Min: int64(leastExclint), Max: int64(mostExclint),
				Doc: "EXCLINT: how much of the newest activity an image leaves out. A recovery reads it from the members' logs instead."},
			{Name: "backup_queue_manager", Kind: schema.String, Default: "",
				Doc: "Member that takes the backups; empty: the one that the sharing group's target names."},
			{Name: "stand_in", Kind: schema.Strings, Default: []string{},
				Doc: "Members that take the backups when that one can't, the first that can. Images fill the log of the member that writes them, so none does it unless it is named here."},
			{Name: "window", Kind: schema.String, Default: "",
				Doc: "Hours, such as \"22:00-05:00\" by the group's clock, in which structures are backed up as soon as they are nearly empty. Outside, and while fuller, a structure waits until its backup is as old as the interval. Empty: at any time, full or not."},
			{Name: "nearly_empty", Kind: schema.Int, Default: int64(10), Min: 1, Max: 100,
				Doc: "Per cent of a structure, and of its shared message data sets, up to which it counts as nearly empty."},
			{Name: "image_bytes", Kind: schema.Size, Default: int64(0), Min: 0, Max: 1 << 50,
				Doc: "How much all images of one run may write to the log. What is over that waits for the next run; 0B: as much as the member's active logs have room for."},
			{Name: "exceed_active_logs", Kind: schema.Bool, Default: false,
				Doc: "Whether an image that is larger than the room in the member's active logs is written all the same, the only one on it in a run. Where archiving does not keep up with it, all work on that member stops."},
			{Name: "backup_within", Kind: schema.Duration, Default: 30 * time.Minute, Min: int64(time.Minute), Max: int64(day),
				Doc: "How long a backup may take until nobody knows what became of it."},
			{Name: "stuck_after", Kind: schema.Duration, Default: time.Hour, Min: int64(time.Minute), Max: int64(day),
				Doc: "From when on a backup that is still running counts as stuck."},
			{Name: "recovery_rate", Kind: schema.Size, Default: int64(readRate), Min: 1 << 10, Max: 1 << 40,
				Doc: "Bytes of log that a recovery reads in a second, for the estimate of how long it takes. Measure yours: CSQE130I and CSQE131I."},
			{Name: "recovery_set", Kind: schema.Bool, Default: false,
				Doc: "Whether the run makes a recovery set for another site: after the backups the log of every member is archived (ARCHIVE LOG). For a task of its own, once or twice a day."},
		},
	}
}

// Check tells what is wrong with a task beyond its schema: the hours of the
// window.
func (p Plugin) Check(_ context.Context, request plugins.Request) []plugins.Complaint {
	if _, err := parseWindow(request.Config.String("window")); err != nil {
		return []plugins.Complaint{{Path: "window", Text: err.Error()}}
	}
	return nil
}

// window is a part of the day. The zero value is all of it.
type window struct{ from, to time.Duration }

// parseWindow reads "22:00-05:00". A window that ends where it begins would hold
// nothing or everything, and is refused.
func parseWindow(text string) (window, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return window{}, nil
	}
	first, last, ok := strings.Cut(text, "-")
	from, err := time.Parse("15:04", strings.TrimSpace(first))
	to, errTo := time.Parse("15:04", strings.TrimSpace(last))
	if !ok || err != nil || errTo != nil {
		return window{}, fmt.Errorf("%q is no part of a day such as \"22:00-05:00\"", text)
	}
	w := window{sinceMidnight(from), sinceMidnight(to)}
	if w.from == w.to {
		return window{}, fmt.Errorf("%q begins where it ends", text)
	}
	return w, nil
}

// sinceMidnight gives the time of day, as a clock shows it.
func sinceMidnight(at time.Time) time.Duration {
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second
}

// set tells whether there is a window.
func (w window) set() bool { return w != window{} }

// holds tells whether a time of day lies in the window; its end does not.
func (w window) holds(at time.Duration) bool {
	if w.from < w.to {
		return at >= w.from && at < w.to
	}
	return at >= w.from || at < w.to
}
