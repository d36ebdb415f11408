package report

import (
	"slices"
	"strings"
)

// The columns of text tables. All text is ASCII by then, so a byte is a
// column.
const (
	gutter    = 2  // between two columns
	narrowest = 14 // the least that a column which shares room is given
	widest    = 46 // the most that any other column takes: one z/OS data set name
)

// table writes a table with a line under its head and no other, so that the
// columns can be cut out with the tools of a terminal.
func (p *textPrinter) table(t table) {
	safe := make([][]cell, 0, len(t.rows)+1)
	if len(t.head) > 0 {
		safe = append(safe, row(t.head...))
	}
	for _, cells := range t.rows {
		harmless := slices.Clone(cells)
		for i := range harmless {
			harmless[i].text = ascii(harmless[i].text)
		}
		safe = append(safe, harmless)
	}
	wrapped, widths := layOut(safe, p.shares(t, safe))
	for i, cells := range wrapped {
		p.tableRow(cells, safe[i], widths, t.right)
		if i == 0 && len(t.head) > 0 {
			total := -gutter
			for _, width := range widths {
				total += width + gutter
			}
			p.lines([]string{strings.Repeat("-", total)})
		}
	}
}

// shares gives for each column the most that it may take: what its widest
// cell needs, but for those columns that share what the others leave. Where
// that is too little for their words, the others wrap too.
func (p *textPrinter) shares(t table, rows [][]cell) []int {
	limits, words := measure(rows)
	sharing := t.sharing
	if len(sharing) == 0 {
		sharing = []int{len(limits) - 1}
	}
	left := p.width - len(p.inside) - gutter*(len(limits)-1)
	least := narrowest
	for i := range limits {
		if slices.Contains(sharing, i) {
			least = max(least, min(words[i], 2*narrowest))
			limits[i] = 0
			continue
		}
		limits[i] = min(limits[i], widest)
		left -= limits[i]
	}
	for left < least*len(sharing) && shrinkWidest(limits, words) {
		left++
	}
	for _, i := range sharing {
		limits[i] = max(left/len(sharing), least)
	}
	return limits
}

// measure gives the widest cell and the longest word of each column.
func measure(rows [][]cell) (cells, words []int) {
	cells, words = make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			cells[i] = max(cells[i], len(c.text))
			for _, word := range strings.Fields(c.text) {
				words[i] = max(words[i], len(word))
			}
		}
	}
	return cells, words
}

// shrinkWidest takes one column of room from the widest one that would still
// hold its words, and tells whether there was one.
func shrinkWidest(limits, words []int) bool {
	at := -1
	for i, limit := range limits {
		if limit > words[i] && (at < 0 || limit > limits[at]) {
			at = i
		}
	}
	if at >= 0 {
		limits[at]--
	}
	return at >= 0
}

// layOut wraps every cell within its column's limit, and gives the widths
// that the columns really take.
func layOut(rows [][]cell, limits []int) (wrapped [][][]string, widths []int) {
	widths = make([]int, len(limits))
	for _, cells := range rows {
		lines := make([][]string, len(cells))
		for i, c := range cells {
			lines[i] = strings.Split(wrap(c.text, limits[i]), "\n")
			for _, l := range lines[i] {
				widths[i] = max(widths[i], len(l))
			}
		}
		wrapped = append(wrapped, lines)
	}
	return wrapped, widths
}

// tableRow writes one row, which takes as many lines as its longest cell.
func (p *textPrinter) tableRow(cells [][]string, tones []cell, widths, right []int) {
	height := 0
	for _, lines := range cells {
		height = max(height, len(lines))
	}
	for y := range height {
		var out strings.Builder
		for i, lines := range cells {
			text := ""
			if y < len(lines) {
				text = lines[y]
			}
			blanks := strings.Repeat(" ", widths[i]-len(text))
			painted := p.paint(text, tones[i].tone)
			if slices.Contains(right, i) {
				painted, blanks = blanks+painted, ""
			}
			out.WriteString(painted + blanks + strings.Repeat(" ", gutter))
		}
		p.lines([]string{out.String()})
	}
}
