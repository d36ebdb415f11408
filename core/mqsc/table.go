package mqsc

import (
	"regexp"
	"slices"
	"strings"
)

// Table is a table below a message of z/OS, such as those of DISPLAY USAGE. Its
// columns are told by their headings, which may take several lines; where they
// stand, and in which order, does not matter.
type Table struct {
	columns []tableColumn
	Rows    []TableRow
}

// TableRow is one row; Cells are in the order of the columns.
type TableRow struct {
	cells []string
}

type tableColumn struct {
	words      []string // of the heading, in capitals, from above to below
	start, end int      // the characters that heading and cells take
}

var (
	tableCell = regexp.MustCompile(`\S+`)
	dashes    = regexp.MustCompile(`^[ \t]*-{2,}[- \t]*$`)
	tableEnd  = regexp.MustCompile(`(?i)^[ \t]*END OF\b`)
	// placeholder is what the manual's samples have in front of a row in place of
	// a blank.
	placeholder = regexp.MustCompile(`^( *)_(\S| )`)
	// grouped is a heading over several columns, which names none of them.
	grouped = regexp.MustCompile(`-{2,} *[A-Za-z][A-Za-z ]*-{2,}`)
	// valued is a cell that no heading is: a number, perhaps with its unit.
	valued = regexp.MustCompile(`^[-+]?[0-9][0-9,.]*[KMG%]?$`)
)

// ReadTable reads the table in the lines below a message. False when there is
// no row or no heading, or when rows and headings do not fit each other: then
// nobody can say what is what.
func (m Message) ReadTable() (Table, bool) {
	head, rows, ruler := partTable(m.Lines)
	if len(head) == 0 || len(rows) == 0 {
		return Table{}, false
	}
	var t Table
	if ruler != nil {
		t.columns = ruled(ruler)
	} else {
		t.columns = spanned(rows)
	}
	if len(t.columns) == 0 {
		return Table{}, false
	}
	aligned := true
	for i, line := range head {
		fits := t.name(line)
		aligned = aligned && (fits || i < len(head)-1)
	}
	unnamed := slices.ContainsFunc(t.columns, func(c tableColumn) bool { return len(c.words) == 0 })
	if (!aligned || unnamed) && !t.documented(m.ID, head) {
		return Table{}, false
	}
	for _, row := range rows {
		cells, ok := t.cut(row)
		if !ok {
			return Table{}, false
		}
		t.Rows = append(t.Rows, TableRow{cells})
	}
	return t, true
}

// partTable finds the lines of the heading, those of the rows, and the line of
// dashes between them, if there is one. Without it a row is a line with a number
// among its cells.
func partTable(lines []string) (head, rows []string, ruler *string) {
	if at := slices.IndexFunc(lines, func(line string) bool { return dashes.MatchString(line) }); at >= 0 {
		head, ruler, lines = lines[:at], &lines[at], lines[at+1:]
	}
	for _, line := range lines {
		line = placeholder.ReplaceAllString(line, "$1 $2")
		switch {
		case tableEnd.MatchString(line):
			return head, rows, ruler
		case ruler != nil, isRow(line):
			rows = append(rows, line)
		case len(rows) == 0:
			head = append(head, grouped.ReplaceAllStringFunc(line, func(group string) string { return strings.Repeat(" ", len(group)) }))
		}
	}
	return head, rows, ruler
}

func isRow(line string) bool {
	return slices.ContainsFunc(strings.Fields(line), valued.MatchString)
}

// ruled gives the columns that a line of dashes shows.
func ruled(ruler *string) []tableColumn {
	var columns []tableColumn
	for _, span := range tableCell.FindAllStringIndex(*ruler, -1) {
		columns = append(columns, tableColumn{start: span[0], end: span[1]})
	}
	return columns
}

// spanned gives the columns that the cells of the fullest rows show.
func spanned(rows []string) []tableColumn {
	var columns []tableColumn
	most := 0
	for _, row := range rows {
		spans := tableCell.FindAllStringIndex(row, -1)
		switch {
		case len(spans) < most:
			continue
		case len(spans) > most:
			most, columns = len(spans), make([]tableColumn, len(spans))
			for i, span := range spans {
				columns[i] = tableColumn{start: span[0], end: span[1]}
			}
		}
		for i, span := range spans {
			columns[i].start, columns[i].end = min(columns[i].start, span[0]), max(columns[i].end, span[1])
		}
	}
	return columns
}

// name gives the words of a line of the heading to the columns below them, and
// tells whether it fits them. A word that stands above no cell belongs to the
// one that follows it by a single blank; else it goes to the nearest column, and
// the line does not fit.
func (t *Table) name(line string) (fits bool) {
	spans := tableCell.FindAllStringIndex(line, -1)
	next := -1 // the column of the word to the right
	at := make([]int, len(spans))
	fits = true
	for i := len(spans) - 1; i >= 0; i-- {
		column := t.above(spans[i][0], spans[i][1])
		if column < 0 && i+1 < len(spans) && spans[i+1][0] == spans[i][1]+1 {
			column = next
		}
		if column < 0 {
			column, fits = t.nearest(spans[i][0], spans[i][1]), false
		}
		at[i], next = column, column
	}
	for i, span := range spans {
		if word := strings.ToUpper(line[span[0]:span[1]]); strings.Trim(word, "-.") != "" {
			t.columns[at[i]].words = append(t.columns[at[i]].words, word)
		}
	}
	return fits
}

// tableLayouts are the columns of reports in the order of the manual ("DISPLAY
// USAGE"), for tables that a program has squeezed, so that headings no longer
// stand above their cells (case 47).
var tableLayouts = map[string][]string{
	"CSQI010": {
		"PAGE SET", "BUFFER POOL", "TOTAL PAGES", "UNUSED PAGES", "PERSISTENT DATA PAGES", "NONPERSIST DATA PAGES", "EXPANSION", "COUNT",
	},
	"CSQE280": {"APPLICATION STRUCTURE", "OFFLOADED MESSAGES", "TOTAL BLOCKS", "TOTAL DATA BLOCKS", "USED DATA BLOCKS", "USED PART"},
	"CSQE285": {
		"APPLICATION STRUCTURE", "BLOCK SIZE", "TOTAL", "IN USE", "SAVED", "EMPTY", "READS SAVED", "LOWEST FREE", "WAIT RATE",
	},
}

// documented names the columns by the manual's order. The heading must have
// just its words and the rows just its columns: else the order is another one.
func (t *Table) documented(id string, head []string) bool {
	layout := tableLayouts[stem(id)]
	words := strings.Fields(strings.Join(layout, " "))
	var found []string
	for _, word := range strings.Fields(strings.ToUpper(strings.Join(head, " "))) {
		if strings.Trim(word, "-.") != "" {
			found = append(found, word)
		}
	}
	slices.Sort(words)
	slices.Sort(found)
	if len(layout) != len(t.columns) || !slices.Equal(words, found) {
		return false
	}
	for i, column := range layout {
		t.columns[i].words = strings.Fields(column)
	}
	return true
}

// above gives the column with which a span has most characters in common, -1
// for none.
func (t *Table) above(start, end int) int {
	found, most := -1, 0
	for i, column := range t.columns {
		if common := min(end, column.end) - max(start, column.start); common > most {
			found, most = i, common
		}
	}
	return found
}

// nearest gives the column whose edge is nearest to that of a span.
func (t *Table) nearest(start, end int) int {
	found, least := 0, 1<<30
	for i, column := range t.columns {
		gap := min(abs(column.start-start), abs(column.end-end))
		if gap < least {
			found, least = i, gap
		}
	}
	return found
}

func abs(n int) int { return max(n, -n) }

// cut gives the cells of a row by column; not ok when two of them belong to
// one.
func (t *Table) cut(row string) ([]string, bool) {
	spans := tableCell.FindAllStringIndex(row, -1)
	cells := make([]string, len(t.columns))
	if len(spans) == len(cells) {
		for i, span := range spans {
			cells[i] = row[span[0]:span[1]]
		}
		return cells, true
	}
	last := -1
	for _, span := range spans {
		at := t.above(span[0], span[1])
		if at < 0 {
			at = t.nearest(span[0], span[1])
		}
		if at <= last {
			return nil, false
		}
		cells[at], last = row[span[0]:span[1]], at
	}
	return cells, true
}

// Column finds the one column whose heading has all the words, in any order
// and case; one that has no other words goes before others. False when none
// has, or more than one.
func (t Table) Column(words ...string) (int, bool) {
	found := -1
	for i, column := range t.columns {
		fits := true
		for _, word := range words {
			fits = fits && slices.Contains(column.words, strings.ToUpper(word))
		}
		if fits && len(column.words) == len(words) {
			return i, true
		}
		if fits && found >= 0 {
			return 0, false
		}
		if fits {
			found = i
		}
	}
	return found, found >= 0
}

// Get gives the cell of the column whose heading has all the words; empty when
// there is no such column, or nothing in it.
func (t Table) Get(row TableRow, words ...string) string {
	at, ok := t.Column(words...)
	if !ok {
		return ""
	}
	return row.cells[at]
}

// HasRows tells whether there are lines below a message that look like rows of
// a table, whether it can be read or not.
func (m Message) HasRows() bool {
	_, rows, _ := partTable(m.Lines)
	return len(rows) > 0
}
