package report

// tone says how something is to be read; only text with colour shows it.
type tone uint8

const (
	plain tone = iota
	good
	warn
	bad
	faint
)

// cell is a piece of text of a document, as it came: renderers make it
// harmless.
type cell struct {
	text string
	tone tone
}

func say(text string) cell             { return cell{text: text} }
func tell(tone tone, text string) cell { return cell{text: text, tone: tone} }
func row(texts ...string) (cells []cell) {
	for _, text := range texts {
		cells = append(cells, say(text))
	}
	return cells
}

// document is the content of a report, before it has a form.
type document struct{ blocks []any }

// The blocks of a document.
type (
	heading struct { // level 1 for a target, 2 for a part of it
		level int
		text  string
	}
	line  struct{ cell } // a paragraph
	list  struct{ items [][]cell }
	table struct {
		head    []string // empty: the rows are names and values
		rows    [][]cell
		right   []int // columns of numbers, from 0
		sharing []int // columns that share the room the others leave; none: the last one
	}
	figure struct{ lines []string } // drawn by columns; safe text already
)

func (d *document) heading(level int, text string) { d.blocks = append(d.blocks, heading{level, text}) }
func (d *document) line(c cell)                    { d.blocks = append(d.blocks, line{c}) }
func (d *document) figure(lines []string)          { d.blocks = append(d.blocks, figure{lines}) }

// table adds a table, or nothing when it has no rows.
func (d *document) table(t table) {
	if len(t.rows) > 0 {
		d.blocks = append(d.blocks, t)
	}
}

// list adds a list of items, each of one or more lines.
func (d *document) list(items [][]cell) {
	if len(items) > 0 {
		d.blocks = append(d.blocks, list{items})
	}
}
