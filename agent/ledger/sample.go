package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// A run on z/OS measures: how full a shared message data set is, and how many
// extents it has. The forecasts of later runs need that, so the facts of a
// record's objects that are listed here are kept: all of the last two days, and
// of each day before that the largest. 63 structures of 32 members are 2016 data
// sets, and nobody forecasts by minutes of a month ago.
var measures = map[measured]string{
	{"data-set", "used_blocks"}:   "smds-used",
	{"data-set", "data_blocks"}:   "smds-total",
	{"data-set", "hi_a_rba"}:      "smds-allocated",
	{"data-set", "extents"}:       "smds-extents",
	{"data-set", "lowest_free"}:   "smds-lowest-free",
	{"structure", "size_used"}:    "structure-used",
	{"structure", "entries_used"}: "structure-entries",
	{"structure", "backup_size"}:  "backup-size",
	{"member", "log_switches"}:    "log-switches",
	{"member", "archives"}:        "archives",
}

// measured is a fact of a kind of objects.
type measured struct{ kind, fact string }

// sampledSince is the first version of the schema that keeps samples.
const sampledSince = 2

const (
	keptWhole = 48 * time.Hour       // for which every sample is kept
	keptDays  = 400 * 24 * time.Hour // for which the largest of a day is
)

// sample is one measurement as HISTORY gives it: library is the structure,
// segment the owner of its data set, or the member.
type sample struct {
	kind, library, segment string
	value                  int64
}

// samplesOf gives what a target's record measured, each series once.
func samplesOf(t Target) []sample {
	if t.Platform != string(observe.ZOS) {
		return nil
	}
	var list []sample
	seen := map[sample]bool{}
	for _, o := range t.Objects {
		for fact, text := range o.Facts {
			kind, ok := measures[measured{o.Kind, fact}]
			value, err := strconv.ParseInt(text, 10, 64)
			if !ok || err != nil {
				continue
			}
			s := sample{kind: kind, library: cmp.Or(o.Facts["structure"], o.Name), segment: o.Owner}
			if o.Kind == "member" {
				s.library, s.segment = "", o.Name
			}
			if !seen[s] {
				seen[s] = true
				s.value = value
				list = append(list, s)
			}
		}
	}
	return list
}

// measure keeps what a record measured, and thins what was kept before.
func (c *change) measure(record Record) error {
	done := map[string]bool{}
	for _, t := range record.Targets {
		at := observed(t)
		list := samplesOf(t)
		if at == 0 || len(list) == 0 {
			continue
		}
		if err := c.keepSamples(t.Name, at, list); err != nil {
			return err
		}
		if !done[t.Name] {
			done[t.Name] = true
			if err := c.thin(t.Name, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *change) keepSamples(target string, at int64, list []sample) error {
	whole, err := c.tx.PrepareContext(c.ctx, "INSERT OR REPLACE INTO sample (target, kind, library, segment, at, value) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer whole.Close()
	day, err := c.tx.PrepareContext(c.ctx, `INSERT INTO sample_day (target, kind, library, segment, day, at, value) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET at = excluded.at, value = excluded.value WHERE excluded.value > value`)
	if err != nil {
		return err
	}
	defer day.Close()
	for _, s := range list {
		if _, err := whole.ExecContext(c.ctx, target, s.kind, s.library, s.segment, at, s.value); err != nil {
			return err
		}
		if _, err := day.ExecContext(c.ctx, target, s.kind, s.library, s.segment, at/int64(24*time.Hour), at, s.value); err != nil {
			return err
		}
	}
	return nil
}

// thin lets go what is older than is kept, as seen from the newest observation.
func (c *change) thin(target string, at int64) error {
	if _, err := c.exec("DELETE FROM sample WHERE target = ? AND at < ?", target, at-int64(keptWhole)); err != nil {
		return err
	}
	_, err := c.exec("DELETE FROM sample_day WHERE target = ? AND at < ?", target, at-int64(keptDays))
	return err
}

// sampleLines gives the samples of a target as HISTORY has them, oldest first: of
// a day of which every one is kept the largest is not given again.
func (l *Ledger) sampleLines(ctx context.Context, target string) ([][]string, error) {
	if l.readOnly && l.version < sampledSince {
		return nil, nil
	}
	scan := func(found *sql.Rows) ([]string, error) {
		var at, value int64
		line := make([]string, len(historyColumns))
		err := found.Scan(&at, &line[1], &line[2], &line[3], &value)
		line[0], line[4] = stamp(moment(at)), strconv.FormatInt(value, 10)
		return line, err
	}
	return rows(ctx, l.db, scan, `SELECT at, kind, library, segment, value FROM sample WHERE target = ?1
		UNION SELECT at, kind, library, segment, value FROM sample_day
		WHERE target = ?1 AND at < (SELECT min(at) FROM sample WHERE target = ?1)
		ORDER BY at, kind, library, segment`, target)
}
