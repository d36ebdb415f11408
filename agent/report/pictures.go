package report

import (
	"cmp"
	"slices"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// picturesPart draws the pictures, and lists the points of one that has no
// drawing in text.
func picturesPart(d *document, target ledger.Target, options Options) {
	width := options.width() - len(indent)
	for _, picture := range target.Pictures {
		title := cmp.Or(picture.Title, "Picture")
		var lines []string
		switch plugins.PictureKind(picture.Kind) {
		case plugins.PictureTimeline:
			if len(picture.Points) > 0 {
				title, lines = title+", oldest left", drawTimeline(picture, target.Segments, width)
			}
		case plugins.PictureSeries:
			lines = drawSeries(picture, width)
		case plugins.PictureWindow:
			lines = drawWindow(picture, width)
		}
		switch {
		case len(lines) > 0:
			d.heading(2, title)
			d.figure(lines)
		case len(picture.Points) > 0:
			d.heading(2, title+" ("+picture.Kind+")")
			d.table(pointsTable(picture))
		}
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
