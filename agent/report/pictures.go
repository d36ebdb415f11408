package report

import (
	"cmp"
	"slices"

	"github.com/mqhk/mqhk/agent/ledger"
)

// timelineKind is the kind of picture that shows a chain.
const timelineKind = "timeline"

// picturesPart draws the time lines and lists the points of every other kind
// of picture, which has no drawing in text.
func picturesPart(d *document, target ledger.Target, options Options) {
	for _, picture := range target.Pictures {
		if len(picture.Points) == 0 {
			continue
		}
		title := cmp.Or(picture.Title, "Picture")
		if picture.Kind != timelineKind {
			d.heading(2, title+" ("+picture.Kind+")")
			d.table(pointsTable(picture))
			continue
		}
		d.heading(2, title+", oldest left")
		d.figure(drawTimeline(picture, target.Segments, options.width()-len(indent)))
	}
}

func pointsTable(picture ledger.Picture) table {
	t := table{head: []string{"at", "name", "verdict", "state", "mark"}}
	for i, dot := range picture.Points {
		marks := ""
		for _, mark := range slices.Backward(picture.Marks) {
			if mark.Point == i {
				marks = mark.Kind + " " + mark.At + " " + marks
			}
		}
		t.rows = append(t.rows, row(dot.At, dot.Name, dot.Verdict, dot.State, marks))
	}
	return t
}
