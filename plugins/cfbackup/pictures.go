package cfbackup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

// mostSpans is how many spans of one member's log are drawn: of more the newest.
const mostSpans = 100

// pictures draws what a recovery of the group would read: of each structure the
// time since its backup, of each member the log data sets in which that lies.
func (v view) pictures() []plugins.Picture {
	if v.group.Observed.IsZero() {
		return nil
	}
	p := plugins.Picture{Kind: plugins.PictureWindow, Title: "What RECOVER of all structures would read", To: v.group.Observed}
	deepest := map[string]logRead{} // of each member
	for _, s := range v.group.Structures {
		r, ok := v.ready[s.Name]
		if !ok {
			continue
		}
		p.Rows = append(p.Rows, v.structureRow(s, r))
		for _, read := range r.reads {
			if known, ok := deepest[read.member]; !ok || len(read.places) > len(known.places) {
				deepest[read.member] = read
			}
		}
	}
	for _, m := range v.group.Members {
		if read, ok := deepest[m.Name]; ok {
			p.Rows = append(p.Rows, v.logRow(read))
		}
	}
	if len(p.Rows) == 0 {
		return nil
	}
	return []plugins.Picture{p}
}

// structureRow shows the backup and what is read since.
func (v view) structureRow(s qsg.Structure, r readiness) plugins.PictureRow {
	row := plugins.PictureRow{Kind: "structure", Name: s.Name, Text: r.answer.String()}
	ended := v.clock.moment(s.Backup.EndedAt)
	if !s.Backup.Taken() || ended.IsZero() {
		return row
	}
	begun := ended
	for _, e := range v.group.EventsOf("CSQE120") {
		if at := v.clock.moment(e.At); e.Structure == s.Name && e.Member == s.Backup.QueueManager && e.Values["RBA"] == s.Backup.Start.String() && !at.After(ended) {
			begun = at
		}
	}
	row.Text += fmt.Sprintf(", image of %s", s.Backup.QueueManager)
	from, known := r.from.Time()
	if !known || from.After(begun) {
		from = begun
	}
	row.Spans = []plugins.PictureSpan{
		{From: from.In(v.clock.zone), To: v.clock.now, State: plugins.SpanNeeded},
		{From: begun, To: ended, State: plugins.SpanImage},
	}
	return row
}

// logRow shows the log data sets of a member that a recovery reads. One that is in
// an active log too is shown as that: nothing takes it away there before it is
// archived.
func (v view) logRow(read logRead) plugins.PictureRow {
	row := plugins.PictureRow{Kind: "log", Name: read.member, Text: read.state.String()}
	if read.why != "" {
		row.Text += ": " + read.why
	}
	shown := map[bsds.RBA]int{} // by where they begin, to the span
	for _, place := range read.places {
		span := plugins.PictureSpan{From: place.Log.StartTime, To: place.Log.EndTime, State: v.spanState(read, place), Text: place.Log.DataSet}
		if at, ok := shown[place.Log.Start]; ok {
			row.Spans[at] = better(row.Spans[at], span)
			continue
		}
		shown[place.Log.Start] = len(row.Spans)
		row.Spans = append(row.Spans, span)
	}
	slices.SortStableFunc(row.Spans, func(a, b plugins.PictureSpan) int {
		return cmp.Or(a.From.Compare(b.From), strings.Compare(a.Text, b.Text))
	})
	row.Spans = row.Spans[max(0, len(row.Spans)-mostSpans):]
	for i := range row.Spans {
		row.Spans[i].From, row.Spans[i].To = v.local(row.Spans[i].From), v.local(row.Spans[i].To)
	}
	return row
}

// local gives a time of the BSDS, which is GMT, as the group's clock shows it.
func (v view) local(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.In(v.clock.zone)
}

// spanState tells what there is of a log data set.
func (v view) spanState(read logRead, place bsds.Place) plugins.SpanState {
	if !place.Archived {
		return plugins.SpanActive
	}
	m, ok := v.group.Member(read.member)
	if !ok {
		return plugins.SpanMissing
	}
	if slices.Contains(m.Archives.Missing, place.Log.DataSet) && place.Log.Catalogued != bsds.No {
		return plugins.SpanMissing
	}
	if _, goes := read.expires[place.Log.DataSet]; goes {
		return plugins.SpanExpiring
	}
	return plugins.SpanArchive
}

// better gives the span that says that more is there: either copy is enough.
func better(a, b plugins.PictureSpan) plugins.PictureSpan {
	order := []plugins.SpanState{plugins.SpanMissing, plugins.SpanExpiring, plugins.SpanArchive, plugins.SpanActive}
	if slices.Index(order, b.State) > slices.Index(order, a.State) {
		return b
	}
	return a
}
