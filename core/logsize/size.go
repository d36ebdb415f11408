package logsize

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrTooLarge says that no log that the release allows bears the load.
var ErrTooLarge = errors.New("no log of this release is large enough")

// Size is what a load needs.
type Size struct {
	FilePages, Primary, Secondary int

	Average    int64         // bytes of the log a second
	Peak       int64         // the same at the highest rate
	Checkpoint time.Duration // between two of them, at the highest rate
	Span       int64         // bytes that a restart may need
	Need       int64         // bytes that all files together must have
	PerDay     float64       // extents begun in a day at the ordinary rate
	// Files are how many there will be in active/, and FileSystem their bytes.
	// Of a linear log both are with what media recovery needs.
	Files      int64
	FileSystem int64

	// Steps are how it came about, in order.
	Steps []Step
}

// Step is one formula with its numbers, and the rule that it is from.
type Step struct {
	What    string `json:"what"`
	Formula string `json:"formula"`
	Numbers string `json:"numbers"`
	Result  string `json:"result"`
	Rule    string `json:"rule"`
}

// few is how many primary files there are at most while larger ones would do:
// "a small number of large files rather than a large number of small ones"
// (chapter 7.1.4, note 3).
const few = 8

// Of says how large the log has to be for a load. The errors wrap [ErrLoad]
// and [ErrTooLarge].
func Of(load Load) (Size, error) {
	l, err := load.normal()
	if err != nil {
		return Size{}, err
	}
	c := &calculation{load: l, over: OverheadOf(l.Release)}
	c.rates()
	c.span()
	if err := c.files(); err != nil {
		return c.size, err
	}
	c.space()
	return c.size, nil
}

// calculation goes from the load to the files.
type calculation struct {
	load  Load
	over  Overhead
	size  Size
	image int64 // bytes of all images once
	// flow is what messages and units of work take a second, without images.
	flow float64
}

func (c *calculation) step(what, formula, rule, result, numbers string, args ...any) {
	c.size.Steps = append(c.size.Steps, Step{what, formula, fmt.Sprintf(numbers, args...), result, rule})
}

const (
	ruleTable      = `IBM's table of log overheads, "Calculating the size of the log"`
	ruleCheckpoint = "a checkpoint every 10,000 persistent puts and gets, or every 30 minutes"
	rulePeak       = "the log must bear the highest rate"
	ruleMark       = "a restart begins at the last checkpoint, or at the oldest unit of work that was active then"
	ruleActive     = `IBM's "Calculating the size of the active log": 2 x (N + 1) x B`
	ruleImages     = ruleActive + ", which leaves images out: they are added, since they take room in the log too"
	ruleFew        = `few large files rather than many small ones, "Calculating the size of the log"`
	ruleMore       = "more primary than secondary files, or secondary ones are made before the checkpoint"
	ruleMedia      = "media recovery needs every extent from the image on, whatever the counts are"
	ruleFile       = "the length of an extent's file: two pages more"
)

// rates finds how many bytes of the log are written in a second.
func (c *calculation) rates() {
	l, o := c.load, c.over
	put := o.PutOf(l.Length)
	if l.Length > o.Segment {
		c.step("a put", "put + length + segments x segment", ruleTable, bytesText(put),
			"%d + %d + %d x %d", o.Put, l.Length, pieces(l.Length, o.Segment), o.PutSegment)
	} else {
		c.step("a put", "put + length", ruleTable, bytesText(put), "%d + %d", o.Put, l.Length)
	}
	undone := (l.Puts + l.Gets) / (l.Units + l.Backouts)
	backout := float64(o.Backout) + float64(o.BackoutEach)*undone
	c.flow = l.Puts*float64(put) + l.Gets*float64(o.Get) + l.Units*float64(o.Commit) + l.Backouts*backout
	c.step("messages and units of work", "puts x put + gets x get + commits x commit + backouts x backout", ruleTable, rateText(c.flow),
		"%g x %d + %g x %d + %g x %d + %g x %.0f", l.Puts, put, l.Gets, o.Get, l.Units, o.Commit, l.Backouts, backout)
	point := o.CheckpointOf(l.Active)
	every := float64(point) / l.Checkpoint.Seconds()
	c.step("a checkpoint", "checkpoint + active units x unit, in each interval", ruleCheckpoint, rateText(every),
		"(%d + %d x %d) / %s", o.Checkpoint, l.Active, o.ActiveUnit, l.Checkpoint.Round(time.Millisecond))
	imaged := 0.0
	if l.Images > 0 {
		// What a message takes on its queue is not known: no more than its put.
		c.image = o.ImageOf(l.Depth * (o.Put + l.Length))
		imaged = float64(c.image) / l.Images.Seconds()
		c.step("an image of all queues", "image + depth x (length + put) + segments x segment, in each interval", ruleTable, rateText(imaged),
			"(%d + %d x (%d + %d) + %d x %d) / %s", o.Image, l.Depth, l.Length, o.Put,
			pieces(l.Depth*(o.Put+l.Length), o.ImagePart), o.ImageSegment, l.Images)
	}
	c.size.Average = clamp(c.flow + every + imaged)
	c.size.Peak = clamp(c.flow*l.Burst + every)
	c.size.Checkpoint = l.Checkpoint
	c.step("B, the highest rate", "burst x messages and units of work + checkpoints", rulePeak, rateText(float64(c.size.Peak)),
		"%g x %.0f + %.0f", l.Burst, c.flow, every)
}

// span finds how much of the log a restart may need, and what the rule for the
// active log asks for.
func (c *calculation) span() {
	l := c.load
	n, every := l.Longest.Seconds(), l.Checkpoint.Seconds()
	point := c.over.CheckpointOf(l.Active)
	// One second: a checkpoint is not over when it begins.
	span := c.during("restart span", "(N + checkpoint interval + 1) x B + a checkpoint", ruleMark,
		n+every+1, point, "(%g + %g + 1) x %d + %d", n, round(every), c.size.Peak, point)
	rule := ruleActive
	if c.image > 0 {
		rule = ruleImages
	}
	active := c.during("active log", "2 x (N + 1) x B", rule, 2*(n+1), 0, "2 x (%g + 1) x %d", n, c.size.Peak)
	c.size.Span, c.size.Need = clamp(span), clamp(max(span, active))
}

// during tells how much is written in a time, with the images that are taken in
// it, and a sum that is written once.
func (c *calculation) during(what, formula, rule string, seconds float64, once int64, numbers string, args ...any) float64 {
	bytes := seconds*float64(c.size.Peak) + float64(once)
	if c.image > 0 {
		images := 1 + math.Floor(seconds/c.load.Images.Seconds())
		bytes += images * float64(c.image)
		formula, numbers, args = formula+" + images in that time x image", numbers+" + %.0f x %d", append(args, images, c.image)
	}
	c.step(what, formula, rule, floatText(bytes), numbers, args...)
	return bytes
}

// files chooses size and counts of the files.
func (c *calculation) files() error {
	limits := c.load.Limits
	largest := max(c.over.PutOf(min(c.load.Length, c.over.Segment)), min(c.image, c.over.ImagePart+c.over.Image)) // a record lies in one file
	for pages := limits.Pages; ; pages = min(2*pages, limits.MaxPages) {
		room := int64(pages)*Page - largest
		if room > 0 {
			primary, secondary := c.counts(room)
			fits := limits.Check(c.load.Linear, primary, secondary, pages) == nil
			if fits && primary <= few || pages == limits.MaxPages && fits {
				c.size.FilePages, c.size.Primary, c.size.Secondary = pages, primary, secondary
				c.chosen(pages, room)
				return nil
			}
		}
		if pages == limits.MaxPages {
			return fmt.Errorf("%w: %s are needed, and %d files of %d pages are all that there may be",
				ErrTooLarge, bytesText(c.size.Need), limits.MaxSum, limits.MaxPages)
		}
	}
}

// chosen tells of the files.
func (c *calculation) chosen(pages int, room int64) {
	s, l := &c.size, c.load.Limits
	c.step("LogFilePages", fmt.Sprintf("the least, from the default on, with at most %d primary files", few), ruleFew,
		fmt.Sprint(pages), "%s each, of which a record at the end may waste %s", bytesText(int64(pages)*Page), bytesText(int64(pages)*Page-room))
	c.step("LogPrimaryFiles", "restart span / file + 1, at least the default", ruleMark, fmt.Sprint(s.Primary),
		"%d / %d + 1, at least %d", s.Span, room, l.Primary)
	c.step("LogSecondaryFiles", "what the active log needs beyond them, at least half as many and the default", ruleMore, fmt.Sprint(s.Secondary),
		"%d / %d + 1 - %d, at least %d and %d", s.Need, room, s.Primary, s.Primary/2, l.Secondary)
}

// counts finds how many files there must be of so many bytes of records. The
// span of a restart begins and ends within a file, so one more is needed.
func (c *calculation) counts(room int64) (primary, secondary int) {
	primary = max(c.load.Limits.Primary, clampInt(pieces(c.size.Span, room)+1))
	all := clampInt(pieces(c.size.Need, room) + 1)
	secondary = max(c.load.Limits.Secondary, primary/2, all-primary)
	if secondary >= primary {
		sum := primary + secondary
		primary = sum/2 + 1
		secondary = sum - primary
	}
	return primary, secondary
}

// space finds what the file system must have.
func (c *calculation) space() {
	s := &c.size
	file := int64(s.FilePages+2) * Page
	extent := int64(s.FilePages) * Page
	s.PerDay = float64(s.Average) * (24 * time.Hour).Seconds() / float64(extent)
	s.Files = int64(s.Primary + s.Secondary)
	if c.load.Linear && c.load.Images > 0 {
		kept := c.load.Images + c.load.Keep
		media := (float64(s.Average)*kept.Seconds() + float64(c.image)) / float64(extent)
		held := clamp(math.Ceil(media)) + 1
		s.Files = max(s.Files, held+int64(s.Secondary))
		c.step("extents for media recovery", "(average x (time between images + keep) + an image) / extent + 1", ruleMedia, fmt.Sprint(held),
			"(%d x %s + %d) / %d + 1", s.Average, kept, c.image, extent)
	}
	s.FileSystem = s.Files * file
	c.step("file system", "files x (LogFilePages + 2) x 4096", ruleFile, bytesText(s.FileSystem), "%d x (%d + 2) x 4096", s.Files, s.FilePages)
}

// clamp rounds up to a whole number: of what is beyond the third digit behind
// the point nothing is known.
func clamp(f float64) int64 { return int64(min(math.Ceil(round(f)), 1<<60)) }

func clampInt(n int64) int { return int(min(n, math.MaxInt32)) }

// round leaves three digits behind the point.
func round(f float64) float64 { return math.Round(f*1000) / 1000 }
