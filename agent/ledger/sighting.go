package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Sighting is what one observation of a target saw that later ones need.
type Sighting struct {
	Target   string
	At       time.Time     // by the target's own clock
	Segments []SeenSegment // all that are on the system; nil: nothing was learned of them
	Points   []SeenPoint
	// PutBack says that the log was put back to an older state: what was seen
	// before is of another life of the queue manager. Current names the segment
	// that was being written.
	PutBack bool
	Current string
}

// SeenSegment is a segment on the system.
type SeenSegment struct {
	ID     recovery.SegmentID
	Opened string // when its first entry was written: tells it from a later one of the same name
	Needed bool   // a need covers it
}

// SeenPoint is a recovery point.
type SeenPoint struct {
	Kind                       recovery.NeedKind // restart or media; others are not remembered
	Library, Segment, Position string
}

// SightingOf gives what an inventory shows. What has a critical finding, or
// knows of no need at all, says nothing of which segments are needed.
func SightingOf(inv recovery.Inventory) Sighting {
	s := Sighting{Target: inv.QueueManager, At: inv.Observed}
	for _, n := range inv.Needs {
		if n.Name != "" && remembered(n.Kind) {
			s.Points = append(s.Points, SeenPoint{Kind: n.Kind, Segment: n.Name, Position: n.Entry})
		}
	}
	for _, segment := range inv.Segments {
		if segment.State == recovery.Current {
			s.Current = segment.ID.Name
		}
	}
	if worst, some := finding.Worst(inv.Open); len(inv.Needs) == 0 || some && worst == finding.Critical {
		return s
	}
	oldest := inv.Needs[0].From
	for _, n := range inv.Needs {
		oldest = min(oldest, n.From)
	}
	s.Segments = make([]SeenSegment, 0, len(inv.Segments))
	for _, segment := range inv.Segments {
		if segment.State != recovery.Absent {
			s.Segments = append(s.Segments, SeenSegment{segment.ID, segment.Opened, segment.To >= oldest})
		}
	}
	return s
}

// remembered tells whether a point of this kind is held against those of
// later runs.
func remembered(k recovery.NeedKind) bool { return k == recovery.Restart || k == recovery.Media }

// See remembers a sighting: since when each segment has been without a need,
// and where the recovery points stood. A segment that is needed again, or gone,
// begins anew; a point that has not moved since the last sighting is not noted
// again. That a log was put back is noted before.
func (l *Ledger) See(ctx context.Context, s Sighting) error {
	return l.remember(ctx, s, func(c *change) error {
		if s.PutBack {
			at, err := c.seePutBack(s, observe.PutBackKind)
			if err != nil {
				return err
			}
			s.At = at // the points are of the life that begins with it
		}
		if s.Segments != nil {
			if err := c.seeSegments(s); err != nil {
				return err
			}
		}
		for _, p := range s.Points {
			if err := c.seePoint(s, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// remember changes what is remembered of a target by a sighting.
func (l *Ledger) remember(ctx context.Context, s Sighting, how func(*change) error) error {
	doing := "remembering what was seen of " + s.Target
	if err := oneLine("target", s.Target, true); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if s.At.IsZero() {
		return fmt.Errorf("%s: nobody knows when it was seen", doing)
	}
	return l.change(ctx, doing, how)
}

// seeSegments writes the unneeded ones anew, each with the time it had.
func (c *change) seeSegments(s Sighting) error {
	type name struct{ library, segment, opened string }
	since := map[name]int64{}
	found, err := c.tx.QueryContext(c.ctx, "SELECT library, segment, opened, at FROM unneeded WHERE target = ?", s.Target)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		var n name
		var at int64
		if err := found.Scan(&n.library, &n.segment, &n.opened, &at); err != nil {
			return err
		}
		since[n] = at
	}
	if err := found.Err(); err != nil {
		return err
	}
	if _, err := c.exec("DELETE FROM unneeded WHERE target = ?", s.Target); err != nil {
		return err
	}
	add, err := c.tx.PrepareContext(c.ctx, "INSERT OR REPLACE INTO unneeded (target, library, segment, opened, at) VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer add.Close()
	for _, segment := range s.Segments {
		if segment.Needed {
			continue
		}
		n := name{segment.ID.Library, segment.ID.Name, segment.Opened}
		at, known := since[n]
		if !known {
			at = nanos(s.At)
		}
		if _, err := add.ExecContext(c.ctx, s.Target, n.library, n.segment, n.opened, at); err != nil {
			return err
		}
	}
	return nil
}

// seePoint notes a recovery point, unless it stands where it last stood.
func (c *change) seePoint(s Sighting, p SeenPoint) error {
	if !remembered(p.Kind) {
		return nil
	}
	_, err := c.exec(`INSERT INTO point (target, kind, at, library, segment, position) SELECT ?1, ?2, ?3, ?4, ?5, ?6
		WHERE NOT EXISTS (SELECT 1 FROM point p WHERE p.id = (SELECT max(id) FROM point WHERE target = ?1 AND kind = ?2)
			AND p.library = ?4 AND p.segment = ?5 AND p.position = ?6)`,
		s.Target, p.Kind.String(), nanos(s.At), p.Library, p.Segment, p.Position)
	return err
}
